import { SESSION_LIFE_MS } from "../people/session.ts";

const NAME = "propgate_session";
const MS_PER_SECOND = 1_000;

export interface SessionCookie {
  /** The token that a request brings; null: none. */
  read(header: string | undefined): string | null;
  /** `Set-Cookie` for a token that was just made. */
  set(token: string): string;
  /** `Set-Cookie` that takes it away. */
  clear(): string;
}

/**
 * The cookie that says who is signed in: no script reads it, no other site's page sends it. Where
 * the pages have https, its name makes the browser hold it to that host and to https as well.
 */
export function sessionCookie(publicUrl: string | null): SessionCookie {
  const isSecure = publicUrl?.startsWith("https:") === true;
  const name = isSecure ? `__Host-${NAME}` : NAME;
  const flags = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    read(header) {
      const pairs = (header ?? "").split(";").map((pair) => pair.trim());
      const own = pairs.find((pair) => pair.startsWith(`${name}=`));
      return own === undefined ? null : own.slice(name.length + 1);
    },
    set: (token) => `${name}=${token}; ${flags}; Max-Age=${SESSION_LIFE_MS / MS_PER_SECOND}`,
    clear: () => `${name}=; ${flags}; Max-Age=0`,
  };
}

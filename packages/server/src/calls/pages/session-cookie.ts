import { SESSION_LIFE_MS } from "@propgate/access";

const SESSION_NAME = "propgate_session";
const BROWSER_NAME = "propgate_browser";
const MS_PER_SECOND = 1_000;
/** The maximum time for which browsers keep a cookie. */
const BROWSER_LIFE_MS = 400 * 86_400_000;

/** A cookie of the pages that holds a token. */
export interface PageCookie {
  /** The token in the header `Cookie`; null when the header does not have this cookie. */
  read(header: string | undefined): string | null;
  /** The value of `Set-Cookie` for a new token. */
  set(token: string): string;
  /** The value of `Set-Cookie` that deletes the cookie. */
  clear(): string;
}

/** The cookie with the token of a session. */
export function sessionCookie(publicUrl: string | null): PageCookie {
  return pageCookie(publicUrl, { name: SESSION_NAME, lifeMs: SESSION_LIFE_MS });
}

/** The cookie that marks a browser in which a person has signed in before. It outlives the session. */
export function browserCookie(publicUrl: string | null): PageCookie {
  return pageCookie(publicUrl, { name: BROWSER_NAME, lifeMs: BROWSER_LIFE_MS });
}

/**
 * A cookie that scripts cannot read and other sites' pages cannot send. With https, the prefix of its name makes the
 * browser bind it to this host and to https as well.
 */
function pageCookie(
  publicUrl: string | null,
  given: { readonly name: string; readonly lifeMs: number },
): PageCookie {
  const isSecure = publicUrl?.startsWith("https:") === true;
  const name = isSecure ? `__Host-${given.name}` : given.name;
  const flags = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    read(header) {
      const pairs = (header ?? "").split(";").map((pair) => pair.trim());
      const own = pairs.find((pair) => pair.startsWith(`${name}=`));
      return own === undefined ? null : own.slice(name.length + 1);
    },
    set: (token) => `${name}=${token}; ${flags}; Max-Age=${given.lifeMs / MS_PER_SECOND}`,
    clear: () => `${name}=; ${flags}; Max-Age=0`,
  };
}

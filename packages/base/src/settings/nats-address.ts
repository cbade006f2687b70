/** Where a NATS cluster answers, and as whom to connect. */
export interface NatsAddress {
  /** `host:port`, at least one. */
  readonly servers: readonly string[];
  readonly isEncrypted: boolean;
  readonly user: string | null;
  /** A token when there is no user. */
  readonly password: string | null;
}

const DEFAULT_PORT = "4222";

/**
 * `nats://user:password@host:port`, or `tls://…`; several with commas, all with the same user. Without a
 * password, the user is a token. Null for another form.
 */
export function parseNatsUrl(text: string): NatsAddress | null {
  const urls = text.split(",").map((one) => URL.parse(one.trim()));
  const [first] = urls;
  if (first === null || first === undefined) return null;
  const servers: string[] = [];
  for (const url of urls) {
    if (url === null || !isServer(url) || !isSameUser(url, first)) return null;
    servers.push(`${url.hostname}:${url.port === "" ? DEFAULT_PORT : url.port}`);
  }
  const [user, password] = [decoded(first.username), decoded(first.password)];
  if (user === null || password === null) return null;
  const address = { servers, isEncrypted: first.protocol === "tls:" };
  if (user === "") return { ...address, user: null, password: null };
  if (password === "") return { ...address, user: null, password: user };
  return { ...address, user, password };
}

/** Null for a wrong escape. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function isServer({ protocol, hostname, pathname, search, hash }: URL): boolean {
  if (!/^(nats|tls):$/.test(protocol) || hostname === "") return false;
  return /^\/?$/.test(pathname) && search === "" && hash === "";
}

function isSameUser(one: URL, other: URL): boolean {
  const parts = ["protocol", "username", "password"] as const;
  return parts.every((part) => one[part] === other[part]);
}

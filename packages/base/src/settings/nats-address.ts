/** The servers of a NATS cluster, and the user with which to connect. */
export interface NatsAddress {
  /** Each is `host:port`; there is at least one. */
  readonly servers: readonly string[];
  readonly isEncrypted: boolean;
  readonly user: string | null;
  /** The password; a token when there is no user. Null when neither was given. */
  readonly password: string | null;
}

const DEFAULT_PORT = "4222";

/**
 * Parses `nats://user:password@host:port`, or `tls://…`; several are separated by commas, and all have the same scheme,
 * user and password. Without a password the user is a token. Null for a text of another form.
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
  const [user, password] = [decodePercent(first.username), decodePercent(first.password)];
  if (user === null || password === null) return null;
  const address = { servers, isEncrypted: first.protocol === "tls:" };
  if (user === "") return { ...address, user: null, password: null };
  if (password === "") return { ...address, user: null, password: user };
  return { ...address, user, password };
}

/** The text without its percent escapes; null when one of them is wrong. */
function decodePercent(text: string): string | null {
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

import { isIP } from "node:net";

/** The domain to which passkeys are bound. */
export interface RelyingParty {
  /** A domain name: browsers have no passkeys for IP addresses. */
  readonly id: string;
  readonly origin: string;
  /** The name that the browser shows to people. */
  readonly name: string;
}

/**
 * The relying party of a request: the host of the public URL. Without a public URL it can only be `localhost`, where
 * browsers allow passkeys without https. Null when passkeys are not possible.
 */
export function relyingPartyOf(given: {
  readonly publicUrl: string | null;
  /** The `Host` header of the request. */
  readonly host: string;
  readonly name: string;
}): RelyingParty | null {
  const { publicUrl, host, name } = given;
  const url = URL.parse(publicUrl ?? `http://${host}`);
  if (url === null) return null;
  const id = url.hostname;
  const isAddress = isIP(id.replace(/^\[(.*)\]$/, "$1")) !== 0;
  const isSafe = id === "localhost" || (publicUrl !== null && url.protocol === "https:");
  return isSafe && !isAddress ? { id, origin: url.origin, name } : null;
}

import { isIP } from "node:net";

/** The domain that passkeys are bound to. */
export interface RelyingParty {
  /** A domain: browsers have no passkeys for IP addresses. */
  readonly id: string;
  readonly origin: string;
  /** The name that the browser shows to people. */
  readonly name: string;
}

/**
 * Derived from the public URL or, without one, of `localhost`, the only host that browsers accept
 * without https. Null when passkeys are not possible.
 */
export function relyingParty(given: {
  readonly publicUrl: string | null;
  /** As the request names this service. */
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

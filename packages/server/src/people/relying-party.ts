import { isIP } from "node:net";

/** What a passkey is bound to. */
export interface RelyingParty {
  /** A domain: browsers know no passkeys of an address. */
  readonly id: string;
  readonly origin: string;
  /** For people. */
  readonly name: string;
}

/**
 * Of the address that a browser shows, or where none is set of `localhost`, the only name that a
 * browser takes without https. Null: there can be no passkeys here.
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

import { CannotStart, parseUpstreamOrigin } from "@propgate/base";

/** An upstream's address in the parts that a request needs. */
export interface BaseUrl {
  readonly isSecure: boolean;
  /** A name or an address; an IPv6 address without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** The `Host` header: without the scheme's own port. */
  readonly host: string;
}

const HTTPS_PORT = 443;
const HTTP_PORT = 80;

/**
 * Splits an origin: https, or http to a loopback address.
 * @throws CannotStart for any other text, which it does not repeat
 */
export function baseUrlOf(origin: string): BaseUrl {
  const read = parseUpstreamOrigin(origin);
  if ("problem" in read) throw new CannotStart(`the network's address ${read.problem}`);
  const url = new URL(read.value);
  const isSecure = url.protocol === "https:";
  const standardPort = isSecure ? HTTPS_PORT : HTTP_PORT;
  return {
    isSecure,
    hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? standardPort : Number(url.port),
    host: url.host,
  };
}

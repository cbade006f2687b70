import { isIPv6 } from "node:net";

/** The host and port at which a listener accepts connections. */
export interface ListenAddress {
  /** A name or an address; an IPv6 address has no brackets here. */
  readonly host: string;
  /** The port; 0 picks a free one. */
  readonly port: number;
}

const FORM = /^(?:\[([^\]]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/;

/** Parses `host:port` or `[IPv6]:port`; null when the text is neither. */
export function parseListenAddress(text: string): ListenAddress | null {
  const [, v6, name, digits] = FORM.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) return null;
  if (v6 !== undefined) return isIPv6(v6) ? { host: v6, port } : null;
  return name === undefined ? null : { host: name, port };
}

/** The origin of the listener, such as `http://[::1]:8788`. */
export function listenOrigin({ host, port }: ListenAddress): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

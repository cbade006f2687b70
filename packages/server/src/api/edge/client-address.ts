import { canonicalAddress, createAddressFilter } from "@propgate/base";
import type { FastifyRequest } from "fastify";

/**
 * Returns a function that tests whether a hop of `X-Forwarded-For` is one of the proxies. Returns false when there are
 * no proxies; the header is then not read.
 */
export function createTrustedHopTest(
  proxies: readonly string[],
): false | ((hop: string) => boolean) {
  if (proxies.length === 0) return false;
  const isTrusted = createAddressFilter(proxies);
  return (hop) => isTrusted(hopAddress(hop));
}

/** The address of a hop, which some proxies write with a port: `203.0.113.7:54321`, `[2001:db8::1]:443`. */
function hopAddress(hop: string): string {
  const [, v4, v6] = /^(?:([\d.]+):\d{1,5}|\[([^\]]+)\](?::\d{1,5})?)$/.exec(hop) ?? [];
  return v4 ?? v6 ?? hop;
}

/**
 * The client address of a request, for keys' address lists, last use, limits and records alike. `X-Forwarded-For` is
 * read from its right end and only as far as trusted proxies wrote it, so a client cannot forge it. When a trusted
 * proxy passes on a string that is not an address, the proxy's own address counts. @rule D10.addressOnce decides
 */
export function clientAddress(request: Pick<FastifyRequest, "ip" | "socket">): string {
  return (
    canonicalAddress(hopAddress(request.ip)) ??
    canonicalAddress(request.socket.remoteAddress ?? "") ??
    ""
  );
}

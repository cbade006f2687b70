import { plainAddress } from "@propgate/base";
import type { FastifyRequest } from "fastify";

/**
 * The client address of a request, for keys' address lists, last use, limits and records alike. `X-Forwarded-For` is
 * read from its right end and only as far as trusted proxies wrote it, so a client cannot forge it. When a trusted
 * proxy passes on a string that is not an address, the proxy's own address counts. @rule D10.addressOnce decides
 */
export function clientAddress(request: Pick<FastifyRequest, "ip" | "socket">): string {
  return plainAddress(request.ip) ?? plainAddress(request.socket.remoteAddress ?? "") ?? "";
}

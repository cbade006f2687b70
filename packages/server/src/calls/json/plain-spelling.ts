import { splitTarget } from "@propgate/contract";
import type { FastifyRequest } from "fastify";

/**
 * True when the fixed parts of the path are written as in the route. The router decodes escapes and drops the
 * host of an absolute target, so `/%6fperator/v1/accounts` matches the route of `/operator/v1/accounts`. A
 * proxy that compares raw prefixes does not see that they are equal. Parameters may be escaped.
 */
export function isPlainSpelling(request: Pick<FastifyRequest, "raw" | "routeOptions">): boolean {
  const { path } = splitTarget(request.raw.url ?? "");
  const sent = path.split("/");
  const words = (request.routeOptions.url ?? "").split("/");
  return (
    sent.length === words.length &&
    // An empty parameter is a path with a slash at its end.
    words.every((word, index) => (word.startsWith(":") ? sent[index] !== "" : word === sent[index]))
  );
}

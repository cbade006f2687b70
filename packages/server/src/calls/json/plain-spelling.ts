import { splitTarget } from "@propgate/contract";
import type { FastifyRequest } from "fastify";

/**
 * True when the fixed parts of the path are spelled as in the route; parameters may be escaped. The router decodes
 * escapes and drops the host of an absolute target, so `/%6fperator/v1/accounts` reaches the route of
 * `/operator/v1/accounts`. A proxy that compares the raw prefix would not see that both are the same path.
 */
export function isPlainSpelling(request: Pick<FastifyRequest, "raw" | "routeOptions">): boolean {
  const { path } = splitTarget(request.raw.url ?? "");
  const sent = path.split("/");
  const words = (request.routeOptions.url ?? "").split("/");
  return (
    sent.length === words.length &&
    // A parameter that is empty comes from a path that ends with a slash.
    words.every((word, index) => (word.startsWith(":") ? sent[index] !== "" : word === sent[index]))
  );
}

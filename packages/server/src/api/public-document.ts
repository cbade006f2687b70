import type { FastifyInstance } from "fastify";
import { entityTag, hasEntityTag } from "./edge/entity-tag.ts";

/** Serves a JSON document to everyone; a client that has it gets 304. */
export function servePublicDocument(server: FastifyInstance, path: string, json: string): void {
  const content = Buffer.from(json, "utf8");
  const tag = entityTag(content);
  server.get(path, (request, reply) => {
    reply.header("ETag", tag).header("Cache-Control", "no-cache");
    if (hasEntityTag(request.headers["if-none-match"], tag)) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(content);
  });
}

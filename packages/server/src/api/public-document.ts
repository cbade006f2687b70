import type { FastifyInstance } from "fastify";
import { entityTag, hasEntityTag } from "./edge/entity-tag.ts";

/**
 * Serves a JSON document to everyone; a client that has it gets 304. The document is made when it is first read,
 * because that takes longer than the rest of a start.
 */
export function servePublicDocument(
  server: FastifyInstance,
  path: string,
  document: () => object,
): void {
  let made: { readonly content: Buffer; readonly tag: string } | null = null;
  const make = () => {
    const content = Buffer.from(JSON.stringify(document()), "utf8");
    return { content, tag: entityTag(content) };
  };
  server.get(path, (request, reply) => {
    made ??= make();
    const { content, tag } = made;
    reply.header("ETag", tag).header("Cache-Control", "no-cache");
    if (hasEntityTag(request.headers["if-none-match"], tag)) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(content);
  });
}

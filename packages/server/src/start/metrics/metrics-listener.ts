import type { FastifyInstance } from "fastify";
import { openBareApp, type ServerOptions } from "../../api/app.ts";
import type { MetricsText } from "./service-registry.ts";

/** A listener that serves only `GET /metrics`. It needs no token, so its address must be private. */
export function openMetricsApp(
  options: ServerOptions,
  scrape: () => Promise<MetricsText>,
): FastifyInstance {
  const app = openBareApp(options);
  app.get("/metrics", async (_, reply) => {
    const { type, text } = await scrape();
    return reply.header("Cache-Control", "no-store").header("Content-Type", type).send(text);
  });
  return app;
}

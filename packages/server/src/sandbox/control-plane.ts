import { createHash, timingSafeEqual } from "node:crypto";
import { ok, type Result, refuse } from "@propgate/core";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { edgeLimits } from "../http/edge/limits.ts";
import { createEdge } from "../http/edge/refused-request.ts";
import { securityHeaders } from "../http/edge/security-headers.ts";
import { isNestedTooDeep, JSON_DEPTH_MAX } from "../json/json-depth.ts";
import { CONTROL_CALLS, type ControlReply } from "./control-calls.ts";
import type { ControlWorld } from "./control-world.ts";

export interface ControlPlaneOptions {
  readonly world: ControlWorld;
  /** What a caller sends as `Authorization: Bearer …`. */
  readonly token: string;
  /** Told of a fault; the caller only learns that there was one. */
  readonly onFault: (cause: unknown) => void;
}

/** The sandbox's own HTTP interface, on a listener of its own. */
export function createControlPlane({
  world,
  token,
  onFault,
}: ControlPlaneOptions): FastifyInstance {
  const edge = createEdge(edgeLimits(), SECURITY);
  const app = fastify({
    logger: false,
    bodyLimit: 1024 * 1024,
    clientErrorHandler: edge.refuse,
    // A path that cannot be decoded leads nowhere; it comes past the hook that asks for the token.
    frameworkErrors: (_error, _request, reply) =>
      void send(reply, { status: 404, body: NOT_FOUND }),
  });
  edge.guard(app.server);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.addHook("onSend", async (_request, reply) => {
    reply.headers(SECURITY);
  });
  app.addHook("onRequest", async (request, reply) => {
    if (!isToken(request.headers.authorization, token)) await send(reply, UNAUTHORIZED);
  });
  app.setNotFoundHandler((_request, reply) => send(reply, { status: 404, body: NOT_FOUND }));
  app.setErrorHandler((error, _request, reply) => {
    const status = statusOf(error);
    if (status < 500) return send(reply, { status, body: { error: textOf(error) } });
    onFault(error);
    return send(reply, { status: 500, body: { error: "Internal error" } });
  });
  for (const { method, path, handle } of CONTROL_CALLS) {
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const body = bodyOf(request.body);
        if (!body.ok) return send(reply, { status: 400, body: { error: body.refusal } });
        return send(reply, await handle(world, { ...wordsOf(request), body: body.value }));
      },
    });
  }
  return app;
}

const SECURITY = securityHeaders();
const UNAUTHORIZED = { status: 401, body: { error: "Unauthorized" } } as const;
const NOT_FOUND = { error: "Not found" } as const;

type Answer = ControlReply | { readonly status: number; readonly body: unknown };

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).type("application/json").send(JSON.stringify(body));
}

/** Compares digests, so that the time it takes tells nothing about the token. */
function isToken(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(header ?? ""), digest(`Bearer ${token}`));
}

/** Without a body it is an empty object. */
function bodyOf(raw: unknown): Result<unknown, string> {
  if (typeof raw !== "string" || raw.trim() === "") return ok({});
  try {
    const value: unknown = JSON.parse(raw);
    return isNestedTooDeep(value)
      ? refuse(`the body is nested more than ${JSON_DEPTH_MAX} levels deep`)
      : ok(value);
  } catch {
    return refuse("the body is no JSON");
  }
}

function wordsOf(request: FastifyRequest): {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
} {
  const parameters = Object.entries(recordOf(request.params)).map(
    ([name, value]) => [name, String(value)] as const,
  );
  return { parameters: Object.fromEntries(parameters), query: recordOf(request.query) };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function statusOf(error: unknown): number {
  const status =
    typeof error === "object" && error !== null && "statusCode" in error ? error.statusCode : null;
  return typeof status === "number" && status >= 400 ? status : 500;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : "Bad request";
}

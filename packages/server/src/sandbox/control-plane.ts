import { createHash, timingSafeEqual } from "node:crypto";
import { wireJson } from "@propgate/base";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { BODY_INTAKE } from "../api/edge/body-intake.ts";
import { clientAddress } from "../api/edge/client-address.ts";
import { edgeLimits, nodeLimits } from "../api/edge/limits.ts";
import { createEdge } from "../api/edge/refused-request.ts";
import { securityHeaders } from "../api/edge/security-headers.ts";
import { parseJsonBody } from "../calls/json/json-body.ts";
import type { Parsed } from "../calls/json/json-fields.ts";
import { receiveBodies } from "../calls/json/json-interface.ts";
import { parseEmptyBody } from "../calls/operator/operator-requests.ts";
import { CONTROL_CALLS, type ControlCall, type ControlReply } from "./control-calls.ts";
import type { ControlServices } from "./control-services.ts";

export interface ControlPlaneOptions {
  readonly services: ControlServices;
  /** The token that callers send as `Authorization: Bearer …`. */
  readonly token: string;
  /** Receives the cause of each 500; the client sees only that there was one. */
  readonly onFault: (cause: unknown) => void;
}

/** The listener of the sandbox's control plane. */
export function createControlPlane({
  services,
  token,
  onFault,
}: ControlPlaneOptions): FastifyInstance {
  const limits = edgeLimits();
  const edge = createEdge(limits, SECURITY);
  const app = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    http: { ...nodeLimits(limits), requireHostHeader: false },
    clientErrorHandler: edge.refuse,
    // A path that cannot be decoded is answered as not found. Such a request bypasses the hook that checks the token.
    frameworkErrors: (_error, _request, reply) =>
      void send(reply, { status: 404, body: NOT_FOUND }),
  });
  edge.attachTo(app.server);
  app.decorate(BODY_INTAKE, edge.bodies);
  receiveBodies(app);
  app.addHook("onSend", async (_request, reply) => {
    reply.headers(SECURITY);
  });
  app.addHook("onRequest", async (request, reply) => {
    if (edge.refusesRequest(request.raw, reply.raw)) {
      reply.hijack();
      return;
    }
    const address = clientAddress(request);
    const { bodyLimit: bytesMax } = request.routeOptions;
    edge.bodies.keep(request.raw, { bytesMax, address });
    if (!isToken(request.headers.authorization, token)) await send(reply, UNAUTHORIZED);
  });
  app.setNotFoundHandler((_request, reply) => send(reply, { status: 404, body: NOT_FOUND }));
  app.setErrorHandler((error, _request, reply) => {
    const status = statusOf(error);
    if (status < 500) return send(reply, { status, body: { error: textOf(error) } });
    onFault(error);
    return send(reply, { status: 500, body: { error: "Internal error" } });
  });
  for (const { method, path, handle, query = [], takesFile = false } of CONTROL_CALLS) {
    app.route({
      method,
      url: path,
      ...(takesFile ? { bodyLimit: FILE_BYTES_MAX } : {}),
      handler: async (request, reply) => {
        const body = parseJsonBody(takesFile ? "" : request.body);
        const call = { ...wordsOf(request), file: fileOf(request) };
        const problem = requestProblem({ method, query, call, body });
        if (problem !== null) return send(reply, { status: 400, body: { error: problem } });
        return send(reply, await handle(services, { ...call, body: body.ok ? body.value : {} }));
      },
    });
  }
  return app;
}

/**
 * The problem of a query parameter that the call does not have, of a body that cannot be read, or of a GET or DELETE
 * whose body has a field. Null when there is none; the handler of a POST checks the fields of its body.
 */
function requestProblem({
  method,
  query,
  call,
  body,
}: {
  readonly method: string;
  readonly query: readonly string[];
  readonly call: Pick<ControlCall, "query">;
  readonly body: Parsed<unknown>;
}): string | null {
  const parameter = Object.keys(call.query).find((name) => !query.includes(name));
  if (parameter !== undefined) {
    return `${parameter.slice(0, NAME_MAX)}: no such query parameter`;
  }
  const read = body.ok && method !== "POST" ? parseEmptyBody(body.value) : body;
  return read.ok ? null : read.problem;
}

function fileOf({ raw, body }: FastifyRequest): ControlCall["file"] {
  return { headers: raw.headers, text: typeof body === "string" ? body : "" };
}

const BODY_BYTES_MAX = 1024 * 1024;
const FILE_BYTES_MAX = 8 * 1024 * 1024;
/** An untrusted name is truncated to this many characters in an answer. */
const NAME_MAX = 100;
const SECURITY = securityHeaders();
const UNAUTHORIZED = { status: 401, body: { error: "Unauthorized" } } as const;
const NOT_FOUND = { error: "Not found" } as const;

function send(reply: FastifyReply, { status, body }: ControlReply): FastifyReply {
  return reply.code(status).type("application/json").send(wireJson(body));
}

/** Compares digests in constant time, so that the time reveals no part of the token. */
function isToken(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(header ?? ""), digest(`Bearer ${token}`));
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

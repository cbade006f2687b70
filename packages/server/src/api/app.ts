import type { IncomingMessage } from "node:http";
import {
  authHeaderKeys,
  LIMITS,
  matchEndpoint,
  OPENAPI_PATH,
  type ServiceTime,
  SIGNED_ENDPOINT_NAMES,
  SIGNED_ENDPOINTS,
  splitTarget,
  success,
  TIME_PATH,
} from "@propgate/contract";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { KeyCache } from "../access/keys/key-cache.ts";
import type { Clock } from "../base/clock.ts";
import type { Chance } from "../base/random.ts";
import type { AdmissionStore } from "../storage/rows/admission-port.ts";
import { admissions } from "./admission.ts";
import type { Answer } from "./answer.ts";
import { announcesMore, BODY_INTAKE, type BodyIntake } from "./edge/body-intake.ts";
import { clientAddress } from "./edge/client-address.ts";
import { entityTag, hasEntityTag } from "./edge/entity-tag.ts";
import { HELD_REFUSALS, heldRefusals } from "./edge/held-refusals.ts";
import { type EdgeLimits, edgeLimits, nodeLimits } from "./edge/limits.ts";
import { createEdge } from "./edge/refused-request.ts";
import { securityHeaders } from "./edge/security-headers.ts";
import type { Rejection } from "./gates/facts.ts";
import { failureMemory } from "./gates/failure-guard.ts";
import { requestIds } from "./request-ids.ts";
import { type Respond, respondWith } from "./respond.ts";
import type { HandlerNeeds } from "./routes/handler.ts";
import { routes } from "./routes/routes.ts";
import { answerSender } from "./send-answer.ts";
import { type EndpointNeeds, serveEndpoint } from "./serve-endpoint.ts";

/** The needs of every listener. */
export interface ServerNeeds {
  readonly brand: string;
  readonly networkName: string;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Limits for one client; the edge's own unless given. */
  readonly edge?: Partial<EdgeLimits>;
  /** Max age of the HSTS header, in seconds; no header unless given. */
  readonly hstsMaxAgeSeconds?: number;
  /** Addresses and CIDR blocks whose `X-Forwarded-For` is believed; none unless given. */
  readonly trustedProxies?: readonly string[];
  /** Answers a path without a route; false when it sent nothing, and a JSON 404 follows. */
  readonly answerUnknown?: (request: FastifyRequest, reply: FastifyReply) => boolean;
  /** Called with the cause of a 500; the client gets only the request id. */
  readonly onFault: (cause: unknown, requestId: string) => void;
}

export interface AppNeeds extends HandlerNeeds, ServerNeeds {
  readonly keys: KeyCache;
  readonly admissionStore: AdmissionStore;
  /** Max concurrent admission statements, each on a connection of its own. */
  readonly admissionsAtOnce: number;
  /** Max requests of one admission statement; the default unless given. */
  readonly admissionBatchMax?: number;
  /** The OpenAPI document as JSON. */
  readonly openapi: string;
  /** Why this process should get no requests now; null when it can serve. Answers immediately. */
  readonly notReady: () => string | null;
  /** The public part of `/health`: whether the database works. The operator's health has more. */
  readonly health: () => { readonly isWell: boolean };
}

const HEALTH_PATH = "/health";
const READY_PATH = "/ready";
const PUBLIC_PATHS: readonly string[] = [OPENAPI_PATH, HEALTH_PATH, READY_PATH, TIME_PATH];
/** The path length allowed for a nonce whose every character is escaped; longer paths are 404. */
const PATH_PARAMETER_MAX = 3 * LIMITS.nonceCharactersMax;

type Send = (answer: Answer, request: FastifyRequest, reply: FastifyReply) => void;

/**
 * The public API, ready to listen. Every endpoint answers in fastify's `onRequest` hook, before its
 * body parsing, because the signature covers the exact bytes and our own order of checks applies.
 * No CORS header is ever sent. @rule S1.noBrowser S4.endpoints D2.order
 */
export function openApp(need: AppNeeds): FastifyInstance {
  const { server, bodies, respond, send } = openServer(need, misrouted);
  addPublicPages(server, need);
  addEndpoints({ server, need, bodies, respond, send });
  return server;
}

/** A listener with the same edge and no routes yet: every path is a 404. */
export function openBareApp(need: ServerNeeds): FastifyInstance {
  return openServer(need, () => ({ error: "notFound" })).server;
}

function openServer(
  need: ServerNeeds,
  rejectionOf: (message: IncomingMessage) => Rejection,
): {
  readonly server: FastifyInstance;
  readonly bodies: BodyIntake;
  readonly respond: Respond;
  readonly send: Send;
} {
  const respond = respondWith(need);
  const security = securityHeaders(need.hstsMaxAgeSeconds);
  const sendAnswer = answerSender(need.clock, security);
  const send: Send = (answer, request, reply) => {
    reply.hijack();
    sendAnswer(answer, request.raw, reply.raw);
  };
  const sendFailure = (rejection: Rejection, request: FastifyRequest, reply: FastifyReply) =>
    send(respond.failure(rejection, { requestId: request.id, seen: null }), request, reply);
  const limits = edgeLimits(need.edge);
  const { trustedProxies: proxies = [] } = need;
  const edge = createEdge(limits, security);
  const server = fastify({
    genReqId: requestIds(need.chance),
    trustProxy: proxies.length === 0 ? false : [...proxies],
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: PATH_PARAMETER_MAX },
    exposeHeadRoutes: false,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    http: {
      ...nodeLimits(limits),
      // The service rejects such a request itself, in its own form.
      requireHostHeader: false,
    },
    clientErrorHandler: edge.refuse,
    // A path that cannot be decoded is a 404.
    frameworkErrors: (_, request, reply) => sendFailure({ error: "notFound" }, request, reply),
  });
  server.addHook("onRequest", (request, reply, done) => {
    if (edge.turnsAway(request.raw, reply.raw)) reply.hijack();
    else if (!request.is404) done();
    else if (need.answerUnknown?.(request, reply) !== true) {
      sendFailure(rejectionOf(request.raw), request, reply);
    }
  });
  // For fastify's own answers; `answerSender` adds them to the endpoints' answers.
  server.addHook("onSend", async (_request, reply) => {
    for (const [name, value] of Object.entries(security)) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
  });
  server.setErrorHandler((cause, request, reply) => {
    need.onFault(cause, request.id);
    sendFailure({ error: "internal" }, request, reply);
  });
  edge.guard(server.server);
  server.decorate(BODY_INTAKE, edge.bodies);
  server.decorate(HELD_REFUSALS, heldRefusals(limits));
  server.addHook("preClose", async () => edge.closeUnused());
  return { server, bodies: edge.bodies, respond, send };
}

/** The unsigned routes: OpenAPI document, health, readiness and clock. @rule D9.time */
function addPublicPages(server: FastifyInstance, need: AppNeeds): void {
  const description = Buffer.from(need.openapi, "utf8");
  const tag = entityTag(description);
  server.get(OPENAPI_PATH, (request, reply) => {
    reply.header("ETag", tag).header("Cache-Control", "no-cache");
    if (hasEntityTag(request.headers["if-none-match"], tag)) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(description);
  });
  server.get(TIME_PATH, (_, reply) => {
    const serverTimeMs = need.clock.now();
    const data: ServiceTime = { serverTimeMs, skewAllowedMs: LIMITS.timestampSkewMs };
    return reply.header("Cache-Control", "no-store").send(success(data));
  });
  server.get(HEALTH_PATH, (_, reply) => {
    const { isWell } = need.health();
    reply.header("Cache-Control", "no-store");
    // Still 200: restarting this process would not bring the database back.
    return reply.send(
      isWell ? { status: "ok" } : { status: "degraded", problem: "the database fails" },
    );
  });
  server.get(READY_PATH, (_, reply) => {
    const problem = need.notReady();
    reply.header("Cache-Control", "no-store");
    if (problem === null) return reply.send({ status: "ready" });
    // 503, so load balancers take this node out.
    return reply.code(503).send({ status: "notReady", problem });
  });
}

function addEndpoints(edge: {
  readonly server: FastifyInstance;
  readonly need: AppNeeds;
  readonly bodies: BodyIntake;
  readonly respond: Respond;
  readonly send: Send;
}): void {
  const { server, need, bodies, respond, send } = edge;
  const handlers = routes(need);
  const endpointNeeds: EndpointNeeds = {
    clock: need.clock,
    keys: need.keys,
    admissions: admissions({
      store: need.admissionStore,
      clock: need.clock,
      atOnce: need.admissionsAtOnce,
      ...(need.admissionBatchMax === undefined ? {} : { batchMax: need.admissionBatchMax }),
    }),
    failures: failureMemory({ store: need.admissionStore, clock: need.clock }),
    receipts: need.receipts,
    respond,
    headerNames: authHeaderKeys(need.brand),
    bodies: {
      isTooLarge: (message) => announcesMore(message, LIMITS.bodyBytesMax),
      measure: (message) => bodies.measure(message),
      read: (message) => bodies.read(message),
    },
    onFault: need.onFault,
  };
  for (const name of SIGNED_ENDPOINT_NAMES) {
    const serve = serveEndpoint(endpointNeeds, name, handlers[name]);
    server.route({
      method: SIGNED_ENDPOINTS[name].method,
      url: SIGNED_ENDPOINTS[name].path.replace("{nonce}", ":nonce"),
      onRequest: (request, reply, _done) => {
        const address = clientAddress(request);
        bodies.want(request.raw, { bytesMax: LIMITS.bodyBytesMax, address });
        serve({ message: request.raw, requestId: request.id, address })
          .then((answer) => send(answer, request, reply))
          .catch((cause: unknown) => {
            need.onFault(cause, request.id);
            reply.raw.destroy();
          });
      },
      handler: () => {
        throw new Error("broken invariant: the endpoint answers in its hook");
      },
    });
  }
}

/** Answers 404 for an unknown path and 405 for a known path with another method. @rule D2.routes */
function misrouted(message: IncomingMessage): Rejection {
  const { path } = splitTarget(message.url ?? "");
  if (PUBLIC_PATHS.includes(path)) return { error: "methodNotAllowed", allow: ["GET"] };
  const match = matchEndpoint(message.method ?? "", path);
  return match.kind === "wrongMethod"
    ? { error: "methodNotAllowed", allow: match.allow }
    : { error: "notFound" };
}

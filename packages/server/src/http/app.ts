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
import type { Clock } from "../clock.ts";
import type { AdmissionStore } from "../keys/admission-port.ts";
import type { KeyCache } from "../keys/key-cache.ts";
import { admissions } from "./admission.ts";
import type { Answer } from "./answer.ts";
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

export interface AppNeeds extends HandlerNeeds {
  readonly brand: string;
  readonly networkName: string;
  readonly clock: Clock;
  readonly keys: KeyCache;
  readonly admissionStore: AdmissionStore;
  /** Admission statements under way at once, each on a connection of its own. */
  readonly admissionsAtOnce: number;
  /** Requests of one admission statement; its own limit unless given. */
  readonly admissionBatchMax?: number;
  /** What one client may take of the service; the edge's own limits unless given. */
  readonly edge?: Partial<EdgeLimits>;
  /** Seconds for which a browser shall come by TLS only; none unless given. */
  readonly hstsMaxAgeSeconds?: number;
  /** Addresses and CIDR blocks whose `X-Forwarded-For` is believed; none unless given. */
  readonly trustedProxies?: readonly string[];
  /** The machine-readable description, as JSON text. */
  readonly openapi: string;
  /** What `/health` tells: whether the database is well, and beside that the prices. */
  readonly health: () => {
    readonly isWell: boolean;
    readonly about: Readonly<Record<string, unknown>>;
  };
  /** The details of a 500; the client only gets the id. */
  readonly onFault: (cause: unknown, requestId: string) => void;
}

const HEALTH_PATH = "/health";
const PUBLIC_PATHS: readonly string[] = [OPENAPI_PATH, HEALTH_PATH, TIME_PATH];
/** A nonce that is a path parameter, every character of it escaped; a longer one leads nowhere. */
const PATH_PARAMETER_MAX = 3 * LIMITS.nonceCharactersMax;

type Send = (answer: Answer, request: FastifyRequest, reply: FastifyReply) => void;

/**
 * The public API, ready to listen. Every endpoint is answered in its `onRequest` hook, ahead of
 * fastify's own body parsing: the signature covers the exact bytes, and the order of checks is
 * ours. No CORS header is ever sent. @rule S1.noBrowser S4.endpoints D2.order
 */
export function openApp(need: AppNeeds): FastifyInstance {
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
      // We turn such a request away ourselves, in our own form.
      requireHostHeader: false,
    },
    clientErrorHandler: edge.refuse,
    // A path that cannot be decoded leads nowhere.
    frameworkErrors: (_, request, reply) => sendFailure({ error: "notFound" }, request, reply),
  });
  server.addHook("onRequest", (request, reply, done) => {
    if (edge.turnsAway(request.raw, reply.raw)) reply.hijack();
    else if (request.is404) sendFailure(misrouted(request.raw), request, reply);
    else done();
  });
  // What fastify sends; the endpoints' own answers have them from `answerSender`.
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
  server.addHook("preClose", async () => edge.closeUnused());
  addPublicPages(server, need);
  addEndpoints({ server, need, respond, send });
  return server;
}

/** Unsigned: the description of the API, whether it is there, and its clock. @rule D9.time */
function addPublicPages(server: FastifyInstance, need: AppNeeds): void {
  server.get(OPENAPI_PATH, (_, reply) =>
    reply.type("application/json; charset=utf-8").send(need.openapi),
  );
  server.get(TIME_PATH, (_, reply) => {
    const serverTimeMs = need.clock.now();
    const data: ServiceTime = { serverTimeMs, skewAllowedMs: LIMITS.timestampSkewMs };
    return reply.header("Cache-Control", "no-store").send(success(data));
  });
  server.get(HEALTH_PATH, (_, reply) => {
    const { isWell, about } = need.health();
    // A status of its own, so that whatever spreads requests over nodes leaves this one out.
    if (isWell) return reply.send({ status: "ok", ...about });
    return reply.code(503).send({ status: "degraded", problem: "the database fails", ...about });
  });
}

function addEndpoints(edge: {
  readonly server: FastifyInstance;
  readonly need: AppNeeds;
  readonly respond: Respond;
  readonly send: Send;
}): void {
  const { server, need, respond, send } = edge;
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
    mostBodyBytes: LIMITS.bodyBytesMax,
    onFault: need.onFault,
  };
  for (const name of SIGNED_ENDPOINT_NAMES) {
    const serve = serveEndpoint(endpointNeeds, name, handlers[name]);
    server.route({
      method: SIGNED_ENDPOINTS[name].method,
      url: SIGNED_ENDPOINTS[name].path.replace("{nonce}", ":nonce"),
      onRequest: (request, reply, _done) => {
        serve(request.raw, request.id)
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

/** A path that leads nowhere, or one that has other methods. @rule D2.routes */
function misrouted(message: IncomingMessage): Rejection {
  const { path } = splitTarget(message.url ?? "");
  if (PUBLIC_PATHS.includes(path)) return { error: "methodNotAllowed", allow: ["GET"] };
  const match = matchEndpoint(message.method ?? "", path);
  return match.kind === "wrongMethod"
    ? { error: "methodNotAllowed", allow: match.allow }
    : { error: "notFound" };
}

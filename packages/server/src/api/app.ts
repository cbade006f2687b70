import type { IncomingMessage } from "node:http";
import type { EvidenceKeys, KeyCache, KeyWatch } from "@propgate/access";
import type { Chance, Clock } from "@propgate/base";
import {
  authHeaderKeys,
  DASHBOARD_PREFIX,
  EVIDENCE_KEYS_PATH,
  type EvidenceKey,
  helpHeaders,
  type JsonSchema,
  LIMITS,
  matchEndpoint,
  OPENAPI_PATH,
  OPERATOR_PREFIX,
  type ServiceTime,
  SIGNED_ENDPOINT_NAMES,
  SIGNED_ENDPOINTS,
  success,
  TIME_PATH,
} from "@propgate/contract";
import { type PerShard, perShard } from "@propgate/ledger";
import type { Rejection } from "@propgate/wire";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { sendNotFound } from "../calls/json/json-interface.ts";
import type { AdmissionStore } from "../storage/admission-port.ts";
import { createAdmissions } from "./admission.ts";
import type { Answer } from "./answer.ts";
import { announcesMore, BODY_INTAKE, type BodyIntake } from "./edge/body-intake.ts";
import { clientAddress, createTrustedHopTest } from "./edge/client-address.ts";
import { DRAIN } from "./edge/drain.ts";
import { type EdgeLimits, edgeLimits, nodeLimits } from "./edge/limits.ts";
import { createRefusalDelay, HELD_REFUSALS } from "./edge/refusal-delay.ts";
import { createEdge } from "./edge/refused-request.ts";
import { securityHeaders } from "./edge/security-headers.ts";
import { routedPath } from "./edge/target-path.ts";
import { createFailureRecorder } from "./gates/failure-guard.ts";
import { servePublicDocument } from "./public-document.ts";
import { createRequestIds } from "./request-ids.ts";
import type { RequestObserver } from "./request-observer.ts";
import { createResponder, type Responder } from "./respond.ts";
import type { HandlerOptions } from "./routes/handler.ts";
import { createHandlers } from "./routes/routes.ts";
import { createAnswerSender } from "./send-answer.ts";
import { type EndpointOptions, serveEndpoint } from "./serve-endpoint.ts";
import { createShardedAdmission } from "./sharded-admission.ts";

/** The options that a listener needs, with the public API or without routes. */
export interface ServerOptions {
  readonly brand: string;
  readonly networkName: string;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Limits that apply before a client is known; the defaults of `edgeLimits` unless given. */
  readonly edge?: Partial<EdgeLimits>;
  /** The maximum age in the HSTS header, in seconds; no header unless given. */
  readonly hstsMaxAgeSeconds?: number;
  /** Addresses and CIDR blocks whose `X-Forwarded-For` is trusted; none unless given. */
  readonly trustedProxies?: readonly string[];
  /** Answers a path without a route. Returns false when it sent no answer, and a JSON 404 or 405 follows. */
  readonly answerUnknown?: (request: FastifyRequest, reply: FastifyReply) => boolean;
  /** Called with the cause of a 500; the client gets only the request id. */
  readonly onFault: (cause: unknown, requestId: string) => void;
  /** Counts and times requests; absent when no metrics are kept. */
  readonly observer?: RequestObserver | undefined;
}

export interface AppOptions extends HandlerOptions, ServerOptions {
  readonly keys: KeyCache;
  readonly keyWatch: KeyWatch;
  readonly evidenceKeys: Pick<EvidenceKeys, "list">;
  /** The admission store of each database. */
  readonly admissionStores: PerShard<AdmissionStore>;
  /** The maximum number of concurrent admission statements, each on a connection of its own. */
  readonly admissionsConcurrentMax: number;
  /** The maximum number of requests in one admission statement; the default unless given. */
  readonly admissionBatchMax?: number;
  /** Makes the OpenAPI document. */
  readonly openapi: () => JsonSchema;
  /** Why this process should get no requests; null when it can serve. It returns without waiting. */
  readonly notReady: () => string | null;
  /**
   * A warning of a ready process; null when there is none. Missing prices are one: reads work, and orders are refused.
   */
  readonly warning?: () => string | null;
  /** True while this node's clock is wrong; then every signed request is rejected. */
  readonly isClockWrong: () => boolean;
  /** The problem that `/health` shows; null when all is well. The operator's health has more. */
  readonly health: () => string | null;
}

const HEALTH_PATH = "/health";
const READY_PATH = "/ready";
const PUBLIC_PATHS: readonly string[] = [
  OPENAPI_PATH,
  HEALTH_PATH,
  READY_PATH,
  TIME_PATH,
  EVIDENCE_KEYS_PATH,
];
/** The maximum length of a path parameter: that of a nonce whose every character is escaped. A longer one is a 404. */
const PATH_PARAMETER_MAX = 3 * LIMITS.nonceCharactersMax;

type Send = (answer: Answer, request: FastifyRequest, reply: FastifyReply) => void;

/**
 * The public API, ready to listen. Every signed endpoint answers in fastify's `onRequest` hook, before its body
 * parsing, because the signature covers the exact bytes and the service has its own order of checks. No CORS header is
 * ever sent. @rule S1.noBrowser S4.endpoints D2.order
 */
export function openApp(options: AppOptions): FastifyInstance {
  const opened = openServer(options, misroutedRejection);
  addPublicPages(opened.server, options);
  addEndpoints({ ...opened, options });
  return opened.server;
}

/** A listener with the limits and headers of the public API but without routes: every path is a 404. */
export function openBareApp(options: ServerOptions): FastifyInstance {
  return openServer(options, () => ({ error: "notFound" })).server;
}

function openServer(
  options: ServerOptions,
  rejectionOf: (message: IncomingMessage) => Rejection,
): {
  readonly server: FastifyInstance;
  readonly bodies: BodyIntake;
  readonly respond: Responder;
  readonly send: Send;
  readonly stopping: AbortSignal;
} {
  const respond = createResponder(options);
  const requestIdHeader = helpHeaders(options.brand).requestId;
  const security = securityHeaders(options.hstsMaxAgeSeconds);
  const sendAnswer = createAnswerSender(options.clock, security);
  const send: Send = (answer, request, reply) => {
    reply.hijack();
    sendAnswer(answer, request.raw, reply.raw);
  };
  const observe = (request: FastifyRequest, status: number): void => {
    const route = request.is404 ? null : (request.routeOptions.url ?? null);
    options.observer?.answered({ method: request.method, route, status });
  };
  const sendFailure = (rejection: Rejection, request: FastifyRequest, reply: FastifyReply) => {
    const answer = respond.failure(rejection, { requestId: request.id, seen: null });
    observe(request, answer.status);
    send(answer, request, reply);
  };
  const { trustedProxies: proxies = [] } = options;
  const ownLimits = edgeLimits(options.edge);
  const limits = { ...ownLimits, unsharedFrom: [...ownLimits.unsharedFrom, ...proxies] };
  const edge = createEdge(limits, security);
  const server = fastify({
    genReqId: createRequestIds(options.chance),
    trustProxy: createTrustedHopTest(proxies),
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: PATH_PARAMETER_MAX },
    exposeHeadRoutes: false,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    http: {
      ...nodeLimits(limits),
      // The service itself rejects a request without `Host`, in its own form.
      requireHostHeader: false,
    },
    clientErrorHandler: edge.refuse,
    // A path that cannot be decoded, or is too long, is a 404.
    frameworkErrors: (_, request, reply) => {
      if (isJsonCall(request)) sendNotFound(reply);
      else sendFailure({ error: "notFound" }, request, reply);
    },
  });
  server.addHook("onRequest", (request, reply, done) => {
    if (edge.refusesRequest(request.raw, reply.raw)) reply.hijack();
    else if (!request.is404 || isJsonCall(request)) done();
    else if (options.answerUnknown?.(request, reply) !== true) {
      sendFailure(rejectionOf(request.raw), request, reply);
    }
  });
  // Answers the calls of a JSON interface that this listener does not have. An interface that the listener has answers
  // its unknown paths itself.
  server.setNotFoundHandler((request, reply) => {
    sendFailure(rejectionOf(request.raw), request, reply);
  });
  // This hook is for fastify's own answers. `createAnswerSender` adds the headers to the endpoints' answers, and
  // `serveEndpoint` observes them.
  server.addHook("onSend", async (request, reply) => {
    observe(request, reply.statusCode);
    reply.header(requestIdHeader, request.id);
    for (const [name, value] of Object.entries(security)) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
  });
  server.setErrorHandler((cause, request, reply) => {
    options.onFault(cause, request.id);
    sendFailure({ error: "internal" }, request, reply);
  });
  edge.attachTo(server.server);
  server.decorate(BODY_INTAKE, edge.bodies);
  server.decorate(HELD_REFUSALS, createRefusalDelay(limits));
  server.decorate(DRAIN, edge.drain);
  // Cuts the bodies that are being sent. The service has drained its connections before this; a sandbox has not.
  const closing = new AbortController();
  server.addHook("preClose", async () => {
    closing.abort();
    edge.closeUnused();
  });
  const stopping = AbortSignal.any([edge.drain.ending, closing.signal]);
  return { server, bodies: edge.bodies, respond, send, stopping };
}

const JSON_PREFIXES = [`${OPERATOR_PREFIX}/`, `${DASHBOARD_PREFIX}/`];

function isJsonCall({ raw: { url = "" } }: FastifyRequest): boolean {
  return JSON_PREFIXES.some((prefix) => url.startsWith(prefix));
}

/** The unsigned routes: OpenAPI document, health, readiness, clock and keys of evidence. */
function addPublicPages(server: FastifyInstance, options: AppOptions): void {
  servePublicDocument(server, OPENAPI_PATH, options.openapi);
  // GET time is answered here, before the gates of signed endpoints, so it needs no signature and uses no budget.
  // @rule D9.time decides
  server.get(TIME_PATH, (_, reply) => {
    const serverTimeMs = options.clock.now();
    const data: ServiceTime = { serverTimeMs, skewAllowedMs: LIMITS.timestampSkewMs };
    return reply.header("Cache-Control", "no-store").send(success(data));
  });
  // This route needs no signature. @rule D13.evidenceKeys
  server.get(EVIDENCE_KEYS_PATH, async (_, reply) => {
    const keys = await options.evidenceKeys.list();
    const data: readonly EvidenceKey[] = keys.map(({ publicKey, ...key }) => ({
      keyId: key.keyId,
      alg: "Ed25519",
      publicKey: Buffer.from(publicKey).toString("base64"),
      fromMs: key.fromMs,
      untilMs: key.untilMs,
    }));
    return reply.header("Cache-Control", "no-store").send(success(data));
  });
  server.get(HEALTH_PATH, (_, reply) => {
    const problem = options.health();
    reply.header("Cache-Control", "no-store");
    // The status is 200, because a restart of this process would bring back neither the database nor the prices.
    return reply.send(problem === null ? { status: "ok" } : { status: "degraded", problem });
  });
  server.get(READY_PATH, (_, reply) => {
    const problem = options.notReady();
    reply.header("Cache-Control", "no-store");
    if (problem === null) {
      const warning = options.warning?.() ?? null;
      return reply.send(warning === null ? { status: "ready" } : { status: "ready", warning });
    }
    // The status is 503, so that load balancers send this node no requests.
    return reply.code(503).send({ status: "notReady", problem });
  });
}

/** Each database admits the requests of its own keys, so a database that fails delays no other. */
function admissionOf(options: AppOptions): Pick<EndpointOptions, "admissions" | "failures"> {
  const { clock } = options;
  const parts = perShard(options.admissionStores, (store) => ({
    admissions: createAdmissions({
      store,
      clock,
      concurrentMax: options.admissionsConcurrentMax,
      ...(options.admissionBatchMax === undefined ? {} : { batchMax: options.admissionBatchMax }),
      observer: options.observer?.admissions,
    }),
    failures: createFailureRecorder({ store, clock }),
  }));
  return parts.length === 1 ? parts[0] : createShardedAdmission(parts);
}

function addEndpoints(edge: {
  readonly server: FastifyInstance;
  readonly options: AppOptions;
  readonly bodies: BodyIntake;
  readonly respond: Responder;
  readonly send: Send;
  readonly stopping: AbortSignal;
}): void {
  const { server, options, bodies, respond, send, stopping } = edge;
  const handlers = createHandlers(options);
  const endpointOptions: EndpointOptions = {
    clock: options.clock,
    keys: options.keys,
    isClockWrong: options.isClockWrong,
    keyWatch: options.keyWatch,
    ...admissionOf(options),
    receipts: options.receipts,
    respond,
    headerNames: authHeaderKeys(options.brand),
    bodies: {
      isTooLarge: (message) => announcesMore(message, LIMITS.bodyBytesMax),
      measure: (message) => bodies.measure(message),
      read: (message) => bodies.read(message),
    },
    onFault: options.onFault,
    observer: options.observer,
    stopping,
  };
  for (const name of SIGNED_ENDPOINT_NAMES) {
    const serve = serveEndpoint(endpointOptions, name, handlers[name]);
    server.route({
      method: SIGNED_ENDPOINTS[name].method,
      url: SIGNED_ENDPOINTS[name].path.replace(/\{(\w+)\}/, ":$1"),
      onRequest: (request, reply, _done) => {
        const address = clientAddress(request);
        bodies.keep(request.raw, { bytesMax: LIMITS.bodyBytesMax, address });
        serve({ message: request.raw, requestId: request.id, address })
          .then((answer) => send(answer, request, reply))
          .catch((cause: unknown) => {
            options.onFault(cause, request.id);
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
function misroutedRejection(message: IncomingMessage): Rejection {
  const path = routedPath(message.url ?? "");
  if (PUBLIC_PATHS.includes(path)) return { error: "methodNotAllowed", allow: ["GET"] };
  const match = matchEndpoint(message.method ?? "", path);
  return match.kind === "wrongMethod"
    ? { error: "methodNotAllowed", allow: match.allow }
    : { error: "notFound" };
}

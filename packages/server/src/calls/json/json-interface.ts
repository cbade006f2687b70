import type { Socket } from "node:net";
import { finished, Readable } from "node:stream";
import { type Log, type RepeatableCall, wireJson } from "@propgate/base";
import { EDGE_ERRORS, type RepeatedAnswer } from "@propgate/contract";
import { isOutage, NotWritten, UnknownFate } from "@propgate/ledger";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { encodingProblem } from "../../api/edge/body-headers.ts";
import { BODY_INTAKE, type BodyIntake, type BodyReading } from "../../api/edge/body-intake.ts";
import { clientAddress } from "../../api/edge/client-address.ts";
import { DRAIN, type Drain } from "../../api/edge/drain.ts";
import { HELD_REFUSALS, type RefusalDelay } from "../../api/edge/refusal-delay.ts";
import { listenUntilOver } from "../../api/edge/until-over.ts";
import { parseJsonBody } from "./json-body.ts";
import { fieldProblem, problemReply } from "./json-fields.ts";
import {
  type FailedReply,
  type JsonCall,
  type JsonReply,
  type RefusedReply,
  type RowKeys,
  refusedReply,
  type SentFile,
  wrongFieldReply,
} from "./json-reply.ts";
import { knownFaultReply } from "./known-fault.ts";
import { isPlainSpelling } from "./plain-spelling.ts";
import { type Refusal, refusalBody } from "./refusal-body.ts";

/** One call of a JSON interface. `Caller` is the authenticated caller. */
export interface JsonRoute<Caller> {
  /** The call's name in the audit and the log. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  /** Names of the query parameters. Any other parameter is a 400. Absent for a call that ignores unknown parameters. */
  readonly query?: readonly string[];
  /**
   * The refusal of a caller who may not make the call; null when the caller may. It runs before the handler. A body
   * that cannot be parsed is an empty object for it.
   */
  readonly guard?: (call: JsonCall, caller: Caller) => Promise<RefusedReply | null>;
  readonly handle: (call: JsonCall, caller: Caller) => Promise<JsonReply>;
  /** How the answer is kept for a client that repeats the call. Absent when every repetition is carried out. */
  readonly repeats?: RepeatedAnswer;
  /** The maximum size of the body; absent for 64 KiB. */
  readonly bodyBytesMax?: number;
  /** True when the body is a file of rows, which the handler parses. The body of any other call is JSON. */
  readonly takesFile?: boolean;
}

/** A call and its answer, for the audit. `caller` is null when the caller was rejected. */
export interface AnsweredCall<Caller> {
  readonly request: FastifyRequest;
  /** The route's name, or the name of the call that a row of a bulk makes; `refused` when the caller was rejected. */
  readonly name: string;
  readonly caller: Caller | null;
  readonly reply: JsonReply | FailedReply;
}

/** A set of JSON calls below one prefix, for one kind of caller. */
export interface JsonInterface<Caller> {
  readonly prefix: string;
  readonly routes: readonly JsonRoute<Caller>[];
  /** Authenticates the caller before the body is read. A refusal becomes the answer. */
  readonly authenticate: (
    request: FastifyRequest,
    route: string,
  ) => Admitted<Caller> | Promise<Admitted<Caller>>;
  /**
   * Called before the answer is sent, for rejected callers too, and for each row that a bulk carries out. It is also
   * called when the handler threw, because a part of its work may be stored. When it throws itself, its error is
   * answered instead.
   */
  readonly onAnswered: (call: AnsweredCall<Caller>) => void | Promise<void>;
  /**
   * Runs a call that has `repeats`, and may answer with the stored answer of an earlier attempt. Absent when every
   * attempt of a call runs it.
   */
  readonly carryOut?: (
    received: {
      readonly request: FastifyRequest;
      readonly call: JsonCall;
      readonly repeats: RepeatedAnswer;
    },
    caller: Caller,
    run: RunCall,
  ) => Promise<JsonReply>;
  readonly log: Log;
}

/**
 * An authenticated caller, or the refusal. `whenOver` is called once, when the answer is sent or the client has
 * disconnected.
 */
export type Admitted<Caller> =
  | { readonly caller: Caller; readonly whenOver?: () => void }
  | RefusedReply;

const BODY_BYTES_MAX = 64 * 1024;

/**
 * Adds JSON calls to the listener, separate from the public API: they have their own parser, error answers and
 * not-found answer. No answer is cacheable.
 */
export function addJsonInterface<Caller>(app: FastifyInstance, spec: JsonInterface<Caller>): void {
  void app.register(
    async (scope) => {
      const callers = admitCallers(scope, spec);
      receiveBodies(scope);
      addErrorHandlers(scope, { log: spec.log, isAdmitted: (request) => callers.has(request) });
      const ending = createEndingSignal(scope);
      const files = fileSender({ ending, log: spec.log });
      for (const { name, method, path, query, bodyBytesMax, ...route } of spec.routes) {
        scope.route({
          method,
          url: path,
          config: { route: name },
          bodyLimit: bodyBytesMax ?? BODY_BYTES_MAX,
          exposeHeadRoute: false,
          handler: async (request, reply) => {
            const caller = callers.get(request);
            if (caller === undefined) throw new Error("broken invariant: no caller was admitted");
            const { takesFile = false } = route;
            const received = readCall(request, { query, ending, takesFile });
            const noteRow = (row: string, end: JsonReply | FailedReply, cause?: unknown) => {
              if (cause !== undefined) logFailure(spec.log, { cause, request });
              return spec.onAnswered({ request, name: row, caller: caller.is, reply: end });
            };
            const answered = (given: JsonReply | FailedReply): void | Promise<void> =>
              spec.onAnswered({ request, name, caller: caller.is, reply: given });
            const answer = await runHandler(
              () =>
                carryOut(spec, route, {
                  request,
                  caller: caller.is,
                  problem: received.problem,
                  call: { ...received.call, noteRow },
                }),
              { request, log: spec.log, answered },
            );
            await answered(answer);
            if ("content" in answer) return files.send(reply, answer);
            return sendAfterDelay(reply, answer);
          },
        });
      }
    },
    { prefix: spec.prefix },
  );
}

/**
 * Runs the handler of a call. `act` and `rowKeys` are null without an idempotency key. `rowKeys` is for a bulk, whose
 * rows are writes of their own.
 */
export type RunCall = (act: RepeatableCall | null, rowKeys?: RowKeys | null) => Promise<JsonReply>;

/**
 * Runs the guard and then the call. The guard is first, so a caller who may not make the call does not get its stored
 * answer.
 */
async function carryOut<Caller>(
  spec: JsonInterface<Caller>,
  { guard, handle, repeats }: Pick<JsonRoute<Caller>, "guard" | "handle" | "repeats">,
  received: Pick<ReadCall, "problem"> & {
    readonly call: JsonCall;
    readonly request: FastifyRequest;
    readonly caller: Caller;
  },
): Promise<JsonReply> {
  const { request, call, problem, caller } = received;
  const refusal = (await guard?.(call, caller)) ?? null;
  if (refusal !== null) return refusal;
  const run: RunCall = async (act, rowKeys = null) =>
    problem ?? handle({ ...call, act, rowKeys }, caller);
  if (repeats === undefined || spec.carryOut === undefined) return run(null);
  return spec.carryOut({ request, call, repeats }, caller, run);
}

const FAILED: FailedReply = { status: 500, error: "Internal error; the log has the cause" };

/**
 * Runs the handler. A fault that clients can act on becomes a refusal. Any other fault is thrown again, after
 * `onAnswered` has recorded the 500, because a part of the work may be stored.
 */
async function runHandler(
  handle: () => JsonReply | Promise<JsonReply>,
  {
    request,
    log,
    answered,
  }: {
    readonly request: FastifyRequest;
    readonly log: Log;
    readonly answered: (reply: FailedReply) => void | Promise<void>;
  },
): Promise<JsonReply> {
  try {
    return await handle();
  } catch (cause) {
    if (cause instanceof UnknownFate) logFailure(log, { cause, request });
    if (cause instanceof NotWritten && cause.cause !== null) {
      logFailure(log, { cause: cause.cause, request });
    }
    const known = knownFaultReply(cause, isWrite(request));
    if (known !== null) return known;
    await answered(FAILED);
    throw cause;
  }
}

function isWrite({ method }: FastifyRequest): boolean {
  return method !== "GET";
}

/**
 * Adds the hook that authenticates each request: it admits or refuses the caller before the body is read. Returns the
 * admitted callers. The map keeps each caller as long as the request object exists.
 */
function admitCallers<Caller>(
  scope: FastifyInstance,
  spec: JsonInterface<Caller>,
): WeakMap<FastifyRequest, { readonly is: Caller }> {
  const callers = new WeakMap<FastifyRequest, { readonly is: Caller }>();
  const bodies = scope.getDecorator<BodyIntake>(BODY_INTAKE);
  scope.addHook("onRequest", async (request, reply) => {
    if (!isPlainSpelling(request)) {
      await send(reply, NOT_FOUND);
      return;
    }
    if (request.method !== "GET" && !request.is404) {
      const { bodyLimit } = request.routeOptions;
      bodies.keep(request.raw, { bytesMax: bodyLimit, address: clientAddress(request) });
    }
    const admitted = await spec.authenticate(request, routeOf(request));
    if ("caller" in admitted) {
      callers.set(request, { is: admitted.caller });
      const { whenOver } = admitted;
      if (whenOver !== undefined) finished(reply.raw, () => whenOver());
      return;
    }
    await spec.onAnswered({ request, name: "refused", caller: null, reply: admitted });
    await sendAfterDelay(reply, admitted);
  });
  return callers;
}

/** The name of the call; empty for an unknown path. */
function routeOf(request: FastifyRequest): string {
  const config: unknown = request.routeOptions.config;
  if (typeof config !== "object" || config === null || !("route" in config)) return "";
  return typeof config.route === "string" ? config.route : "";
}

const NOT_FOUND = { status: 404, error: "Not found" };

/** Reads bodies of any content type as UTF-8 text, through the same intake as the signed API. */
export function receiveBodies(scope: FastifyInstance): void {
  const bodies = scope.getDecorator<BodyIntake>(BODY_INTAKE);
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", async (request: FastifyRequest) => {
    const body = await bodies.read(request.raw);
    if (typeof body === "string") throw new UnreceivedBody(body);
    return body.toString("utf8");
  });
}

class UnreceivedBody extends Error {
  override readonly name = "UnreceivedBody";
  readonly statusCode: 400 | 413 | 503;

  constructor(why: Extract<BodyReading, string>) {
    super(`the body was not received: ${why}`);
    this.statusCode = why === "noRoom" ? 503 : why === "tooLarge" ? 413 : 400;
  }
}

function addErrorHandlers(
  scope: FastifyInstance,
  {
    log,
    isAdmitted,
  }: { readonly log: Log; readonly isAdmitted: (request: FastifyRequest) => boolean },
): void {
  scope.setNotFoundHandler((_request, reply) => send(reply, NOT_FOUND));
  scope.setErrorHandler((error, request, reply) => {
    if (error instanceof UnreceivedBody) {
      reply.header("Connection", "close");
      if (error.statusCode === 413) return send(reply, tooLarge(request.routeOptions.bodyLimit));
      return send(reply, error.statusCode === 503 ? NO_ROOM : CUT_OFF);
    }
    const status = statusOf(error);
    if (status < 500) return send(reply, { ...wrongFieldReply("body", "cannot be read"), status });
    logFailure(log, { cause: error, request });
    return send(reply, knownFaultReply(error, isAdmitted(request) && isWrite(request)) ?? FAILED);
  });
}

const NO_ROOM: RefusedReply = {
  ...refusedReply(EDGE_ERRORS.tooManyBodies.text, 503),
  headers: { "Retry-After": "1" },
};

const CUT_OFF: RefusedReply = wrongFieldReply("body", "was cut off");

function tooLarge(bytesMax: number): RefusedReply {
  const problem = `has more than ${bytesMax} bytes, which is the maximum; send less`;
  return { ...wrongFieldReply("body", problem, 413), details: { bytesMax } };
}

function logFailure(
  log: Log,
  { cause, request }: { readonly cause: unknown; readonly request: FastifyRequest },
): void {
  if (isOutage(cause)) return;
  const about = { path: request.routeOptions.url, requestId: request.id };
  log.error({ err: cause, ...about }, "call failed");
}

/**
 * A request as its handler gets it. `problem` is the 400 for a wrong query parameter or for a body that cannot be
 * parsed; it is null when there is none.
 */
interface ReadCall {
  readonly call: Omit<JsonCall, "noteRow">;
  readonly problem: RefusedReply | null;
}

function readCall(
  request: FastifyRequest,
  options: {
    readonly query: readonly string[] | undefined;
    readonly ending: AbortSignal;
    readonly takesFile: boolean;
  },
): ReadCall {
  const parameters = stringMembersOf(request.params);
  const query = stringMembersOf(request.query);
  const encoding = encodingProblem(request.raw);
  const body =
    encoding === null
      ? parseJsonBody(options.takesFile ? "" : request.body)
      : fieldProblem("body", `cannot be read: ${encoding}`);
  const file = options.takesFile ? sentFile(request) : null;
  const untilOver = (listener: () => void) =>
    listenUntilOver(request.raw, options.ending, listener);
  const given = { parameters, query, body: body.ok ? body.value : {}, file };
  const call = { ...given, untilOver, act: null, rowKeys: null };
  const refusal = options.query === undefined ? null : queryRefusal(request.query, options.query);
  return { call, problem: refusal ?? (body.ok ? null : problemReply(body)) };
}

function sentFile({ headers, body }: FastifyRequest): SentFile {
  return { type: headers["content-type"] ?? "", text: typeof body === "string" ? body : "" };
}

/**
 * The refusal of a query parameter that is unknown, empty or given twice; null when there is none. Otherwise a
 * misspelled filter would be ignored and the answer would be unfiltered, and only one of two values would be used.
 * @rule D12.operatorQuery decides
 */
function queryRefusal(query: unknown, known: readonly string[]): RefusedReply | null {
  if (typeof query !== "object" || query === null) return null;
  for (const [name, value] of Object.entries(query)) {
    if (!known.includes(name)) return unknownParameter(name, known);
    if (Array.isArray(value)) return wrongFieldReply(name, "is given twice; give it once");
    if (value === "") return wrongFieldReply(name, "is empty; leave it out, or give a value");
  }
  return null;
}

/** An untrusted name is truncated to this many characters in an answer. */
const NAME_MAX = 100;

function unknownParameter(given: string, known: readonly string[]): RefusedReply {
  const name = given.slice(0, NAME_MAX);
  const bounds = [`${name}Min`, `${name}Max`];
  const hint = bounds.every((one) => known.includes(one)) ? `; use ${bounds.join(" and ")}` : "";
  return { ...wrongFieldReply(name, `no such query parameter${hint}`), code: "unknown_field" };
}

/**
 * Returns a signal that aborts when open files and streams must end: at the end of the drain, or when the listener
 * closes.
 */
function createEndingSignal(scope: FastifyInstance): AbortSignal {
  const closing = new AbortController();
  scope.addHook("preClose", async () => closing.abort());
  return AbortSignal.any([scope.getDecorator<Drain>(DRAIN).ending, closing.signal]);
}

/**
 * Sends files and event streams, and ends the open ones when the service stops, so that a slow client does not delay
 * the stop. A file that is cut off ends with an error. An event stream ends without an error, because it has no regular
 * end that a client could miss.
 */
function fileSender({ ending, log }: { readonly ending: AbortSignal; readonly log: Log }) {
  const sending = new Map<Readable, Error | undefined>();
  const endAll = (): void => {
    for (const [file, end] of sending) file.destroy(end);
  };
  ending.addEventListener("abort", endAll);
  return {
    send(reply: FastifyReply, answer: Extract<JsonReply, { content: unknown }>): FastifyReply {
      const file = Readable.from(answer.content, { objectMode: false });
      const isEndless = answer.type === "text/event-stream";
      sending.set(file, isEndless ? undefined : new Error("the service stops"));
      file.once("close", () => sending.delete(file));
      if (isEndless) endWithReader(file, reply.request.raw.socket);
      // It is too late for an error answer. The client sees that the end of the file is missing.
      file.once("error", (cause) =>
        log.error({ err: cause, requestId: reply.request.id }, "file cut off"),
      );
      if (ending.aborted) endAll();
      return reply
        .code(answer.status)
        .headers({ ...answer.headers })
        .header("Cache-Control", "no-store")
        .type(answer.type)
        .send(file);
    },
  };
}

/**
 * Ends an event stream when its client ends its side of the connection. The client of any other call may end its side
 * and still wait for its answer, but the client of an event stream that ends its side has left.
 */
function endWithReader(events: Readable, socket: Socket): void {
  const end = (): void => void events.destroy();
  if (socket.readableEnded || socket.destroyed) end();
  socket.once("end", end);
  events.once("close", () => socket.off("end", end));
}

type Plain = Exclude<JsonReply, { content: unknown }> | Refusal;

function send(reply: FastifyReply, answer: Plain): FastifyReply {
  const body = "data" in answer ? { success: true, data: answer.data } : refusalBody(answer);
  return reply
    .code(answer.status)
    .headers("headers" in answer ? { ...answer.headers } : {})
    .header("Cache-Control", "no-store")
    .type("application/json")
    .send(wireJson(body));
}

/** Answers 404 to a call that reaches no interface, because its path cannot be decoded or is too long. */
export function sendNotFound(reply: FastifyReply): void {
  send(reply, NOT_FOUND);
}

/** Sends the answer. A 429 or 503 is delayed, so that a client which retries immediately makes few calls. */
async function sendAfterDelay(reply: FastifyReply, answer: Plain): Promise<FastifyReply> {
  if (answer.status === 429 || answer.status === 503) {
    const held = reply.server.getDecorator<RefusalDelay>(HELD_REFUSALS);
    if (!(await held.delay())) reply.header("Connection", "close");
  }
  return send(reply, answer);
}

/**
 * The members of a record as strings. Of a repeated parameter only the first value is kept, and a value that is not a
 * string becomes an empty string.
 */
export function stringMembersOf(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null) return {};
  const entries = Object.entries(value).map(([name, one]: [string, unknown]) => {
    const first: unknown = Array.isArray(one) ? one[0] : one;
    return [name, typeof first === "string" ? first : ""] as const;
  });
  return Object.fromEntries(entries);
}

function statusOf(error: unknown): number {
  if (typeof error !== "object" || error === null || !("statusCode" in error)) return 500;
  const { statusCode } = error;
  return typeof statusCode === "number" && statusCode >= 400 ? statusCode : 500;
}

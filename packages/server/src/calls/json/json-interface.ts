import type { Socket } from "node:net";
import { finished, Readable } from "node:stream";
import { type Act, type Log, wireJson } from "@propgate/base";
import { EDGE_ERRORS, type RepeatedAnswer } from "@propgate/contract";
import { isOutage, NotWritten, UnknownFate } from "@propgate/ledger";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { encodingProblem } from "../../api/edge/body-headers.ts";
import { BODY_INTAKE, type BodyIntake, type BodyReading } from "../../api/edge/body-intake.ts";
import { clientAddress } from "../../api/edge/client-address.ts";
import { DRAIN, type Drain } from "../../api/edge/drain.ts";
import { HELD_REFUSALS, type HeldRefusals } from "../../api/edge/held-refusals.ts";
import { listenUntilOver } from "../../api/edge/until-over.ts";
import { parseJsonBody } from "./json-body.ts";
import { problemOf, wrong } from "./json-fields.ts";
import {
  type FailedReply,
  type JsonCall,
  type JsonReply,
  type RefusedReply,
  type RowKeys,
  refused,
  type SentFile,
  wrongField,
} from "./json-reply.ts";
import { knownFault } from "./known-fault.ts";
import { isPlainSpelling } from "./plain-spelling.ts";
import { type Refusal, refusalBody } from "./refusal-body.ts";

/** One call of an interface; `Caller` is the authenticated caller. */
export interface JsonRoute<Caller> {
  /** Shown in the audit and the log. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  /** Names of the query parameters; any other is a 400. Absent where a call ignores others. */
  readonly query?: readonly string[];
  /** The refusal of a caller who may not make the call; a body that cannot be parsed counts as empty. */
  readonly guard?: (call: JsonCall, caller: Caller) => Promise<RefusedReply | null>;
  readonly handle: (call: JsonCall, caller: Caller) => Promise<JsonReply>;
  /** For a call that its client may repeat. */
  readonly repeats?: RepeatedAnswer;
  /** Set where a body may be larger than usual. */
  readonly bodyBytesMax?: number;
  /** True: the body is a file of rows, not JSON. */
  readonly takesFile?: boolean;
}

/** An answered call, for the audit; `caller` is null when the caller was rejected. */
export interface AnsweredCall<Caller> {
  readonly request: FastifyRequest;
  /** The route's name; `refused` when the caller was rejected. */
  readonly name: string;
  readonly caller: Caller | null;
  readonly reply: JsonReply | FailedReply;
}

export interface JsonInterface<Caller> {
  readonly prefix: string;
  readonly routes: readonly JsonRoute<Caller>[];
  /** Authenticates the caller before the body is read. A refusal becomes the answer. */
  readonly admit: (
    request: FastifyRequest,
    route: string,
  ) => Admitted<Caller> | Promise<Admitted<Caller>>;
  /**
   * Called before the answer is sent, also when the handler threw: part of its work may be stored. An error
   * that this throws makes the answer a 500.
   */
  readonly answered: (call: AnsweredCall<Caller>) => void | Promise<void>;
  /** Carries out a call that its client may repeat. Absent where no call may be. */
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

/** `whenOver` is called once when the answer is sent or its client is gone. */
export type Admitted<Caller> =
  | { readonly caller: Caller; readonly whenOver?: () => void }
  | RefusedReply;

const BODY_BYTES_MAX = 64 * 1024;

/**
 * Adds JSON calls to the listener, separate from the public API: with their own parser, error answers and
 * not-found answer. No answer is cacheable.
 */
export function addJsonInterface<Caller>(app: FastifyInstance, spec: JsonInterface<Caller>): void {
  void app.register(
    async (scope) => {
      const callers = admitCallers(scope, spec);
      receiveBodies(scope);
      addErrorHandlers(scope, { log: spec.log, isAdmitted: (request) => callers.has(request) });
      const ending = endingOf(scope);
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
              return spec.answered({ request, name: row, caller: caller.is, reply: end });
            };
            const answered = (given: JsonReply | FailedReply): void | Promise<void> =>
              spec.answered({ request, name, caller: caller.is, reply: given });
            const answer = await answerOf(
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
            return sendLate(reply, answer);
          },
        });
      }
    },
    { prefix: spec.prefix },
  );
}

/** `rowKeys`: of a bulk, whose rows are writes of their own. */
export type RunCall = (act: Act | null, rowKeys?: RowKeys | null) => Promise<JsonReply>;

/** A caller that may not make the call learns nothing about the stored answers. */
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

/** Runs the handler. When it throws, calls `answered` first: part of its work may be stored. */
async function answerOf(
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
    const known = knownFault(cause, isWrite(request));
    if (known !== null) return known;
    await answered(FAILED);
    throw cause;
  }
}

function isWrite({ method }: FastifyRequest): boolean {
  return method !== "GET";
}

/** Authenticates callers, and keeps each until its handler has run. */
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
      bodies.want(request.raw, { bytesMax: bodyLimit, address: clientAddress(request) });
    }
    const admitted = await spec.admit(request, routeOf(request));
    if ("caller" in admitted) {
      callers.set(request, { is: admitted.caller });
      const { whenOver } = admitted;
      if (whenOver !== undefined) finished(reply.raw, () => whenOver());
      return;
    }
    await spec.answered({ request, name: "refused", caller: null, reply: admitted });
    await sendLate(reply, admitted);
  });
  return callers;
}

/** The call's name; empty for an unknown path. */
function routeOf(request: FastifyRequest): string {
  const config: unknown = request.routeOptions.config;
  if (typeof config !== "object" || config === null || !("route" in config)) return "";
  return typeof config.route === "string" ? config.route : "";
}

const NOT_FOUND = { status: 404, error: "Not found" };

/** Receives bodies of any content type, as the API does. */
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
    if (status < 500) return send(reply, { ...wrongField("body", "cannot be read"), status });
    logFailure(log, { cause: error, request });
    return send(reply, knownFault(error, isAdmitted(request) && isWrite(request)) ?? FAILED);
  });
}

const NO_ROOM: RefusedReply = {
  ...refused(EDGE_ERRORS.tooManyBodies.text, 503),
  headers: { "Retry-After": "1" },
};

const CUT_OFF: RefusedReply = wrongField("body", "was cut off");

function tooLarge(bytesMax: number): RefusedReply {
  const problem = `has more than ${bytesMax} bytes, which is the maximum; send less`;
  return { ...wrongField("body", problem, 413), details: { bytesMax } };
}

function logFailure(
  log: Log,
  { cause, request }: { readonly cause: unknown; readonly request: FastifyRequest },
): void {
  if (isOutage(cause)) return;
  const about = { path: request.routeOptions.url, requestId: request.id };
  log.error({ err: cause, ...about }, "call failed");
}

/** `problem`: an unknown query parameter, or a body that cannot be parsed, which counts as empty. */
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
  const parameters = textsOf(request.params);
  const query = textsOf(request.query);
  const encoding = encodingProblem(request.raw);
  const body =
    encoding === null
      ? parseJsonBody(options.takesFile ? "" : request.body)
      : problemOf("body", `cannot be read: ${encoding}`);
  const file = options.takesFile ? sentFile(request) : null;
  const untilOver = (listener: () => void) =>
    listenUntilOver(request.raw, options.ending, listener);
  const given = { parameters, query, body: body.ok ? body.value : {}, file };
  const call = { ...given, untilOver, act: null, rowKeys: null };
  const refusal = options.query === undefined ? null : queryRefusal(request.query, options.query);
  return { call, problem: refusal ?? (body.ok ? null : wrong(body)) };
}

function sentFile({ headers, body }: FastifyRequest): SentFile {
  return { type: headers["content-type"] ?? "", text: typeof body === "string" ? body : "" };
}

/**
 * A misspelt filter would otherwise answer with everything, an empty one with nothing or everything, and of two only
 * one could hold. @rule D12.operatorQuery decides
 */
function queryRefusal(query: unknown, known: readonly string[]): RefusedReply | null {
  if (typeof query !== "object" || query === null) return null;
  for (const [name, value] of Object.entries(query)) {
    if (!known.includes(name)) return unknownParameter(name, known);
    if (Array.isArray(value)) return wrongField(name, "is given twice; give it once");
    if (value === "") return wrongField(name, "is empty; leave it out, or give a value");
  }
  return null;
}

/** An untrusted name is truncated to this length in an answer. */
const NAME_MAX = 100;

function unknownParameter(given: string, known: readonly string[]): RefusedReply {
  const name = given.slice(0, NAME_MAX);
  const bounds = [`${name}Min`, `${name}Max`];
  const hint = bounds.every((one) => known.includes(one)) ? `; use ${bounds.join(" and ")}` : "";
  return { ...wrongField(name, `no such query parameter${hint}`), code: "unknown_field" };
}

/** Aborts when the service stops. */
function endingOf(scope: FastifyInstance): AbortSignal {
  const closing = new AbortController();
  scope.addHook("preClose", async () => closing.abort());
  return AbortSignal.any([scope.getDecorator<Drain>(DRAIN).ending, closing.signal]);
}

/**
 * Ends open files and event streams when the service stops, so that a slow client does not delay the stop. A
 * file that is cut off is an error; an event stream has no other end.
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
      // Too late for an error answer: the client sees that the end is missing.
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
 * A client may close its half of a connection and still wait for the answer; but a client that does so while
 * it reads events is gone.
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

/** For a path that reaches no interface, because it cannot be decoded or is too long. */
export function sendNotFound(reply: FastifyReply): void {
  send(reply, NOT_FOUND);
}

/** Sends the answer, but delays one that asks the client to retry later. */
async function sendLate(reply: FastifyReply, answer: Plain): Promise<FastifyReply> {
  if (answer.status === 429 || answer.status === 503) {
    const held = reply.server.getDecorator<HeldRefusals>(HELD_REFUSALS);
    if (!(await held.hold())) reply.header("Connection", "close");
  }
  return send(reply, answer);
}

/** The strings of a record; only the first value of a repeated parameter counts. */
export function textsOf(value: unknown): Readonly<Record<string, string>> {
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

import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../log.ts";
import { isNestedTooDeep, JSON_DEPTH_MAX } from "./json-depth.ts";
import type { JsonCall, JsonReply, RefusedReply } from "./json-reply.ts";

/** One call of an interface: `Caller` is what admission has found out about who calls. */
export interface JsonRoute<Caller> {
  /** Stands in the audit line. */
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly handle: (call: JsonCall, caller: Caller) => Promise<JsonReply>;
  /** Where a body may be larger than the others. */
  readonly bodyBytesMax?: number;
}

/** A call that was answered, for the audit; `caller` is null when it was not let in. */
export interface AnsweredCall<Caller> {
  readonly request: FastifyRequest;
  /** Of the route; `refused` when the caller was not let in. */
  readonly name: string;
  readonly caller: Caller | null;
  readonly reply: JsonReply;
}

export interface JsonInterface<Caller> {
  readonly prefix: string;
  readonly routes: readonly JsonRoute<Caller>[];
  /** Asked before anything of the body is read. A refusal is the answer. */
  readonly admit: (
    request: FastifyRequest,
    route: string,
  ) => Admitted<Caller> | Promise<Admitted<Caller>>;
  /** Told before the answer goes out; what it throws makes the answer a 500. */
  readonly answered: (call: AnsweredCall<Caller>) => void | Promise<void>;
  readonly log: Log;
}

export type Admitted<Caller> = { readonly caller: Caller } | RefusedReply;

const BODY_BYTES_MAX = 64 * 1024;

/**
 * Adds calls that take and give JSON to the listener, apart from the public API: with a parser,
 * error answers and a not-found answer of their own. None is ever kept by a cache.
 */
export function addJsonInterface<Caller>(app: FastifyInstance, spec: JsonInterface<Caller>): void {
  void app.register(
    async (scope) => {
      const callers = admitCallers(scope, spec);
      answerApart(scope, spec.log);
      const files = fileSender(scope, spec.log);
      for (const { name, method, path, handle, bodyBytesMax } of spec.routes) {
        scope.route({
          method,
          url: path,
          config: { route: name },
          bodyLimit: bodyBytesMax ?? BODY_BYTES_MAX,
          exposeHeadRoute: false,
          handler: async (request, reply) => {
            const caller = callers.get(request);
            if (caller === undefined) throw new Error("broken invariant: nobody was let in");
            const call = readCall(request);
            const answer = "status" in call ? call : await handle(call, caller.is);
            await spec.answered({ request, name, caller: caller.is, reply: answer });
            return "content" in answer ? files.send(reply, answer) : send(reply, answer);
          },
        });
      }
    },
    { prefix: spec.prefix },
  );
}

/** Who calls, by request; kept until the handler has run. */
function admitCallers<Caller>(
  scope: FastifyInstance,
  spec: JsonInterface<Caller>,
): WeakMap<FastifyRequest, { readonly is: Caller }> {
  const callers = new WeakMap<FastifyRequest, { readonly is: Caller }>();
  scope.addHook("onRequest", async (request, reply) => {
    const admitted = await spec.admit(request, routeOf(request));
    if ("caller" in admitted) {
      callers.set(request, { is: admitted.caller });
      return;
    }
    await spec.answered({ request, name: "refused", caller: null, reply: admitted });
    await send(reply, admitted);
  });
  return callers;
}

/** The name of the call; empty where the path leads nowhere. */
function routeOf(request: FastifyRequest): string {
  const config: unknown = request.routeOptions.config;
  if (typeof config !== "object" || config === null || !("route" in config)) return "";
  return typeof config.route === "string" ? config.route : "";
}

const NO_JSON: JsonReply = { status: 400, error: "body: is no JSON" };
const TOO_DEEP: JsonReply = {
  status: 400,
  error: `body: is nested more than ${JSON_DEPTH_MAX} levels deep`,
};

function answerApart(scope: FastifyInstance, log: Log): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
    done(null, body);
  });
  scope.setNotFoundHandler((_request, reply) => send(reply, { status: 404, error: "Not found" }));
  scope.setErrorHandler((error, request, reply) => {
    const status = statusOf(error);
    if (status < 500) return send(reply, { status, error: "body: is too large or unreadable" });
    log.error({ err: error, path: request.routeOptions.url }, "call failed");
    return send(reply, { status: 500, error: "Internal error; the log has the cause" });
  });
}

/** The call, or the answer to a body that cannot be read. Without a body it is an empty object. */
function readCall(request: FastifyRequest): JsonCall | JsonReply {
  const parameters = textsOf(request.params);
  const query = textsOf(request.query);
  const raw = typeof request.body === "string" ? request.body : "";
  if (raw.trim() === "") return { parameters, query, body: {} };
  try {
    const body: unknown = JSON.parse(raw);
    return isNestedTooDeep(body) ? TOO_DEEP : { parameters, query, body };
  } catch {
    return NO_JSON;
  }
}

/**
 * Files on their way end when the service does: a reader that is slow must not hold it up. Of a file
 * that is a fault; a stream of events has no other end.
 */
function fileSender(scope: FastifyInstance, log: Log) {
  const sending = new Map<Readable, Error | undefined>();
  scope.addHook("preClose", async () => {
    for (const [file, end] of sending) file.destroy(end);
  });
  return {
    send(reply: FastifyReply, answer: Extract<JsonReply, { content: unknown }>): FastifyReply {
      const file = Readable.from(answer.content, { objectMode: false });
      const isEndless = answer.type === "text/event-stream";
      sending.set(file, isEndless ? undefined : new Error("the service stops"));
      file.once("close", () => sending.delete(file));
      if (isEndless) endWithReader(file, reply.request.raw.socket);
      // Too late for another answer: whoever reads sees that the end is missing.
      file.once("error", (cause) => log.error({ err: cause }, "file cut off"));
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
 * A client that has said all it wants to say still waits for its answer, so half of a connection may
 * close; who reads events and closes his half has gone away.
 */
function endWithReader(events: Readable, socket: Socket): void {
  const end = (): void => void events.destroy();
  if (socket.readableEnded || socket.destroyed) end();
  socket.once("end", end);
  events.once("close", () => socket.off("end", end));
}

type Plain =
  | Exclude<JsonReply, { content: unknown }>
  | { readonly status: number; readonly error: string };

function send(reply: FastifyReply, answer: Plain): FastifyReply {
  const body = "data" in answer ? { success: true, data: answer.data } : { error: answer.error };
  return reply
    .code(answer.status)
    .headers("headers" in answer ? { ...answer.headers } : {})
    .header("Cache-Control", "no-store")
    .type("application/json")
    .send(JSON.stringify(body));
}

/** The texts of a record; a parameter that was given twice counts as its first. */
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

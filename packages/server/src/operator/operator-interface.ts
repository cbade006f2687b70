import { createHash, timingSafeEqual } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../log.ts";
import { isNestedTooDeep, JSON_DEPTH_MAX } from "../market/json-depth.ts";
import { OPERATOR_CALLS } from "./operator-calls.ts";
import type { OperatorCall, OperatorNeed, OperatorReply } from "./operator-reply.ts";

export interface OperatorOptions extends OperatorNeed {
  /** What a caller sends as `Authorization: Bearer …`. */
  readonly token: string;
  readonly log: Log;
}

/** Where the operator's interface begins, on the same listener as the public API. */
export const OPERATOR_PREFIX = "/operator/v1";

const BODY_BYTES_MAX = 64 * 1024;

/**
 * Adds the operator's interface to the listener, apart from the public API: its own parser, error
 * answers and not-found answer. Every call leaves one audit line: who from, what, on what, result.
 */
export function addOperatorInterface(app: FastifyInstance, options: OperatorOptions): void {
  void app.register(
    async (scope) => {
      answerApart(scope, options);
      const files = fileSender(scope, options.log);
      for (const { name, method, path, handle, bodyBytesMax } of OPERATOR_CALLS) {
        scope.route({
          method,
          url: path,
          bodyLimit: bodyBytesMax ?? BODY_BYTES_MAX,
          exposeHeadRoute: false,
          handler: async (request, reply) => {
            const call = readCall(request);
            const answer = "status" in call ? call : await handle(options, call);
            audit(options.log, { request, name, status: answer.status });
            return "content" in answer ? files.send(reply, answer) : send(reply, answer);
          },
        });
      }
    },
    { prefix: OPERATOR_PREFIX },
  );
}

const NO_JSON: OperatorReply = { status: 400, error: "body: is no JSON" };
const TOO_DEEP: OperatorReply = {
  status: 400,
  error: `body: is nested more than ${JSON_DEPTH_MAX} levels deep`,
};

/** The token is asked for before anything of the request is read. */
function answerApart(scope: FastifyInstance, { token, log }: OperatorOptions): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
    done(null, body);
  });
  const expected = digest(`Bearer ${token}`);
  scope.addHook("onRequest", async (request, reply) => {
    if (timingSafeEqual(digest(request.headers.authorization ?? ""), expected)) return;
    audit(log, { request, name: "refused", status: 401 });
    reply.header("WWW-Authenticate", "Bearer");
    await send(reply, { status: 401, error: "Operator token missing or wrong" });
  });
  scope.setNotFoundHandler((_request, reply) => send(reply, { status: 404, error: "Not found" }));
  scope.setErrorHandler((error, request, reply) => {
    const status = statusOf(error);
    if (status < 500) return send(reply, { status, error: "body: is too large or unreadable" });
    log.error({ err: error, path: request.routeOptions.url }, "operator call failed");
    return send(reply, { status: 500, error: "Internal error; the log has the cause" });
  });
}

/** The call, or the answer to a body that cannot be read. Without a body it is an empty object. */
function readCall(request: FastifyRequest): OperatorCall | OperatorReply {
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

/** Files on their way end when the service does: a reader that is slow must not hold it up. */
function fileSender(scope: FastifyInstance, log: Log) {
  const sending = new Set<Readable>();
  scope.addHook("preClose", async () => {
    for (const file of sending) file.destroy(new Error("the service stops"));
  });
  return {
    send(reply: FastifyReply, answer: Extract<OperatorReply, { content: unknown }>): FastifyReply {
      const file = Readable.from(answer.content, { objectMode: false });
      sending.add(file);
      file.once("close", () => sending.delete(file));
      // Too late for another answer: whoever reads sees that the end is missing.
      file.once("error", (cause) => log.error({ err: cause }, "operator file cut off"));
      return reply
        .code(answer.status)
        .header("Cache-Control", "no-store")
        .type(answer.type)
        .send(file);
    },
  };
}

function send(
  reply: FastifyReply,
  answer:
    | Exclude<OperatorReply, { content: unknown }>
    | { readonly status: number; readonly error: string },
): FastifyReply {
  const body = "data" in answer ? { success: true, data: answer.data } : { error: answer.error };
  return reply
    .code(answer.status)
    .header("Cache-Control", "no-store")
    .type("application/json")
    .send(JSON.stringify(body));
}

/** Written whatever the log level is, unless it is silent; never holds a body, token or secret. */
function audit(
  log: Log,
  done: { readonly request: FastifyRequest; readonly name: string; readonly status: number },
): void {
  if (log.level === "silent") return;
  const { request, name, status } = done;
  const line = { audit: name, from: request.ip, on: textsOf(request.params), status };
  log.child({}, { level: "info" }).info(line, "operator");
}

/** Digests are of one length, so comparing them tells nothing about the token. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The texts of a record; a parameter that was given twice counts as its first. */
function textsOf(value: unknown): Readonly<Record<string, string>> {
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

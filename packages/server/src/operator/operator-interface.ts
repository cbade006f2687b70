import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { addJsonInterface, textsOf } from "../json/json-interface.ts";
import type { RefusedReply } from "../json/json-reply.ts";
import type { Log } from "../log.ts";
import { OPERATOR_CALLS } from "./operator-calls.ts";
import type { OperatorNeed } from "./operator-reply.ts";

export interface OperatorOptions extends OperatorNeed {
  /** What a caller sends as `Authorization: Bearer …`. */
  readonly token: string;
  readonly log: Log;
}

/** Where the operator's interface begins, on the same listener as the public API. */
export const OPERATOR_PREFIX = "/operator/v1";

const WRONG_TOKEN: RefusedReply = {
  status: 401,
  error: "Operator token missing or wrong",
  headers: { "WWW-Authenticate": "Bearer" },
};

/**
 * Adds the operator's interface to the listener. The token is asked for before anything of the
 * request is read; every call leaves one audit line: who from, what, on what, result.
 */
export function addOperatorInterface(app: FastifyInstance, options: OperatorOptions): void {
  const { token, log, ...need } = options;
  const expected = digest(`Bearer ${token}`);
  addJsonInterface<"operator">(app, {
    prefix: OPERATOR_PREFIX,
    routes: OPERATOR_CALLS.map(({ handle, ...route }) => ({
      ...route,
      handle: (call) => handle(need, call),
    })),
    admit: ({ headers }) =>
      timingSafeEqual(digest(headers.authorization ?? ""), expected)
        ? { caller: "operator" }
        : WRONG_TOKEN,
    answered: ({ request, name, reply }) => audit(log, { request, name, status: reply.status }),
    log,
  });
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

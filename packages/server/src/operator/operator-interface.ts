import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { type AnsweredCall, addJsonInterface, textsOf } from "../json/json-interface.ts";
import type { RefusedReply } from "../json/json-reply.ts";
import type { Log } from "../log.ts";
import type { AuditLog } from "../people/audit-log.ts";
import { OPERATOR_CALLS } from "./operator-calls.ts";
import type { OperatorNeed } from "./operator-reply.ts";

export interface OperatorOptions extends OperatorNeed {
  /** What a caller sends as `Authorization: Bearer …`. */
  readonly token: string;
  readonly audit: AuditLog;
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
 * request is read; every call leaves a line in the log: who from, what, on what, result. Those that
 * change something leave one in the audit as well.
 */
export function addOperatorInterface(app: FastifyInstance, options: OperatorOptions): void {
  const { token, audit, log, ...need } = options;
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
    answered: async (call) => {
      note(log, call);
      if (call.caller !== null && call.request.method !== "GET") await writeDown(audit, call);
    },
    log,
  });
}

/** Written whatever the log level is, unless it is silent; never holds a body, token or secret. */
function note(log: Log, { request, name, reply }: AnsweredCall<"operator">): void {
  if (log.level === "silent") return;
  const on = textsOf(request.params);
  const line = { audit: name, from: request.ip, on, status: reply.status };
  log.child({}, { level: "info" }).info(line, "operator");
}

async function writeDown(
  audit: AuditLog,
  { request, name, reply }: AnsweredCall<"operator">,
): Promise<void> {
  const about = "about" in reply ? reply.about : undefined;
  await audit.append({
    personId: null,
    by: "operator token",
    role: "operator",
    address: request.ip,
    deed: name,
    subject: about?.subject ?? textsOf(request.params).id ?? null,
    accountId: about?.accountId ?? null,
    detail: about?.detail ?? null,
    succeeded: reply.status === 200,
  });
}

/** Digests are of one length, so comparing them tells nothing about the token. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

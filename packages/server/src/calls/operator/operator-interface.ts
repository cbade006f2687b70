import {
  type AuditLog,
  type OperatorTokens,
  ROOT_TOKEN_NAME,
  TOKEN_IN_AUDIT,
} from "@propgate/access";
import type { Log, Timer } from "@propgate/base";
import { type JsonSchema, OPERATOR_OPENAPI_PATH, OPERATOR_PREFIX } from "@propgate/contract";
import type { FastifyInstance } from "fastify";
import { clientAddress } from "../../api/edge/client-address.ts";
import { servePublicDocument } from "../../api/public-document.ts";
import { type AnsweredCall, addJsonInterface, stringMembersOf } from "../json/json-interface.ts";
import type { JsonReply } from "../json/json-reply.ts";
import { CLOCK_IS_WRONG } from "../json/known-fault.ts";
import { OPERATOR_ROUTES } from "./operator-calls.ts";
import type { OperatorCallOptions } from "./operator-reply.ts";
import { carryOutKeyed } from "./repeats/keyed-call.ts";
import { isReplayed, type RepeatedWrites } from "./repeats/repeated-writes.ts";
import { admitOperator, type TokenCaller } from "./tokens/admit-operator.ts";
import { limitCallsUnderWay } from "./tokens/calls-under-way.ts";
import { namedTokenRefusal } from "./tokens/token-reach.ts";
import { createWrongTokens } from "./tokens/wrong-tokens.ts";

export interface OperatorOptions extends OperatorCallOptions {
  /** The root token, which callers send as `Authorization: Bearer …`. */
  readonly token: string;
  readonly tokens: OperatorTokens;
  readonly repeats: RepeatedWrites;
  readonly timer: Timer;
  readonly audit: AuditLog;
  readonly log: Log;
  /** Makes the OpenAPI document of the interface. */
  readonly openapi: () => JsonSchema;
  /**
   * Wraps each write, before its idempotency key is read. Only a sandbox has it: it makes answers get lost on purpose.
   */
  readonly wrapWrite?: CarryOutWrite | undefined;
  /**
   * True while the clock of this node is wrong. Then only `health` is answered, because ages, days and the ends of keys
   * depend on the clock. @rule D12.oneClock
   */
  readonly isClockWrong: () => boolean;
}

/** Carries out a write and returns its answer, or loses the answer on purpose. */
export type CarryOutWrite = (write: () => Promise<JsonReply>) => Promise<JsonReply>;

const runPlainly: CarryOutWrite = (write) => write();

/**
 * Adds the operator's interface to the listener. The token is checked before the request's body is read. Every
 * authenticated call is logged with the client's address, the token's name, the call, its path parameters and the
 * status. Every such call except a GET is written to the audit as well, unless its answer is the stored answer of an
 * earlier attempt. The interface's OpenAPI document needs no token.
 */
export function addOperatorInterface(app: FastifyInstance, options: OperatorOptions): void {
  const { token, tokens, repeats, timer, audit, log, openapi, isClockWrong, ...rest } = options;
  const { wrapWrite = runPlainly, ...forCalls } = rest;
  servePublicDocument(app, OPERATOR_OPENAPI_PATH, openapi);
  const wrong = createWrongTokens({ clock: forCalls.clock, timer, audit, log });
  const admit = admitOperator({ rootToken: token, tokens, wrong });
  const underWay = limitCallsUnderWay();
  addJsonInterface<TokenCaller>(app, {
    prefix: OPERATOR_PREFIX,
    routes: OPERATOR_ROUTES.map(({ handle, ...route }) => ({
      ...route,
      guard: async (call, caller) =>
        caller.token === ROOT_TOKEN_NAME ? null : namedTokenRefusal(forCalls.services, route, call),
      handle: (call, caller) => handle(forCalls, call, { name: auditName(caller) }),
    })),
    carryOut(received, { keySpace }, run) {
      const carryOut = () => carryOutKeyed(repeats, received, { caller: `token ${keySpace}`, run });
      return received.repeats === "nothing" ? carryOut() : wrapWrite(carryOut);
    },
    authenticate: async (request, route) => {
      if (isClockWrong() && route !== "health") return CLOCK_IS_WRONG;
      const admitted = await admit(request);
      return "caller" in admitted ? underWay(admitted.caller, request, route) : admitted;
    },
    onAnswered: async (call) => {
      if (call.caller === null) return;
      logCall(log, call, call.caller);
      if (call.request.method !== "GET" && !isReplayed(call.reply))
        await auditCall(audit, call, call.caller);
    },
    log,
  });
}

/** The name of a token in the audit, in a form that no person's name has. */
function auditName({ token }: TokenCaller): string {
  return `${TOKEN_IN_AUDIT} ${token}`;
}

/** Logs the call at every log level except `silent`. The line never has a body, a token or a secret. */
function logCall(
  log: Log,
  { request, name, reply }: AnsweredCall<TokenCaller>,
  { token: by }: TokenCaller,
): void {
  if (log.level === "silent") return;
  const on = stringMembersOf(request.params);
  const from = clientAddress(request);
  const line = { audit: name, by, from, on, status: reply.status, requestId: request.id };
  log.child({}, { level: "info" }).info(line, "operator");
}

async function auditCall(
  audit: AuditLog,
  { request, name, reply }: AnsweredCall<TokenCaller>,
  caller: TokenCaller,
): Promise<void> {
  const about = "about" in reply ? reply.about : undefined;
  await audit.append({
    personId: null,
    by: auditName(caller),
    role: "operator",
    address: clientAddress(request),
    deed: name,
    subject: about?.subject ?? stringMembersOf(request.params).id ?? null,
    accountId: about?.accountId ?? null,
    detail: about?.detail ?? null,
    succeeded: reply.status === 200,
  });
}

import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import {
  canonicalString,
  EMPTY_BODY_SHA256,
  type Endpoint,
  isWrite,
  parseQuery,
  type QueryParameters,
  SIGNED_ENDPOINTS,
  type SignedEndpointName,
  splitTarget,
} from "@propgate/contract";
import type { Clock } from "../clock.ts";
import type { AdmissionRequest } from "../keys/admission-port.ts";
import type { KeyCache } from "../keys/key-cache.ts";
import type { MicroBatch } from "../micro-batch.ts";
import type { ReceiptDesk } from "../receipts/receipt-desk.ts";
import type { Admission } from "./admission.ts";
import type { Answer } from "./answer.ts";
import type { AdmittedFacts, Credentials, Rejection, RequestFacts } from "./gates/facts.ts";
import type { FailureMemory } from "./gates/failure-guard.ts";
import { ADMITTED_GATES, KEY_GATES, STRANGER_GATES, stoppedBy } from "./gates/order.ts";
import { hasScope } from "./gates/scope.ts";
import { signatureMatches } from "./gates/signature.ts";
import { readBody } from "./read-body.ts";
import { requestBody } from "./request-body.ts";
import { isCounted, isFinal, type Respond, type Seen } from "./respond.ts";
import type { Handler, Outcome } from "./routes/handler.ts";

export interface EndpointNeeds {
  readonly clock: Clock;
  readonly keys: KeyCache;
  readonly admissions: MicroBatch<AdmissionRequest, Admission>;
  readonly failures: FailureMemory;
  readonly receipts: Pick<ReceiptDesk, "rejected">;
  readonly respond: Respond;
  /** Lower-case names of the four headers. */
  readonly headerNames: Readonly<Record<keyof Credentials, string>>;
  readonly mostBodyBytes: number;
  /** A fault on the way: the log's, never the client's. */
  readonly onFault: (cause: unknown, requestId: string) => void;
}

/** How far a request came. */
interface Progress {
  /** Set once the signature matched. */
  admitted: AdmittedFacts | null;
  /** Set once the key is known: what the server saw. */
  seen: Seen | null;
}

const NO_QUERY: QueryParameters = new Map();

/** Takes one request of an endpoint through the gates and its handler to an answer; never rejects. */
export const serveEndpoint =
  (need: EndpointNeeds, endpoint: SignedEndpointName, handler: Handler) =>
  async (message: IncomingMessage, requestId: string): Promise<Answer> => {
    const progress: Progress = { admitted: null, seen: null };
    try {
      const reached = await outcomeOf({ need, endpoint, handler, message, progress });
      const outcome = await remembered({ need, progress, requestId }, reached);
      return outcome.ok
        ? need.respond.success(outcome.data, { requestId, ignored: outcome.ignored })
        : need.respond.failure(outcome.rejection, { requestId, seen: progress.seen });
    } catch (cause) {
      need.onFault(cause, requestId);
      return need.respond.failure({ error: "internal" }, { requestId, seen: null });
    }
  };

async function outcomeOf(request: {
  readonly need: EndpointNeeds;
  readonly endpoint: SignedEndpointName;
  readonly handler: Handler;
  readonly message: IncomingMessage;
  readonly progress: Progress;
}): Promise<Outcome> {
  const { need, endpoint, handler, message, progress } = request;
  const reading = readBody(message, need.mostBodyBytes);
  const body = reading instanceof Buffer ? reading : await reading;
  // The answer goes to a connection that is gone; what counts is that nothing else happens.
  if (body === "cutOff") return rejection({ error: "badSignature" });
  if (body === "tooLarge") return rejection({ error: tooLarge(endpoint) });
  const facts = requestFacts(need, { endpoint, message, body });
  const stopped = stoppedBy(STRANGER_GATES, facts) ?? (await passKey(need, facts, progress));
  if (stopped !== null) return rejection(stopped);
  const { admitted } = progress;
  if (admitted === null) throw new Error("broken invariant: no gate stopped it, so it is admitted");
  const late = stoppedBy(ADMITTED_GATES, admitted);
  if (late !== null) return rejection(late);
  const { account } = admitted.admission;
  if (account === null) throw new Error("broken invariant: the account gate let nobody through");
  return handler({
    accountId: admitted.accountId,
    account,
    keyId: facts.credentials.keyId,
    nonce: facts.credentials.nonce,
    path: splitTarget(facts.target).path,
    query: facts.query,
    body: facts.body,
    contentType: message.headers["content-type"],
  });
}

/** Reads have no 400: a body that nobody hashes is one that nobody signed. @rule D2.body S7.statuses */
function tooLarge(endpoint: SignedEndpointName): "bodyTooLarge" | "badSignature" {
  return SIGNED_ENDPOINTS[endpoint].method === "POST" ? "bodyTooLarge" : "badSignature";
}

function rejection(why: Rejection): Outcome {
  return { ok: false, rejection: why };
}

function requestFacts(
  need: EndpointNeeds,
  request: {
    readonly endpoint: SignedEndpointName;
    readonly message: IncomingMessage;
    readonly body: Buffer;
  },
): RequestFacts {
  const { endpoint, message, body } = request;
  const row: Endpoint = SIGNED_ENDPOINTS[endpoint];
  const { headers, url: target = "" } = message;
  const sent = (name: string): string => {
    const value = headers[name];
    return typeof value === "string" ? value : "";
  };
  const { query } = splitTarget(target);
  return {
    endpoint,
    method: row.method,
    scope: row.scope,
    target,
    query: query === "" ? NO_QUERY : parseQuery(query),
    body: requestBody(body),
    credentials: {
      keyId: sent(need.headerNames.keyId),
      timestamp: sent(need.headerNames.timestamp),
      nonce: sent(need.headerNames.nonce),
      signature: sent(need.headerNames.signature),
    },
    now: need.clock.now(),
    address: message.socket.remoteAddress ?? "",
  };
}

/**
 * Checks 4 to 6 and, behind them, admission. An unknown key costs the same HMAC as a known one.
 * @rule D2.4 D2.5 D2.6
 */
async function passKey(
  need: EndpointNeeds,
  facts: RequestFacts,
  progress: Progress,
): Promise<Rejection | null> {
  const { credentials, method, target } = facts;
  const { bytes } = facts.body;
  const finding = need.keys.find(credentials.keyId, facts.now);
  const known = finding instanceof Promise ? await finding : finding;
  const bodySha256 = bytes.length === 0 ? EMPTY_BODY_SHA256 : hash("sha256", bytes, "hex");
  const canonical = canonicalString({
    method,
    target,
    timestamp: credentials.timestamp,
    nonce: credentials.nonce,
    bodySha256,
  });
  const material = known?.material ?? need.keys.dummy;
  const matches = signatureMatches(credentials.signature, canonical, material);
  const keyed = { ...facts, known, signatureMatches: matches };
  if (known !== null) progress.seen = { target, bodySha256 };
  const stopped = stoppedBy(KEY_GATES, keyed);
  if (stopped !== null || known === null) return stopped;
  const admission = await need.admissions.submit({
    keyId: credentials.keyId,
    nonce: credentials.nonce,
    counted: !isWrite(facts.endpoint) && hasScope(known, facts.scope),
    isWrite: isWrite(facts.endpoint),
    address: facts.address,
  });
  if (!admission.keyActive) need.keys.forget(credentials.keyId);
  progress.admitted = { ...facts, known, admission, accountId: known.key.accountId };
  return null;
}

/** An order that stands, although nothing could be remembered of it, must not be placed again. */
async function remembered(
  request: {
    readonly need: EndpointNeeds;
    readonly progress: Progress;
    readonly requestId: string;
  },
  outcome: Outcome,
): Promise<Outcome> {
  const { need, progress, requestId } = request;
  const { admitted } = progress;
  if (admitted === null) return outcome;
  try {
    await remember(need, admitted, outcome);
    return outcome;
  } catch (cause) {
    if (!outcome.ok || !isWrite(admitted.endpoint)) throw cause;
    need.onFault(cause, requestId);
    return rejection({ error: "unknownFate" });
  }
}

/**
 * What the failure guard remembers, and the receipt of a rejected order, are durable before the
 * answer leaves: a rejected order counts, any success of the key wipes the count out.
 * @rule S7.R3 S8.guard D2.guard D9.receipts
 */
async function remember(
  need: EndpointNeeds,
  { endpoint, credentials, admission }: AdmittedFacts,
  outcome: Outcome,
): Promise<void> {
  const { keyId, nonce } = credentials;
  if (outcome.ok) {
    if (admission.rejections > 0) await need.failures.succeeded(keyId);
    return;
  }
  if (!isWrite(endpoint)) return;
  const { error } = outcome.rejection;
  // A nonce that was used before has the receipt of the request that used it.
  const leavesReceipt = admission.fresh && isFinal(error);
  await Promise.all([
    isCounted(error) ? need.failures.rejected(keyId) : null,
    leavesReceipt
      ? need.receipts.rejected({ keyId, nonce, ...need.respond.told(outcome.rejection) })
      : null,
  ]);
}

import { hash, type KeyObject } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type KeyCache, type KeyWatch, type OpenedKey, signatureMatches } from "@propgate/access";
import type { Clock, MicroBatcher } from "@propgate/base";
import {
  canonicalString,
  EMPTY_BODY_SHA256,
  type Endpoint,
  type ErrorName,
  isWrite,
  parseQuery,
  type QueryParameters,
  SIGNED_ENDPOINTS,
  type SignedEndpointName,
  splitTarget,
} from "@propgate/contract";
import type { ReceiptDesk, UndecidedWrite } from "@propgate/ledger";
import type { Rejection } from "@propgate/wire";
import type { AdmissionRequest } from "../storage/admission-port.ts";
import { type Admission, AdmissionFailed } from "./admission.ts";
import type { Answer } from "./answer.ts";
import { jsonTypeProblem } from "./edge/body-headers.ts";
import type { BodyReading } from "./edge/body-intake.ts";
import { targetPath } from "./edge/target-path.ts";
import { listenUntilOver } from "./edge/until-over.ts";
import { faultError } from "./fault-error.ts";
import { budgetOf } from "./gates/budget.ts";
import type { AdmittedFacts, Credentials, RequestFacts, RequestHead } from "./gates/facts.ts";
import type { FailureRecorder } from "./gates/failure-guard.ts";
import {
  ADMITTED_GATES,
  firstRejection,
  HEAD_GATES,
  KEY_GATES,
  SIGNATURE_GATES,
} from "./gates/order.ts";
import { hasScope } from "./gates/scope.ts";
import { createRequestBody, tooLargeError } from "./request-body.ts";
import type { RequestObserver, RequestTimer } from "./request-observer.ts";
import { isCountedByGuard, isFinal, type Responder, type SeenRequest } from "./respond.ts";
import type { AnyHandler, HandlerOutcome, Streamed } from "./routes/handler.ts";
import { admittedCursor, shownCursor } from "./shown-cursor.ts";

export interface EndpointOptions {
  readonly clock: Clock;
  readonly keys: KeyCache;
  readonly keyWatch: KeyWatch;
  readonly admissions: Pick<MicroBatcher<AdmissionRequest, Admission>, "submit">;
  readonly failures: FailureRecorder;
  readonly receipts: Pick<ReceiptDesk, "storeRejection" | "abandon">;
  readonly respond: Responder;
  /** The lower-case names of the four headers of a signed request. */
  readonly headerNames: Readonly<Record<keyof Credentials, string>>;
  readonly bodies: {
    /** Whether the head alone shows that the body is too large. */
    isTooLarge(message: IncomingMessage): boolean;
    /** Whether a chunked body is too large, as soon as that is known. Its bytes are not kept. */
    measure(message: IncomingMessage): Promise<BodyReading> | BodyReading;
    read(message: IncomingMessage): Promise<BodyReading> | BodyReading;
  };
  /** True while this node's clock is wrong, so that no time of a request can be judged by it. */
  readonly isClockWrong: () => boolean;
  /** Called with an unexpected error, for the log; the client never sees it. */
  readonly onFault: (cause: unknown, requestId: string) => void;
  readonly observer?: RequestObserver | undefined;
  /** Aborts when the service stops and requests that wait must end. */
  readonly stopping: AbortSignal;
}

/** A request as it arrived, before any check. */
export interface Arrival {
  readonly message: IncomingMessage;
  readonly requestId: string;
  /** The client's address, also behind trusted proxies. */
  readonly address: string;
}

/** The facts about a request that are known so far, for its answer and its receipt. */
interface Progress {
  /** Null until the signature has matched and the database has admitted the request. */
  admitted: AdmittedFacts | null;
  /** The server's view of the request; set when the signature does not match, else null. */
  seen: SeenRequest | null;
  /** The cursor of the account at admission; null before admission, and when it is not known. */
  version: string | null;
  /** Whether the endpoint's own work has begun and may have had an effect. */
  isBegun: boolean;
  /** Measures the parts of the request's work; undefined when the service has no observer of requests. */
  readonly timer: RequestTimer | undefined;
  /** The write whose receipt must be closed if this request fails; null for all other requests. */
  openReceipt: Pick<UndecidedWrite, "keyId" | "nonce" | "admittedAtMs"> | null;
}

const NO_QUERY: QueryParameters = new Map();

/** Answers one request of an endpoint: runs the gates, then the handler. The promise never rejects. */
export const serveEndpoint =
  (options: EndpointOptions, endpoint: SignedEndpointName, handler: AnyHandler) =>
  async (arrival: Arrival): Promise<Answer> => {
    const { requestId } = arrival;
    const timer = options.observer?.begin(endpoint, arrival);
    const progress: Progress = {
      admitted: null,
      seen: null,
      version: null,
      isBegun: false,
      timer,
      openReceipt: null,
    };
    let answer: Answer;
    try {
      const reached = await serve({ options, endpoint, handler, arrival, progress });
      answer =
        reached === "noRoom"
          ? options.respond.edgeFailure("tooManyBodies", { requestId, isWrite: isWrite(endpoint) })
          : answerTo(await recordOutcome({ options, progress, requestId }, reached), {
              options,
              progress,
              requestId,
            });
    } catch (cause) {
      options.onFault(cause, requestId);
      // Only the log has the cause, together with the request id. The answer has the same id in a header.
      // @rule S7.500 decides
      const error = faultError(cause, { endpoint, isBegun: progress.isBegun });
      abandon(options, progress, error);
      options.observer?.rejected(error);
      answer = options.respond.failure({ error }, { requestId, seen: null });
    }
    timer?.answered(answer.status);
    return answer;
  };

function answerTo(
  outcome: HandlerOutcome | Streamed,
  request: {
    readonly options: EndpointOptions;
    readonly progress: Progress;
    readonly requestId: string;
  },
): Answer {
  const { options, progress, requestId } = request;
  if (outcome.ok) {
    if ("frames" in outcome) {
      const answer = options.respond.stream(outcome, { requestId, version: progress.version });
      // A client that does not read the stream cannot delay a stop of the service.
      return { ...answer, cutAt: options.stopping };
    }
    const { shown } = outcome;
    // The cursor of the version that the answer shows, else that of the account at admission.
    // @rule D9.accountVersion decides
    const version = shown === undefined ? progress.version : shownCursor(shown);
    return options.respond.success(outcome, { requestId, version });
  }
  const { rejection } = outcome;
  const { error } = rejection;
  if (!isFinal(error)) abandon(options, progress, error);
  options.observer?.rejected(error);
  // A closed account gets the answer of an unknown account, and a key that has just been revoked that of an unknown
  // key.
  const isUnknown = error === "accountNotFound" || error === "invalidKey";
  // A key without the scope may not learn the account's version. @rule D12.scopeShowsNothing decides
  const version = isUnknown || error === "insufficientScope" ? null : progress.version;
  return options.respond.failure(rejection, { requestId, seen: progress.seen, version });
}

async function serve(request: {
  readonly options: EndpointOptions;
  readonly endpoint: SignedEndpointName;
  readonly handler: AnyHandler;
  readonly arrival: Arrival;
  readonly progress: Progress;
}): Promise<HandlerOutcome | Streamed | "noRoom"> {
  const { options, endpoint, handler, arrival, progress } = request;
  const { message } = arrival;
  if (options.bodies.isTooLarge(message))
    return rejectedOutcome({ error: tooLargeError(endpoint) });
  const head = requestHead(options, endpoint, arrival);
  const finding =
    clockRejection(options, endpoint) ?? firstRejection(HEAD_GATES, head) ?? findKey(options, head);
  const key = finding instanceof Promise ? await finding : finding;
  if ("error" in key) {
    // The size is the first check, so chunks are counted, but not kept.
    const size = await options.bodies.measure(message);
    return rejectedOutcome(size === "tooLarge" ? { error: tooLargeError(endpoint) } : key);
  }
  const reading = options.bodies.read(message);
  const body = reading instanceof Buffer ? reading : await reading;
  if (body === "noRoom") return body;
  // The connection broke, so no client gets the answer. The request must have no effect.
  if (body === "cutOff") return rejectedOutcome({ error: "badSignature" });
  if (body === "tooLarge") return rejectedOutcome({ error: tooLargeError(endpoint) });
  const facts = { ...head, body: createRequestBody(body) };
  const stopped = await admit(options, { facts, key, progress });
  if (stopped !== null) return rejectedOutcome(stopped);
  const { admitted } = progress;
  if (admitted === null) throw new Error("broken invariant: no gate stopped it, so it is admitted");
  const late = firstRejection(ADMITTED_GATES, admitted);
  if (late !== null) return rejectedOutcome(late);
  progress.timer?.ended("admission");
  const { account } = admitted.admission;
  if (account === null)
    throw new Error("broken invariant: the account gate accepts only existing accounts");
  progress.isBegun = true;
  // Check 12: only the handler looks at the content type, the body and the rest of the query. @rule D2.12 decides
  const outcome = await handler({
    accountId: admitted.accountId,
    account,
    keyId: facts.credentials.keyId,
    keyInUse: options.keyWatch({ keyId: facts.credentials.keyId, address: arrival.address }),
    nonce: facts.credentials.nonce,
    admittedAtMs: admitted.admission.admittedAtMs,
    path: spelledPath(facts.endpoint, facts.target),
    query: facts.query,
    body: facts.body,
    typeProblem: () => jsonTypeProblem(message),
    trace: progress.timer?.trace(),
    untilOver: (listener) => listenUntilOver(message, options.stopping, listener),
    isStopping: () => options.stopping.aborted,
  });
  progress.timer?.ended("work");
  // A rejection had no effect, or its own error shows that the fate is unknown.
  progress.isBegun = outcome.ok;
  return outcome;
}

/** The path as `SIGNED_ENDPOINTS` spells it, with the parameter as it was sent. A parameter is the last segment. */
function spelledPath(endpoint: SignedEndpointName, target: string): string {
  const { path } = SIGNED_ENDPOINTS[endpoint];
  const start = path.indexOf("{");
  if (start < 0) return path;
  const sent = targetPath(target);
  return path.slice(0, start) + sent.slice(sent.lastIndexOf("/") + 1);
}

function rejectedOutcome(why: Rejection): HandlerOutcome {
  return { ok: false, rejection: why };
}

/**
 * The rejection while this node's clock is wrong; else null. It precedes all checks but that of the body's size,
 * because they would judge an honest client's timestamp by the wrong clock. @rule D12.oneClock
 * @rule D12.clockRequests decides
 */
function clockRejection(
  { isClockWrong }: EndpointOptions,
  endpoint: SignedEndpointName,
): Rejection | null {
  if (!isClockWrong()) return null;
  return { error: isWrite(endpoint) ? "networkDown" : "snapshotUnavailable" };
}

function requestHead(
  options: EndpointOptions,
  endpoint: SignedEndpointName,
  { message, address }: Arrival,
): RequestHead {
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
    credentials: {
      keyId: sent(options.headerNames.keyId),
      timestamp: sent(options.headerNames.timestamp),
      nonce: sent(options.headerNames.nonce),
      signature: sent(options.headerNames.signature),
    },
    now: options.clock.now(),
    address,
  };
}

/**
 * The key of a request, or the rejection by check 4 or 5. They run before the body is received, so that a client
 * without a key uses little of the service. A rejected id costs the same HMAC as an accepted one. @rule D2.4 D2.5
 */
function findKey(
  options: EndpointOptions,
  head: RequestHead,
): OpenedKey | Rejection | Promise<OpenedKey | Rejection> {
  const finding = options.keys.find(head.credentials.keyId, head.now);
  return finding instanceof Promise
    ? finding.then((known) => checkKey(options, head, known))
    : checkKey(options, head, finding);
}

function checkKey(
  options: EndpointOptions,
  head: RequestHead,
  known: OpenedKey | null,
): OpenedKey | Rejection {
  const stopped = firstRejection(KEY_GATES, { known, address: head.address });
  if (stopped === null && known !== null) return known;
  isSignedBy(options.keys.dummy, head, EMPTY_BODY_SHA256);
  return stopped ?? { error: "invalidKey" };
}

function isSignedBy(material: KeyObject, head: RequestHead, bodySha256: string): boolean {
  const { credentials, method, target } = head;
  const { timestamp, nonce, signature } = credentials;
  const canonical = canonicalString({ method, target, timestamp, nonce, bodySha256 });
  return signatureMatches(signature, canonical, material);
}

/**
 * Runs check 6 and then admits the request. Returns the rejection of check 6; null for an admitted request. @rule D2.6
 */
async function admit(
  options: EndpointOptions,
  request: {
    readonly facts: RequestFacts;
    readonly key: OpenedKey;
    readonly progress: Progress;
  },
): Promise<Rejection | null> {
  const { facts, key: known, progress } = request;
  const { credentials, target } = facts;
  const { bytes } = facts.body;
  // The hash also covers the body of a GET, which is otherwise ignored. @rule D2.getBody decides
  const bodySha256 = bytes.length === 0 ? EMPTY_BODY_SHA256 : hash("sha256", bytes, "hex");
  const signatureMatches = isSignedBy(known.material ?? options.keys.dummy, facts, bodySha256);
  const stopped = firstRejection(SIGNATURE_GATES, { signatureMatches });
  if (stopped !== null) {
    // Only this rejection gets the helping headers, which are made from `seen`. In an answer to an earlier check they
    // would reveal whether the key exists.
    progress.seen = { target, bodySha256 };
    return stopped;
  }
  progress.timer?.ended("checks");
  const { keyId, nonce } = credentials;
  const admission = await options.admissions
    .submit({
      keyId,
      nonce,
      budget: hasScope(known, facts.scope) ? budgetOf(facts.endpoint) : null,
      isWrite: isWrite(facts.endpoint),
      isPlacement: facts.endpoint === "placeOrder",
      address: facts.address,
      signedAtMs: Number(credentials.timestamp),
      hasScope: hasScope(known, facts.scope),
    })
    .catch((failure: unknown) => {
      if (!(failure instanceof AdmissionFailed)) throw failure;
      if (isWrite(facts.endpoint)) {
        progress.openReceipt = { keyId, nonce, admittedAtMs: failure.atMs };
      }
      throw failure.cause;
    });
  if (isWrite(facts.endpoint) && isStored(admission)) {
    progress.openReceipt = { keyId, nonce, admittedAtMs: admission.admittedAtMs };
  }
  if (!admission.isKeyActive) options.keys.forget(keyId);
  progress.version = admittedCursor(admission);
  progress.admitted = { ...facts, known, admission, accountId: known.key.accountId };
  return null;
}

/**
 * Records the outcome. An order that was carried out but could not be recorded must not be placed again, so its fate is
 * answered as unknown.
 */
function recordOutcome(
  request: {
    readonly options: EndpointOptions;
    readonly progress: Progress;
    readonly requestId: string;
  },
  outcome: HandlerOutcome | Streamed,
): HandlerOutcome | Streamed | Promise<HandlerOutcome | Streamed> {
  const { options, progress, requestId } = request;
  const { admitted } = progress;
  if (admitted === null) return outcome;
  const storing = storeOutcome(options, admitted, outcome);
  if (storing === null) return outcome;
  return storing.then(
    () => outcome,
    (cause: unknown) => {
      if (!outcome.ok || !isWrite(admitted.endpoint)) throw cause;
      options.onFault(cause, requestId);
      return rejectedOutcome({ error: "unknownFate" });
    },
  );
}

/**
 * Stores the failure guard's count and the receipt of a rejected order before the answer is sent. The guard counts POST
 * orders only, and of their rejections only those for which `isCountedByGuard` is true. Any success of the key clears
 * its count. Null when there is no such change to store. @rule S8.guard D9.receipts @rule S7.R3 D2.guard decides
 */
function storeOutcome(
  options: EndpointOptions,
  { endpoint, credentials, admission }: AdmittedFacts,
  outcome: HandlerOutcome | Streamed,
): Promise<unknown> | null {
  const { keyId, nonce } = credentials;
  if (outcome.ok) return admission.rejections > 0 ? options.failures.recordSucceeded(keyId) : null;
  if (!isWrite(endpoint)) return null;
  const { error } = outcome.rejection;
  // An order that is rejected in its key's cooldown gets no receipt row, because its nonce records the 429.
  // @rule D10.pausedKey decides
  const leavesReceipt = isStored(admission) && isFinal(error) && error !== "tooManyFailedRequests";
  return Promise.all([
    endpoint === "placeOrder" && isCountedByGuard(error)
      ? options.failures.recordRejected(keyId)
      : null,
    leavesReceipt
      ? options.receipts.storeRejection({
          keyId,
          nonce,
          ...options.respond.receiptFailure(outcome.rejection),
        })
      : null,
  ]);
}

/** Whether the request's nonce is stored for this request. A used nonce keeps its first request's receipt. */
function isStored({ isFresh, refusedUntilMs }: Admission): boolean {
  return isFresh && refusedUntilMs === null;
}

/**
 * Closes the receipt of an order that this node gives up, unless the order has committed. The client reads the receipt,
 * because the answer may be lost, or may leave the fate unknown. @rule D9.receipts
 */
function abandon(
  { receipts, respond }: EndpointOptions,
  { openReceipt }: Progress,
  answered: ErrorName,
): void {
  if (openReceipt === null) return;
  const error = isFinal(answered) ? answered : "notCarriedOut";
  receipts.abandon({ ...openReceipt, ...respond.receiptFailure({ error }) });
}

import { ENDPOINTS, isRecord } from "@propgate/contract";
import { readSeen } from "@propgate/sdk";
import type { Credentials } from "../profile/connection.ts";
import { type Answer, type Prepared, prepare, sendPrepared } from "../trading/prepared-request.ts";
import { rootMessageOf } from "../trading/refusal.ts";
import { type Check, failedCheck, okCheck, skippedCheck } from "./check.ts";
import { damagedSecretChecks, secretProblems } from "./secret-form.ts";

/** The key with the service's brand word, and the service's time, for the signed checks. */
export interface Signing {
  readonly credentials: Credentials;
  readonly now: () => number;
}

/** The target has a query, which the service ignores, to detect a client or a proxy that loses queries. */
const TARGET = `${ENDPOINTS.getAccount.path}?doctor=a%20b`;

/** Checks key, signature, nonce and scopes with requests that do not change the account. */
export async function runSignedChecks(signing: Signing): Promise<readonly Check[]> {
  const damaged = damagedSecretChecks(signing.credentials.secret);
  if (damaged !== null) return damaged;
  const read = await prepareRead(signing);
  const answer = await sendRequest(signing, read);
  if (typeof answer === "string")
    return [failedCheck("key", answer, "Try again; see the address check above.")];
  const first = judgeRead(answer, read, signing.credentials);
  if (!first.isSigned) return first.checks;
  const nonce = await checkNonce(signing, read);
  const place = await checkPlaceScope(signing);
  return [...first.checks, nonce, ...place, await checkAccount(signing)];
}

async function prepareRead({ credentials, now }: Signing): Promise<Prepared> {
  return prepare(credentials, { method: "GET", target: TARGET, nowMs: Math.round(now()) });
}

/** The answer, or a sentence that describes why there is none. */
async function sendRequest({ credentials }: Signing, request: Prepared): Promise<Answer | string> {
  try {
    return await sendPrepared(credentials.baseUrl, request);
  } catch (error) {
    return `no answer: ${rootMessageOf(error)}`;
  }
}

interface JudgedRead {
  readonly checks: readonly Check[];
  /** True when the service accepted the signature. */
  readonly isSigned: boolean;
}

const NOT_CHECKED = "not checked, because an earlier check failed";

function judgeRead(answer: Answer, request: Prepared, credentials: Credentials): JudgedRead {
  const error = errorOf(answer);
  const known = okCheck("key", `${credentials.keyId} is known, from ${credentials.source}`);
  if (answer.status !== 401) {
    const signature = okCheck("signature", "valid, including the query");
    return { checks: [known, signature, readScopeCheck(answer, error)], isSigned: true };
  }
  const unsigned = (check: Check): JudgedRead => ({
    checks:
      check.name === "signature"
        ? [known, check, skippedCheck("nonce", NOT_CHECKED), skippedCheck("scopes", NOT_CHECKED)]
        : [
            check,
            ...["signature", "nonce", "scopes"].map((name) => skippedCheck(name, NOT_CHECKED)),
          ],
    isSigned: false,
  });
  if (error === "Bad signature") return unsigned(badSignature(answer, request, credentials));
  if (error === "Invalid key") return unsigned(invalidKey(credentials));
  return unsigned(otherRefusal(error));
}

function invalidKey({ keyId, source }: Credentials): Check {
  return failedCheck(
    "key",
    `${keyId} (${source}) is not known to this service`,
    "Check that it is complete and belongs to this service. It may be revoked, expired, or not allowed " +
      "from this address; the service does not say which. Ask the operator for its allow-list, or for a new key.",
  );
}

function otherRefusal(error: string): Check {
  if (error === "Missing credentials") {
    return failedCheck(
      "key",
      "the service does not receive all four headers",
      "Their names have another brand word (--brand), or a proxy drops unknown headers.",
    );
  }
  return failedCheck("key", `the service answers 401 ${error}`, "See the clock check above.");
}

function badSignature(answer: Answer, request: Prepared, { secret }: Credentials): Check {
  const lines = [...answer.headers].map(([name, value]) => `${name}: ${value}`);
  const seen = readSeen(lines.join("\n"));
  if (seen.target !== null && seen.target !== request.target) {
    return failedCheck(
      "signature",
      `${request.target} was sent, and the service saw ${seen.target}`,
      "A proxy rewrites paths or queries. Configure it to pass them on unchanged.",
    );
  }
  const form = secretProblems(secret);
  return failedCheck(
    "signature",
    form ?? "the service received exactly the signed request, so the secret is wrong",
    "The secret does not belong to this key id. Copy both from the same place, or create a new key.",
  );
}

function readScopeCheck(answer: Answer, error: string): Check {
  if (answer.status === 403 && error === "insufficient_scope") {
    return failedCheck(
      "reads",
      "the key lacks trade:read",
      "Request a key that has it; scopes cannot be added to a key.",
    );
  }
  if (answer.status === 200) return okCheck("reads", "trade:read");
  return failedCheck(
    "reads",
    `the service answers ${answer.status} ${error}`,
    readFix(answer.status),
  );
}

function readFix(status: number): string {
  if (status === 404) return "The key's account is closed. Ask the operator of the service.";
  if (status === 429) return "The key's 120 reads a minute are used up; wait for the next minute.";
  return "The service's own log has the cause. Try again later.";
}

/** Checks the nonce by sending the same request again, which the service has to reject. */
async function checkNonce(signing: Signing, request: Prepared): Promise<Check> {
  const again = await sendRequest(signing, request);
  if (typeof again === "string") return skippedCheck("nonce", again);
  if (again.status === 409) return okCheck("nonce", "new; the same nonce again is rejected (409)");
  if (again.status === 200) {
    return failedCheck(
      "nonce",
      "the same request was answered twice",
      "A proxy answers from a cache. Disable its cache for the API.",
    );
  }
  return skippedCheck("nonce", `the service answers ${again.status} ${errorOf(again)}`);
}

/** The body of an empty order, which is rejected after the checks of signature and scope. */
const EMPTY_ORDER = "{ }";

async function checkPlaceScope(signing: Signing): Promise<readonly Check[]> {
  const { credentials, now } = signing;
  const { path: target } = ENDPOINTS.placeOrder;
  const request = await prepare(credentials, {
    method: "POST",
    target,
    body: EMPTY_ORDER,
    nowMs: Math.round(now()),
  });
  const answer = await sendRequest(signing, request);
  if (typeof answer === "string") return [skippedCheck("body", answer)];
  const error = errorOf(answer);
  if (answer.status === 401) {
    return [
      failedCheck(
        "body",
        `the signature of a body is rejected: ${error}`,
        "A proxy changes bodies, for example by compression.",
      ),
    ];
  }
  const body = okCheck("body", "its bytes arrive unchanged");
  if (error === "insufficient_scope") {
    return [body, okCheck("orders", "no trade:place: this key can only read")];
  }
  if (answer.status === 429) {
    const fix =
      "Thirty orders were rejected within ten minutes. Find out why; the pause ends by itself.";
    return [body, failedCheck("orders", "placement is paused for 15 minutes", fix)];
  }
  return [body, okCheck("orders", "trade:place")];
}

/**
 * Checks the account's status. This request is sent last: when it succeeds, the service sets its count of the key's
 * rejected orders to zero, so the order that `checkPlaceScope` sent does not count.
 */
async function checkAccount(signing: Signing): Promise<Check> {
  const answer = await sendRequest(signing, await prepareRead(signing));
  if (typeof answer === "string") return skippedCheck("account", answer);
  const data = isRecord(answer.json) ? answer.json.data : null;
  if (!isRecord(data) || !isRecord(data.evaluation)) {
    return skippedCheck("account", `the service answers ${answer.status} ${errorOf(answer)}`);
  }
  const { title, status } = data.evaluation;
  if (status === "provisioning") {
    return failedCheck(
      "account",
      `${String(title)} is not set up yet`,
      "Wait until it is provisioned.",
    );
  }
  if (status === "eliminated") {
    return failedCheck(
      "account",
      `${String(title)} is eliminated`,
      "Reads still work; orders are rejected.",
    );
  }
  return okCheck("account", `${String(title)}, ${String(status)}`);
}

function errorOf({ json }: Answer): string {
  return isRecord(json) && typeof json.error === "string" ? json.error : "";
}

import { ENDPOINTS, isRecord } from "@propgate/contract";
import { readSeen } from "@propgate/sdk";
import type { Credentials } from "../profile/connection.ts";
import { type Answer, exchange, type Prepared, prepare } from "../trading/exchange.ts";
import { rootOf } from "../trading/refusal.ts";
import { type Check, failed, ok, skipped } from "./check.ts";
import { damagedSecretChecks, secretProblems } from "./secret-form.ts";

/** What the signed checks sign with: the right brand word, and the service's time. */
export interface Signing {
  readonly credentials: Credentials;
  readonly now: () => number;
}

/** A query, so that a client or a proxy that loses it is found; the service ignores what it does not know. */
const TARGET = `${ENDPOINTS.getAccount.path}?doctor=a%20b`;

/** Key, signature, nonce and scopes, by requests that change nothing. */
export async function signedChecks(signing: Signing): Promise<readonly Check[]> {
  const damaged = damagedSecretChecks(signing.credentials.secret);
  if (damaged !== null) return damaged;
  const read = await prepareRead(signing);
  const answer = await sent(signing, read);
  if (typeof answer === "string")
    return [failed("key", answer, "Try again; see the address above.")];
  const first = judgeRead(answer, read, signing.credentials);
  if (!first.isSigned) return first.checks;
  const nonce = await nonceCheck(signing, read);
  const place = await placeChecks(signing);
  return [...first.checks, nonce, ...place, await accountCheck(signing)];
}

async function prepareRead({ credentials, now }: Signing): Promise<Prepared> {
  return prepare(credentials, { method: "GET", target: TARGET, nowMs: Math.round(now()) });
}

/** The answer, or why there is none. */
async function sent({ credentials }: Signing, request: Prepared): Promise<Answer | string> {
  try {
    return await exchange(credentials.baseUrl, request);
  } catch (error) {
    return `no answer: ${rootOf(error)}`;
  }
}

interface Judged {
  readonly checks: readonly Check[];
  /** The service took the signature for right. */
  readonly isSigned: boolean;
}

const NOT_TOLD = "not told, because of the above";

function judgeRead(answer: Answer, request: Prepared, credentials: Credentials): Judged {
  const error = errorOf(answer);
  const known = ok("key", `${credentials.keyId} is known, from ${credentials.source}`);
  if (answer.status !== 401) {
    const signature = ok("signature", "right, with its query");
    return { checks: [known, signature, readScope(answer, error)], isSigned: true };
  }
  const unsigned = (check: Check): Judged => ({
    checks:
      check.name === "signature"
        ? [known, check, skipped("nonce", NOT_TOLD), skipped("scopes", NOT_TOLD)]
        : [check, ...["signature", "nonce", "scopes"].map((name) => skipped(name, NOT_TOLD))],
    isSigned: false,
  });
  if (error === "Bad signature") return unsigned(badSignature(answer, request, credentials));
  if (error === "Invalid key") return unsigned(invalidKey(credentials));
  return unsigned(otherRefusal(error));
}

function invalidKey({ keyId, source }: Credentials): Check {
  return failed(
    "key",
    `${keyId} (${source}) is not known to this service`,
    "Is it copied whole, and of this service? It may be revoked or expired, or held to addresses that " +
      "are not this machine's: a service does not say which. Ask for its allow-list, or for a new key.",
  );
}

function otherRefusal(error: string): Check {
  if (error === "Missing credentials") {
    return failed(
      "key",
      "the service does not see all four headers",
      "Their names hold another brand word (--brand), or a proxy drops headers that it does not know.",
    );
  }
  return failed("key", `the service answers 401 ${error}`, "See the clock above.");
}

function badSignature(answer: Answer, request: Prepared, { secret }: Credentials): Check {
  const lines = [...answer.headers].map(([name, value]) => `${name}: ${value}`);
  const seen = readSeen(lines.join("\n"));
  if (seen.target !== null && seen.target !== request.target) {
    return failed(
      "signature",
      `${request.target} was sent, and the service saw ${seen.target}`,
      "A proxy in front of it rewrites paths or queries. Let it pass them on as they are.",
    );
  }
  const form = secretProblems(secret);
  return failed(
    "signature",
    form ?? "the service saw what was signed, so another secret made its signature",
    "The secret does not belong to this key id: take both from where the key was made, or make a new key.",
  );
}

function readScope(answer: Answer, error: string): Check {
  if (answer.status === 403 && error === "insufficient_scope") {
    return failed(
      "reads",
      "the key lacks trade:read",
      "Ask for a key that has it; scopes cannot be added.",
    );
  }
  if (answer.status === 200) return ok("reads", "trade:read");
  return failed("reads", `the service answers ${answer.status} ${error}`, readFix(answer.status));
}

function readFix(status: number): string {
  if (status === 404) return "The key's account is closed. Ask whoever runs the service.";
  if (status === 429) return "The key's 120 reads a minute are used up; wait for the next minute.";
  return "The service's own log has the cause. Try again later.";
}

/** The same request twice: the second has to be refused. */
async function nonceCheck(signing: Signing, request: Prepared): Promise<Check> {
  const again = await sent(signing, request);
  if (typeof again === "string") return skipped("nonce", again);
  if (again.status === 409) return ok("nonce", "fresh; the same one again is refused (409)");
  if (again.status === 200) {
    return failed(
      "nonce",
      "the same request was answered twice",
      "Something in front of the service answers from a cache. It must not.",
    );
  }
  return skipped("nonce", `the service answers ${again.status} ${errorOf(again)}`);
}

/** An order without an order in it: refused after signature and scope, and nothing can come of it. */
const NO_ORDER = "{ }";

async function placeChecks(signing: Signing): Promise<readonly Check[]> {
  const { credentials, now } = signing;
  const { path: target } = ENDPOINTS.placeOrder;
  const request = await prepare(credentials, {
    ...{ method: "POST", target, body: NO_ORDER },
    nowMs: Math.round(now()),
  });
  const answer = await sent(signing, request);
  if (typeof answer === "string") return [skipped("body", answer)];
  const error = errorOf(answer);
  if (answer.status === 401) {
    return [
      failed(
        "body",
        `a body's signature is refused: ${error}`,
        "Something between here and the service changes bodies: compression, another serialiser.",
      ),
    ];
  }
  const body = ok("body", "its bytes arrive as they were signed");
  if (error === "insufficient_scope") {
    return [body, ok("orders", "no trade:place: this key reads, and places nothing")];
  }
  if (answer.status === 429) {
    const fix = "Thirty orders were refused within ten minutes. Find out why; it ends by itself.";
    return [body, failed("orders", "placing is paused for a quarter of an hour", fix)];
  }
  return [body, ok("orders", "trade:place")];
}

/** The last request is one that passes, so that the refused ones above count for nothing. */
async function accountCheck(signing: Signing): Promise<Check> {
  const answer = await sent(signing, await prepareRead(signing));
  if (typeof answer === "string") return skipped("account", answer);
  const data = isRecord(answer.json) ? answer.json.data : null;
  if (!isRecord(data) || !isRecord(data.evaluation)) {
    return skipped("account", `the service answers ${answer.status} ${errorOf(answer)}`);
  }
  const { title, status } = data.evaluation;
  if (status === "provisioning") {
    return failed("account", `${String(title)} is not set up yet`, "Wait until it is provisioned.");
  }
  if (status === "eliminated") {
    return failed("account", `${String(title)} is eliminated`, "Reads go on; orders are refused.");
  }
  return ok("account", `${String(title)}, ${String(status)}`);
}

function errorOf({ json }: Answer): string {
  return isRecord(json) && typeof json.error === "string" ? json.error : "";
}

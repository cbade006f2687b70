import { isRecord, LIMITS, OPENAPI_PATH, TIME_PATH } from "@propgate/contract";
import type { Credentials } from "../profile/connection.ts";
import { type Answer, sendPrepared } from "../trading/prepared-request.ts";
import { rootMessageOf } from "../trading/refusal.ts";
import { type Check, failedCheck, okCheck, skippedCheck } from "./check.ts";

/** The result of the checks that `propgate doctor` makes before its first signed request. */
export interface Contact {
  readonly checks: readonly Check[];
  /**
   * Null when the service does not answer, or when the answer is not from Propgate. No further check is then possible.
   */
  readonly reached: {
    /** How far this machine's clock is ahead of the service's, in milliseconds; null when unknown. */
    readonly aheadMs: number | null;
    /** The brand word in the service's header names; null when unknown. */
    readonly brand: string | null;
  } | null;
}

/**
 * Makes the checks that need no signature: address, TLS, whether the service is Propgate, its clock and its brand word.
 */
export async function checkContact(credentials: Credentials, now: () => number): Promise<Contact> {
  const { baseUrl } = credentials;
  const before = now();
  const answer = await sendUnsigned(baseUrl, TIME_PATH);
  const after = now();
  if (answer instanceof Error) return { checks: unreachableChecks(baseUrl, answer), reached: null };
  const reachable = okCheck("address", `${baseUrl} answers, in ${after - before} ms`);
  const isService = isRecord(answer.json) && ("success" in answer.json || "error" in answer.json);
  if (!isService) {
    return {
      checks: [reachable, tlsCheck(baseUrl), notPropgateCheck(baseUrl, answer)],
      reached: null,
    };
  }
  const serverMs = serverTimeOf(answer);
  // The service read its clock about halfway between the request and the answer.
  const aheadMs = serverMs === null ? null : (before + after) / 2 - serverMs;
  const brand = await readServedBrand(baseUrl);
  return {
    checks: [
      reachable,
      tlsCheck(baseUrl),
      okCheck("service", "it is a Propgate service"),
      clockCheck(aheadMs),
      brandCheck(brand, credentials.brand),
    ],
    reached: { aheadMs, brand },
  };
}

async function sendUnsigned(baseUrl: string, target: string): Promise<Answer | Error> {
  try {
    return await sendPrepared(baseUrl, { method: "GET", target, headers: {}, body: null });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const NO_ANSWER = "the service does not answer";

function unreachableChecks(baseUrl: string, error: Error): readonly Check[] {
  const reason = rootMessageOf(error);
  if (codesOf(error).some((code) => NOT_TLS_CODES.has(code))) {
    return [
      okCheck("address", `${baseUrl} accepts connections`),
      failedCheck(
        "TLS",
        "the port answers with something other than TLS, such as plain HTTP",
        `If the service does not use TLS, use http: ${baseUrl.replace(/^https:/, "http:")}`,
      ),
    ];
  }
  if (isCertificateProblem(error)) {
    return [
      okCheck("address", `${baseUrl} accepts connections`),
      failedCheck(
        "TLS",
        reason,
        "The certificate is not trusted by this machine, belongs to another host, or has expired. Fix it on " +
          "the server, or set NODE_EXTRA_CA_CERTS for your own certificate authority.",
      ),
    ];
  }
  return [
    failedCheck(
      "address",
      `no answer from ${baseUrl}: ${reason}`,
      "Check that the service runs, that no firewall blocks it, and that --url has the right host, port and scheme.",
    ),
    skippedCheck("TLS", NO_ANSWER),
  ];
}

/** OpenSSL's error codes for an answer that is not TLS. */
const NOT_TLS_CODES: ReadonlySet<string> = new Set([
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
  "ERR_SSL_HTTP_REQUEST",
]);

/** True when Node's TLS rejected the certificate or the connection, by the error's codes. */
function isCertificateProblem(error: Error): boolean {
  return codesOf(error).some((code) =>
    /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|^ERR_(TLS|SSL)/.test(code),
  );
}

/** The codes of an error and of its causes. */
function codesOf(error: Error): readonly string[] {
  const own = "code" in error ? [String(error.code)] : [];
  return error.cause instanceof Error ? [...own, ...codesOf(error.cause)] : own;
}

function tlsCheck(baseUrl: string): Check {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === "https:")
    return okCheck("TLS", "the certificate is trusted and valid for the host");
  if (isPrivate(hostname)) return okCheck("TLS", "not used, and not needed in a private network");
  return failedCheck(
    "TLS",
    "requests are not encrypted: others in the network can read your account",
    "Use https://. The secret itself is never sent.",
  );
}

function isPrivate(host: string): boolean {
  const isName = !host.includes(".") && !host.startsWith("[");
  return isName || /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[::1\]$)/.test(host);
}

function notPropgateCheck(baseUrl: string, { status, headers }: Answer): Check {
  if ([502, 503, 504].includes(status)) {
    return failedCheck(
      "service",
      `${baseUrl} answers ${status}: a proxy in front answers, and the service may be restarting`,
      "Try again later. If it stays so, the proxy does not reach the service.",
    );
  }
  const where = headers.get("location");
  const moved = where === null ? "" : `; it redirects to ${where}`;
  return failedCheck(
    "service",
    `${baseUrl} answers ${status} and is not a Propgate service${moved}`,
    where === null
      ? "Check that --url is the service's own address, without a path."
      : "Use that address as --url: signed requests do not follow redirects.",
  );
}

function serverTimeOf({ json, headers }: Answer): number | null {
  const data = isRecord(json) ? json.data : null;
  if (isRecord(data) && typeof data.serverTimeMs === "number") return data.serverTimeMs;
  const date = Date.parse(headers.get("date") ?? "");
  // The `Date` header has whole seconds, so the middle of the second is the best estimate.
  return Number.isNaN(date) ? null : date + 500;
}

const NOTABLE_SKEW_MS = 30_000;

function clockCheck(aheadMs: number | null): Check {
  if (aheadMs === null) return skippedCheck("clock", "the service does not publish its time");
  const side = aheadMs > 0 ? "ahead of" : "behind";
  const distance = `this machine's clock is ${durationText(Math.abs(aheadMs))} ${side} the service's`;
  const allowed = `${LIMITS.timestampSkewMs / 60_000} minutes are allowed`;
  if (Math.abs(aheadMs) > LIMITS.timestampSkewMs) {
    return failedCheck(
      "clock",
      `${distance}; ${allowed}`,
      "Set the clock: enable NTP (timedatectl set-ntp true). A sandbox, and a replay with its own time, have another clock on purpose. The other checks use the service's time.",
    );
  }
  const drifts = Math.abs(aheadMs) > NOTABLE_SKEW_MS ? `; ${allowed}, so correct it soon` : "";
  return okCheck("clock", distance + drifts);
}

function durationText(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} minutes`;
  return ms < 172_800_000
    ? `${Math.round(ms / 3_600_000)} hours`
    : `${Math.round(ms / 86_400_000)} days`;
}

/** The brand word in the service's published OpenAPI document; null when it cannot be read. */
async function readServedBrand(baseUrl: string): Promise<string | null> {
  const answer = await sendUnsigned(baseUrl, OPENAPI_PATH);
  if (answer instanceof Error || answer.status !== 200) return null;
  return /"X-([A-Za-z0-9-]{1,32})-Key-Id"/.exec(answer.text)?.[1] ?? null;
}

function brandCheck(served: string | null, given: string): Check {
  if (served === null)
    return skippedCheck("brand", "the service does not publish its header names");
  // Header names are case-insensitive.
  if (served.toLowerCase() === given.toLowerCase())
    return okCheck("brand", `X-${served}-… headers`);
  return failedCheck(
    "brand",
    `the service expects X-${served}-… headers, but X-${given}-… are sent`,
    `Add --brand ${served}, or set PROPGATE_BRAND=${served}. The other checks use it.`,
  );
}

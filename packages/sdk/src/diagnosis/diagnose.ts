import { canonicalString, isNonce, isWithinSkew, LIMITS, parseTimestamp } from "@propgate/contract";
import { hexOf } from "../byte-text.ts";
import { type Digests, webDigests } from "../digests.ts";
import { compareSigned } from "./compare-canonical.ts";
import { explainSignature } from "./search.ts";
import type { Finding, Seen, Sent } from "./sent.ts";

/** The result of `diagnose`: whether the request is right, its mistakes, and the string that it had to sign. */
export interface Diagnosis {
  /**
   * `valid`: no mistake was found. `wrong`: `findings` has the mistakes. `unexplained`: no other mistake was found, and
   * the signature is wrong in no known way, or cannot be checked without the secret. `findings` then has one item about
   * the signature.
   */
  readonly verdict: "valid" | "wrong" | "unexplained";
  readonly findings: readonly Finding[];
  /** The canonical string that the service expects. */
  readonly canonical: string;
  readonly bodySha256: string;
}

/** The known facts about a request whose signature is examined. */
export interface Evidence {
  readonly sent: Sent;
  /** The key's secret. Null when it is not given; then everything except the signature can be checked. */
  readonly secret: string | null;
  /** The canonical string that the client built; null when it is not known. */
  readonly signedCanonical: string | null;
  readonly seen: Seen;
  /** The server's time, or this machine's when that is not known; milliseconds since the Unix epoch. */
  readonly nowMs: number;
}

/**
 * Finds the mistakes for which the service rejects a request: in its signature, in its timestamp or nonce, and changes
 * on the way to the service. When a signature has several mistakes or an unknown one, this takes some seconds for tens
 * of thousands of candidates. @rule S5.canonical
 */
export async function diagnose(
  evidence: Evidence,
  digests: Digests = webDigests,
): Promise<Diagnosis> {
  const { sent, secret } = evidence;
  const bodySha256 = hexOf(await digests.sha256(sent.body));
  const { target, timestamp, nonce } = sent;
  const method = sent.method.toUpperCase();
  const canonical = canonicalString({ method, target, timestamp, nonce, bodySha256 });
  const facts = { canonical, bodySha256 };
  const explained = secret === null ? null : await explainSignature({ sent, secret }, digests);
  const compared =
    evidence.signedCanonical === null ? [] : compareSigned(evidence.signedCanonical, canonical);
  const findings = [
    ...(explained ?? []),
    // The client's canonical string is compared only when the signature shows no mistake, or cannot be checked without
    // the secret.
    ...(explained === null || explained.length === 0 ? compared : []),
    ...changesInTransit(evidence, bodySha256),
    ...timestampAndNonceFindings(evidence),
  ];
  if (findings.length > 0) return { verdict: "wrong", findings, ...facts };
  if (explained === null) {
    return { verdict: "unexplained", findings: [unexplainedFinding(evidence)], ...facts };
  }
  return { verdict: "valid", findings, ...facts };
}

/** The findings about differences between the request that was sent and the request that the server saw. */
function changesInTransit({ sent, seen }: Evidence, bodySha256: string): readonly Finding[] {
  const findings: Finding[] = [];
  if (seen.target !== null && seen.target !== sent.target) {
    findings.push({
      part: "target",
      problem: `the server saw ${seen.target}`,
      fix: "The HTTP library or a proxy rewrites it: sign the target that the server sees, or disable the rewriting.",
    });
  }
  if (seen.bodySha256 !== null && seen.bodySha256.toLowerCase() !== bodySha256) {
    findings.push({
      part: "body",
      problem: `the server saw a body with SHA-256 ${seen.bodySha256}`,
      fix: "The HTTP library serialises the body again, or a proxy changes it: pass it finished bytes.",
    });
  }
  return findings;
}

/** The findings of the checks that the server makes before and after the signature: timestamp and nonce. @rule D2.2 */
function timestampAndNonceFindings({ sent, nowMs }: Evidence): readonly Finding[] {
  const findings: Finding[] = [];
  const timestampMs = parseTimestamp(sent.timestamp);
  if (timestampMs === null) {
    findings.push({
      part: "timestamp",
      problem: `${JSON.stringify(sent.timestamp)} is ${timestampKind(sent.timestamp)}`,
      fix: "Send whole milliseconds since the Unix epoch in decimal digits, such as 1700000000000.",
    });
  } else if (!isWithinSkew(timestampMs, nowMs)) {
    const seconds = Math.round((timestampMs - nowMs) / 1000);
    const side = seconds > 0 ? "ahead" : "behind";
    findings.push({
      part: "clock",
      problem: `the timestamp is ${Math.abs(seconds)} s ${side}; ${LIMITS.timestampSkewMs / 1000} s are allowed`,
      fix: "Set the machine's clock (NTP), and read the clock for every request and every retry.",
    });
  }
  if (!isNonce(sent.nonce)) {
    findings.push({
      part: "nonce",
      problem: "it is not 1 to 128 printable ASCII characters",
      fix: "Send 16 new random bytes in hex with every request.",
    });
  }
  return findings;
}

function timestampKind(timestamp: string): string {
  if (/^\d{9,11}$/.test(timestamp)) return "in seconds";
  if (/^\d+\.\d*$/.test(timestamp)) return "a fraction";
  if (/^\d{4}-\d\d-\d\d/.test(timestamp)) return "a date";
  if (/^\d{17,}$/.test(timestamp)) return "in microseconds or nanoseconds";
  return timestamp === "" ? "empty" : "not a number of milliseconds";
}

function unexplainedFinding({ secret, sent }: Evidence): Finding {
  if (secret === null) {
    return {
      part: "signature",
      problem: "without the secret no difference is visible",
      fix: "Provide the key's secret too, so that the signature itself can be checked.",
    };
  }
  const wrongForm = !/^v1=[A-Za-z0-9+/]{43}=$/.test(sent.signature);
  if (wrongForm) {
    return {
      part: "signature",
      problem: "it is not v1= followed by 44 characters of base64",
      fix: "Sign with HMAC-SHA256 and send v1= and the base64 of its 32 bytes.",
    };
  }
  return {
    part: "secret",
    problem:
      "no known mistake explains this signature: most likely it was made with another secret",
    fix: "Check that key id and secret belong together; compare your canonical string with the one below.",
  };
}

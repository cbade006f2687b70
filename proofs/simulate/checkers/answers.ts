/** Reads from an answer whether the request's nonce was used, and the parts of its body. */
import type { Call, Exchange } from "../history.ts";

/** The result of the gates, as far as the client can know it. */
export type Admittance =
  /** No answer, or an unspecific fault: the nonce may be used. */
  | "unknown"
  /** Refused by checks 1 to 6: nothing is stored. */
  | "stranger"
  /** 409: the nonce had been used before. */
  | "used"
  /** Passed check 7; the rest of the answer does not matter. */
  | "passed";

const UNSPECIFIC = new Set(["Internal error", "Invalid key"]);
/**
 * While the database is unavailable a request may end before or after its nonce is stored.
 * @rule S7.R1 D5.networkDown
 */
const UNREACHABLE = /validator unreachable|network is unreachable/;
const STRANGERS = new Set(["Decrypt failed", "request body is larger than 64 KiB"]);

export function admittanceOf({ outcome }: Exchange): Admittance {
  if (outcome.kind === "lost") return "unknown";
  const error = errorOf(outcome.body);
  if (outcome.status >= 500 && error === null) return "unknown";
  // A key that another node revoked is detected after the admission.
  if (error !== null && (UNSPECIFIC.has(error) || UNREACHABLE.test(error))) return "unknown";
  if (outcome.status === 401 || (error !== null && STRANGERS.has(error))) return "stranger";
  return outcome.status === 409 ? "used" : "passed";
}

/** The text of a failure; null for anything else. */
export function errorOf(body: unknown): string | null {
  const { error } = fieldsOf(body);
  return typeof error === "string" ? error : null;
}

/** The data of a success; null when there is none. */
export function dataOf({ outcome }: Exchange): unknown {
  if (outcome.kind === "lost" || outcome.status !== 200) return null;
  return fieldsOf(outcome.body).data ?? null;
}

/** The fields of an object; empty for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** The identity of a request, which its copies share. */
export function identityOf({
  keyId,
  nonce,
}: {
  readonly keyId: string;
  readonly nonce: string;
}): string {
  return `${keyId} ${nonce}`;
}

function bodyOf(call: Exclude<Call, { readonly kind: "read" }>): Readonly<Record<string, unknown>> {
  return call.kind === "trade" ? call.trade : call.body;
}

/** The name of a request in a finding. */
export function named({ id, node, call }: Exchange): string {
  const what = call.kind === "read" ? call.target : JSON.stringify(bodyOf(call));
  return `exchange ${id} on node ${node} (${what})`;
}

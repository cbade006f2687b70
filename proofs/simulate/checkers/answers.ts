/** Reads from an answer whether the request's nonce was used, and the parts of its body. */
import type { ClientCall, HttpExchange } from "../checker.ts";

/** The part of the gates' result that the client can know. */
export type Admittance =
  /** No answer came, or the answer is a fault that does not show whether the nonce was stored. */
  | "unknown"
  /** One of the checks 1 to 6 (D2.order) refused the request: its nonce is not stored. */
  | "stranger"
  /** The answer is 409: the nonce had been used before. */
  | "used"
  /** The request passed check 7 (D2.7), the admission of its nonce; the rest of the answer does not matter. */
  | "passed";

const UNSPECIFIC = new Set(["Internal error", "Invalid key"]);
/**
 * The errors while the database is unavailable. A request that ends with one of them may have ended before or after its
 * nonce was stored. @rule S7.R1 D5.networkDown
 */
const UNREACHABLE = /validator unreachable|network is unreachable/;
const STRANGERS = new Set(["Decrypt failed", "request body is larger than 64 KiB"]);

/** The admittance that the outcome of an exchange shows. */
export function admittanceOf({ outcome }: HttpExchange): Admittance {
  if (outcome.kind === "lost") return "unknown";
  const error = errorTextOf(outcome.body);
  if (outcome.status >= 500 && error === null) return "unknown";
  // These errors do not show whether the nonce was stored. `Invalid key` is one of them, because a node may learn only
  // after the admission that another node has revoked the key.
  if (error !== null && (UNSPECIFIC.has(error) || UNREACHABLE.test(error))) return "unknown";
  if (outcome.status === 401 || (error !== null && STRANGERS.has(error))) return "stranger";
  return outcome.status === 409 ? "used" : "passed";
}

/** The error text of an answer's body; null for any other value. */
export function errorTextOf(body: unknown): string | null {
  const { error } = fieldsOf(body);
  return typeof error === "string" ? error : null;
}

/** The `data` of an answer of 200; null for any other outcome. */
export function answeredDataOf({ outcome }: HttpExchange): unknown {
  if (outcome.kind === "lost" || outcome.status !== 200) return null;
  return fieldsOf(outcome.body).data ?? null;
}

/** The fields of an object; an empty object for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** The identity of a request, which all its copies share. */
export function requestIdentityOf({
  keyId,
  nonce,
}: {
  readonly keyId: string;
  readonly nonce: string;
}): string {
  return `${keyId} ${nonce}`;
}

function bodyOf(
  call: Exclude<ClientCall, { readonly kind: "read" }>,
): Readonly<Record<string, unknown>> {
  return call.kind === "trade" ? call.trade : call.body;
}

/** The description of a request in a finding. */
export function requestText({ id, node, call }: HttpExchange): string {
  const what = call.kind === "read" ? call.target : JSON.stringify(bodyOf(call));
  return `exchange ${id} on node ${node} (${what})`;
}

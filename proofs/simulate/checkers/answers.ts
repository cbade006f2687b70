/** What an answer says of the request's nonce, and what is in its body. */
import type { Exchange } from "../history.ts";

/** What the gates made of a request, as its client can tell. */
export type Admittance =
  /** Nothing came back, or a fault that says nothing: its nonce may be used up. */
  | "unknown"
  /** Refused at checks 1 to 6: nothing of it is stored. */
  | "stranger"
  /** 409: the nonce had been used before. */
  | "used"
  /** Let through check 7, whatever came then. */
  | "passed";

const SAYS_NOTHING = new Set(["Internal error", "Invalid key"]);
/** While the database is away a request ends before its nonce is stored, or after. @rule S7.R1 D5.networkDown */
const UNREACHABLE = /validator unreachable|network is unreachable/;
const STRANGERS = new Set(["Decrypt failed", "request body is larger than 64 KiB"]);

export function admittanceOf({ outcome }: Exchange): Admittance {
  if (outcome.kind === "lost") return "unknown";
  const error = errorOf(outcome.body);
  if (outcome.status >= 500 && error === null) return "unknown";
  // A key that another node revoked is found out behind the admission.
  if (error !== null && (SAYS_NOTHING.has(error) || UNREACHABLE.test(error))) return "unknown";
  if (outcome.status === 401 || (error !== null && STRANGERS.has(error))) return "stranger";
  return outcome.status === 409 ? "used" : "passed";
}

/** The text of a failure; null for anything else. */
export function errorOf(body: unknown): string | null {
  const { error } = fieldsOf(body);
  return typeof error === "string" ? error : null;
}

/** The data of a success; null without one. */
export function dataOf({ outcome }: Exchange): unknown {
  if (outcome.kind === "lost" || outcome.status !== 200) return null;
  return fieldsOf(outcome.body).data ?? null;
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** One request of one key, however often it was sent. */
export function identityOf({
  keyId,
  nonce,
}: {
  readonly keyId: string;
  readonly nonce: string;
}): string {
  return `${keyId} ${nonce}`;
}

/** How a finding names a request. */
export function named({ id, node, call }: Exchange): string {
  const what = call.kind === "read" ? call.target : JSON.stringify(call.trade);
  return `exchange ${id} on node ${node} (${what})`;
}

import { createHmac } from "node:crypto";
import type { Chance } from "@propgate/base";

const SECRET_BYTES = 32;
const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** The three parts that a signature of Standard Webhooks covers. */
interface SignedContent {
  /**
   * The header `webhook-id`, the same at every attempt. It has no dot, because a dot separates it from the timestamp in
   * the signed text.
   */
  readonly id: string;
  /** The attempt's time in whole Unix seconds. */
  readonly timestampS: number;
  readonly body: string;
}

/**
 * Draws a secret in the form that the libraries of Standard Webhooks require: `whsec_` and 32 random bytes in padded
 * base64.
 */
export function generateWebhookSecret(chance: Chance): string {
  return `whsec_${Buffer.from(chance.bytes(SECRET_BYTES)).toString("base64")}`;
}

/** Whether a text has the form of a secret: `whsec_` and at least one byte in padded base64. */
export function isWebhookSecret(text: string): boolean {
  return (SECRET.exec(text)?.[1] ?? "") !== "";
}

/** Makes the 64 bytes of an Ed25519 signature. */
export type SignEd25519 = (bytes: Uint8Array) => Promise<Uint8Array>;

/** The secrets and the function that sign a delivery. */
export interface WebhookSigners {
  /** One secret, or two during a rotation with the new one first. */
  readonly secrets: readonly string[];
  /**
   * Makes the `v1a` signature, for receivers that verify with a public key; null when the endpoint has no such
   * signature.
   */
  readonly sign: SignEd25519 | null;
}

/**
 * The headers of Standard Webhooks: id, timestamp and signatures. There is one `v1` signature for each secret in their
 * order, then the `v1a` signature with the installation's key, unless `sign` is null. @rule D9.webhookKey decides
 * @throws Error without a secret, or with one of another form
 */
export async function signWebhook(
  { id, timestampS, body }: SignedContent,
  { secrets, sign }: WebhookSigners,
): Promise<Readonly<Record<string, string>>> {
  if (secrets.length === 0) throw new Error("broken invariant: a webhook without a secret");
  const content = `${id}.${timestampS}.${body}`;
  const signatures = secrets.map((secret) => `v1,${computeSignature(content, secret)}`);
  if (sign !== null) {
    const made = await sign(Buffer.from(content));
    signatures.push(`v1a,${Buffer.from(made).toString("base64")}`);
  }
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestampS),
    "webhook-signature": signatures.join(" "),
  };
}

function computeSignature(content: string, secret: string): string {
  const key = SECRET.exec(secret)?.[1] ?? "";
  if (key === "") throw new Error("broken invariant: a webhook's secret has another form");
  return createHmac("sha256", Buffer.from(key, "base64")).update(content).digest("base64");
}

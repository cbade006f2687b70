import { createHmac } from "node:crypto";
import type { Chance } from "@propgate/base";

const SECRET_BYTES = 32;
const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** A signature of Standard Webhooks covers all three. */
interface SignedContent {
  /** The same at every attempt; without a dot. */
  readonly id: string;
  /** The attempt's time in whole Unix seconds. */
  readonly timestampS: number;
  readonly body: string;
}

/** A secret as the libraries of Standard Webhooks read it: `whsec_` and 32 random bytes in padded base64. */
export function newWebhookSecret(chance: Chance): string {
  return `whsec_${Buffer.from(chance.bytes(SECRET_BYTES)).toString("base64")}`;
}

/** Whether a text is a secret that signs. */
export function isWebhookSecret(text: string): boolean {
  return (SECRET.exec(text)?.[1] ?? "") !== "";
}

/** Makes the 64 bytes of an Ed25519 signature. */
export type SignPublicly = (bytes: Uint8Array) => Promise<Uint8Array>;

/** How a delivery is signed. */
export interface WebhookSigners {
  /** One, or two during a rotation with the new one first. */
  readonly secrets: readonly string[];
  /** Signs for receivers that verify with a public key; null when none does. */
  readonly sign: SignPublicly | null;
}

/**
 * The headers of Standard Webhooks, with a `v1` signature of each secret in their order, then the `v1a` signature.
 * @rule D9.webhookKey decides
 * @throws Error without a secret, or with one of another form
 */
export async function signWebhook(
  { id, timestampS, body }: SignedContent,
  { secrets, sign }: WebhookSigners,
): Promise<Readonly<Record<string, string>>> {
  if (secrets.length === 0) throw new Error("broken invariant: a webhook without a secret");
  const content = `${id}.${timestampS}.${body}`;
  const signatures = secrets.map((secret) => `v1,${signature(content, secret)}`);
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

function signature(content: string, secret: string): string {
  const key = SECRET.exec(secret)?.[1] ?? "";
  if (key === "") throw new Error("broken invariant: a webhook's secret has another form");
  return createHmac("sha256", Buffer.from(key, "base64")).update(content).digest("base64");
}

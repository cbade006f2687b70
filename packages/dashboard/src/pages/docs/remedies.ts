import type { RetryClass } from "@propgate/contract";

const REMEDIES: Readonly<Record<RetryClass, string>> = {
  afterFixing: "Correct the request, sign it again with a fresh nonce, and send it.",
  withBackoff: "Sign the request again and retry later. Wait longer before each retry.",
  never: "Do not retry: the same request is always rejected.",
};

const RECEIPT_FIRST =
  "Sign a read again with a fresh nonce. For an order, read the receipt of its nonce first: " +
  "sent again under a fresh nonce, it may be carried out twice.";

/** Errors after which an order may have been carried out. */
const FATE_IS_OPEN: ReadonlySet<string> = new Set(["nonceUsed", "unknownFate", "internal"]);

/** The next step of a client after this error. @rule S4.2.notIdempotent */
export function remedyOf(name: string, retry: RetryClass): string {
  return FATE_IS_OPEN.has(name) ? RECEIPT_FIRST : REMEDIES[retry];
}

import type { WriteId } from "../../storage/rows/receipt-store-port.ts";
import type { Submission } from "../executor-port.ts";

/** A receipt's key and nonce as one text, for maps in memory. */
export function receiptKey({ keyId, nonce }: WriteId): string {
  return `${keyId}\n${nonce}`;
}

/**
 * The key id in the receipts of commands without a key. No key has such an id, so no client can read these receipts.
 */
const COMMAND = "command";

/** The key and the nonce of the receipt that commits with the command; null for a command without a receipt. */
export function receiptIdOf({
  origin,
  commandId,
}: Pick<Submission, "origin" | "commandId">): WriteId | null {
  if (origin.by === "key") return { keyId: origin.keyId, nonce: origin.nonce };
  return commandId === undefined ? null : { keyId: COMMAND, nonce: commandId };
}

import type { WriteId } from "../../storage/rows/receipt-store-port.ts";
import type { Submission } from "../executor-port.ts";

/** A receipt's key and nonce as one text, for maps in memory. */
export function receiptKey({ keyId, nonce }: WriteId): string {
  return `${keyId}\n${nonce}`;
}

/** Instead of a key's id in the receipts of other commands; no key has such an id, so no client can read them. */
const COMMAND = "command";

/** The key and the nonce of the command's receipt, which commits with it; null for a command without a receipt. */
export function receiptOf({
  origin,
  commandId,
}: Pick<Submission, "origin" | "commandId">): WriteId | null {
  if (origin.by === "key") return { keyId: origin.keyId, nonce: origin.nonce };
  return commandId === undefined ? null : { keyId: COMMAND, nonce: commandId };
}

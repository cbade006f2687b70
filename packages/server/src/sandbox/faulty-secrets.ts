import type { SecretBox } from "@propgate/access";
import type { FaultBoard } from "./faults.ts";

/** Wraps the box so that it opens no secret while the board demands that fault. @rule D2.5 */
export function withFaultySecrets(box: SecretBox, board: FaultBoard): SecretBox {
  return {
    ...box,
    open: (keyId, sealed) => (board.read().secrets === "ok" ? box.open(keyId, sealed) : null),
  };
}

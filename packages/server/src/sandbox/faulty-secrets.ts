import type { SecretBox } from "@propgate/access";
import type { FaultBoard } from "./faults.ts";

/**
 * Wraps the box that opens the sealed secrets of keys, so that it opens none while the fault board has the fault of
 * `secrets`. @rule D2.5
 */
export function withFaultySecrets(box: SecretBox, board: FaultBoard): SecretBox {
  return {
    ...box,
    open: (keyId, sealed) => (board.read().secrets === "ok" ? box.open(keyId, sealed) : null),
  };
}

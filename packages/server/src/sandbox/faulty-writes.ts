import { UnknownFate } from "@propgate/ledger";
import type { JsonReply } from "../calls/json/json-reply.ts";
import type { CarryOutWrite } from "../calls/operator/operator-interface.ts";
import type { FaultBoard } from "./faults.ts";

/**
 * Loses the answer to one write while the fault is switched on. Repeating the write with its key shows whether it was
 * carried out.
 */
export function withLostAnswers(board: FaultBoard): CarryOutWrite {
  return async (write) => {
    const { operator: fault } = board.read();
    if (fault === "ok") return write();
    board.set({ operator: "ok" });
    if (fault === "acceptThenDrop") await toItsEnd(await write());
    throw new UnknownFate(new Error(`the fault operator ${fault} of the sandbox`));
  };
}

/** The rows of a bulk are carried out while its answer is read. */
async function toItsEnd(reply: JsonReply): Promise<void> {
  if (!("content" in reply)) return;
  for await (const piece of reply.content) void piece;
}

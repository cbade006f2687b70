import { UnknownFate } from "@propgate/ledger";
import type { JsonReply } from "../calls/json/json-reply.ts";
import type { CarryOutWrite } from "../calls/operator/operator-interface.ts";
import type { FaultBoard } from "./faults.ts";

/**
 * Returns a wrapper that loses the answer to one write while the fault board has the fault of `operator`. When the
 * client repeats the write with its key, it learns whether the write was carried out.
 */
export function withLostAnswers(board: FaultBoard): CarryOutWrite {
  return async (write) => {
    const { operator: fault } = board.read();
    if (fault === "ok") return write();
    board.set({ operator: "ok" });
    if (fault === "acceptThenDrop") await readToEnd(await write());
    throw new UnknownFate(new Error(`the fault operator ${fault} of the sandbox`));
  };
}

/** Reads an answer to its end, because the rows of a bulk are carried out while its answer is read. */
async function readToEnd(reply: JsonReply): Promise<void> {
  if (!("content" in reply)) return;
  for await (const piece of reply.content) void piece;
}

import type { WaitAside } from "@propgate/ledger";
import type { EndRead, ExpensiveReads } from "@propgate/wire";
import type { Handler, HandlerInput, HandlerOutcome } from "./routes/handler.ts";

/** A handler that reads and renders much data. */
export type BoundedHandler = (
  input: HandlerInput & {
    /**
     * Frees the read's slot while the handler waits, so that other reads can use the slot. Acquires a slot again
     * afterwards. False when no slot became free in time.
     */
    readonly waitWithoutSlot: WaitAside;
  },
) => Promise<HandlerOutcome>;

/**
 * Runs the handler as an expensive read, which ends when its answer is rendered. The answer is a 429 when no slot for
 * the read becomes free in time.
 */
export function asExpensiveRead(reads: ExpensiveReads, handler: BoundedHandler): Handler {
  return async (input) => {
    let endRead = await reads.begin(input.accountId);
    if (endRead === null) return { ok: false, rejection: { error: "rateLimited" } };
    const end: EndRead = () => endRead?.();
    const aside: WaitAside = async (waiting) => {
      end();
      await waiting;
      endRead = await reads.begin(input.accountId);
      return endRead !== null;
    };
    let isStreamed = false;
    try {
      const outcome = await handler({ ...input, waitWithoutSlot: aside });
      if (!outcome.ok || typeof outcome.json === "string") return outcome;
      isStreamed = true;
      // The read also ends when its client has disconnected, even if no byte of the answer was sent.
      const stopListening = input.untilOver(end);
      const done = (): void => {
        stopListening();
        end();
      };
      return { ...outcome, json: endingWith(outcome.json, done) };
    } finally {
      if (!isStreamed) end();
    }
  };
}

async function* endingWith(
  pieces: AsyncIterable<Uint8Array>,
  end: EndRead,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } finally {
    end();
  }
}

import type { Execution, Executor, OrderSubmission, Submission } from "../executor-port.ts";
import { UnknownFate } from "../network/unknown-fate.ts";
import { CarriedOutBefore } from "../receipts/carried-out-before.ts";
import { NotCarriedOut } from "../receipts/not-carried-out.ts";
import { receiptKey, receiptOf } from "../receipts/receipt-key.ts";
import type { AnsweredBefore } from "./answered-before.ts";

/** Carries out commands of this node's own accounts, each with a receipt at most once however often it comes. */
export interface OwnCommands {
  /**
   * `isAgain`: the command may have been carried out before.
   * @throws NotOwner, UnknownFate, NotCarriedOut as the executor
   */
  carryOut(submission: Submission | OrderSubmission, isAgain: boolean): Promise<Execution>;
}

/**
 * Passing a command twice is safe. It has one receipt, which commits with it:
 * - While the first is under way in this process, the second gets its result.
 * - When the first was committed, by this node or another one, the second is answered from the receipt. A batch that
 *   decides it again cannot write a second receipt, so nothing of it is written.
 * - A former owner that still has the first cannot write it: the fence compares the epochs of its leases.
 */
export function createOwnCommands(options: {
  readonly local: Pick<Executor, "submit">;
  readonly answeredBefore: AnsweredBefore;
}): OwnCommands {
  const { local, answeredBefore } = options;
  const underWay = new Map<string, Promise<Execution>>();

  /** An earlier passing may have been carried out, so the fate is unknown while its receipt cannot be read. */
  const earlier = (submission: Submission | OrderSubmission): ReturnType<AnsweredBefore> =>
    answeredBefore(submission).catch((cause: unknown) => {
      throw cause instanceof NotCarriedOut ? cause : new UnknownFate(cause);
    });
  const decide = async (
    submission: Submission | OrderSubmission,
    isAgain: boolean,
  ): Promise<Execution> => {
    const before = isAgain ? await earlier(submission) : null;
    if (before !== null) return before;
    try {
      return await local.submit(submission);
    } catch (cause) {
      if (!(cause instanceof CarriedOutBefore)) throw cause;
      const answered = await earlier(submission);
      if (answered === null) throw cause;
      return answered;
    }
  };
  return {
    carryOut(submission, isAgain) {
      const receipt = receiptOf(submission);
      if (receipt === null) return local.submit(submission);
      const id = receiptKey(receipt);
      const first = underWay.get(id);
      if (first !== undefined) return first;
      const deciding = decide(submission, isAgain).finally(() => underWay.delete(id));
      underWay.set(id, deciding);
      return deciding;
    },
  };
}

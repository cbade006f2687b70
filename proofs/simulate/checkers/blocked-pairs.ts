/** No fill opens or adds on a pair that is blocked, or that is outside the account's class. */
import type { AccountState, Instruments } from "@propgate/core";
import type { Checker, Finding, Observation } from "../checker.ts";
import type { JournalLine, JournalReader } from "./journal-reader.ts";

/** Finds fills that open or add where the account may not. @rule D13.blocked D13.retired */
export class BlockedPairs implements Checker {
  readonly name = "blocked pairs";
  readonly #journal: JournalReader;

  constructor(journal: JournalReader) {
    this.#journal = journal;
  }

  async check(at: Observation): Promise<readonly Finding[]> {
    const { moved, accounts } = await this.#journal.news(at);
    return moved.flatMap(({ head: { accountId }, lines }) => {
      const state = accounts.get(accountId)?.state;
      if (state === undefined) return [];
      return lines.flatMap((line) => {
        const problem = fillProblem(line, state, at.instruments);
        return problem === null ? [] : [{ checker: this.name, accountId, message: problem }];
      });
    });
  }
}

function fillProblem(
  { seq, event }: JournalLine,
  { terms }: AccountState,
  instruments: Instruments,
): string | null {
  if (event.type !== "orderFilled" || (event.effect !== "open" && event.effect !== "add"))
    return null;
  const instrument = instruments.get(event.pair);
  const isOutside =
    terms.assetClass !== "allMarkets" && terms.assetClass !== instrument?.assetClass;
  if (instrument?.blocked === false && !isOutside) return null;
  return `line ${seq}: a ${event.kind} fill of ${event.pair}, which is ${isOutside ? "outside the account's class" : "blocked"}`;
}

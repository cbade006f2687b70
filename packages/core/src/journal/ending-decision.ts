/** The decision that ended an account, found in its journal. */
import { evolve } from "../evolve/evolve.ts";
import type { AccountState, Elimination } from "../state/account.ts";
import type { Event } from "../state/event.ts";
import type { Moment } from "../state/moment.ts";
import { momentOfHoldings } from "../state/pending-actions.ts";
import type { JournalRow } from "./chain.ts";
import { type DecisionInputs, decodeInputs } from "./decision-inputs.ts";
import { parseCatalogue } from "./input-hashes.ts";
import { momentOfInputs } from "./moment-of-inputs.ts";
import { parseEvent } from "./parse-event.ts";

export interface EndingDecision {
  readonly elimination: Elimination;
  /** The number of the line that says so. */
  readonly sequence: number;
  /** The account when it was judged: before its positions were closed. */
  readonly judged: AccountState;
  /** The quotes and the catalogue by which it was judged, in the scale of its positions. */
  readonly moment: Moment;
  readonly inputs: DecisionInputs;
}

/** Searches the lines of a journal for its end. */
export interface EndingSearch {
  /**
   * Reads the next line; null unless it is the end.
   * @throws when the lines are not those of a journal, or the catalogue is missing
   */
  read(line: Pick<JournalRow, "seq" | "command" | "event" | "inputs">): EndingDecision | null;
}

/** `catalogues` has the texts by the hashes that inputs name; `start` is the account before the first line. */
export function searchEnding(
  catalogues: ReadonlyMap<string, string>,
  start: AccountState | null,
): EndingSearch {
  let state = start;
  let begun: { readonly command: string; readonly inputs: string } | null = null;
  let judged: AccountState | null = null;
  return {
    read(line) {
      const event = parseEvent(line.event);
      if (line.inputs !== null) {
        begun = { command: line.command, inputs: line.inputs };
        judged = null;
      }
      if (judged === null && isForcedFill(event)) judged = state;
      if (event.type === "accountEliminated") {
        const account = judged ?? state;
        if (account === null || begun === null) throw new Error("its end has no beginning");
        const { elimination } = event;
        return { ...momentOf(account, begun, catalogues), elimination, sequence: line.seq };
      }
      state = evolve(state, event);
      return null;
    },
  };
}

function isForcedFill(event: Event): boolean {
  return event.type === "orderFilled" && event.kind === "elimination";
}

function momentOf(
  judged: AccountState,
  begun: { readonly command: string; readonly inputs: string },
  catalogues: ReadonlyMap<string, string>,
): Pick<EndingDecision, "judged" | "moment" | "inputs"> {
  const inputs = decodeInputs(begun.inputs, begun.command);
  if (inputs === null) throw new Error("the inputs of its end have the format of another release");
  const catalogue = catalogues.get(inputs.catalogue);
  if (catalogue === undefined) throw new Error(`the catalogue ${inputs.catalogue} is missing`);
  const moment = momentOfInputs(inputs, parseCatalogue(catalogue));
  return { judged, inputs, moment: momentOfHoldings(judged, moment) };
}

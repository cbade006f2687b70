/** The decision that ended an account, found in its journal. */
import { evolve } from "../evolve/evolve.ts";
import type { PairId } from "../ids.ts";
import type { AccountState, Elimination } from "../state/account.ts";
import type { Event } from "../state/event.ts";
import type { Moment } from "../state/moment.ts";
import { momentOfHoldings } from "../state/pending-actions.ts";
import type { JournalRow } from "./chain.ts";
import { type DecisionInputs, decodeInputs } from "./decision-inputs.ts";
import { parseCatalogue } from "./input-hashes.ts";
import { momentOfInputs } from "./moment-of-inputs.ts";
import { parseEvent } from "./parse-event.ts";

/** An elimination, as far as the lines of its own decision show it. */
export interface RecordedEnd {
  readonly elimination: Elimination;
  /** The number of the line with the elimination. */
  readonly sequence: number;
  /** The pairs of the positions that the elimination closed. */
  readonly held: readonly PairId[];
  /** The moment of the decision: its quotes and its catalogue. */
  readonly moment: Moment;
  readonly inputs: DecisionInputs;
}

/** An elimination with the account that was judged. That account follows only from all lines before the elimination. */
export interface EndingDecision extends Omit<RecordedEnd, "held"> {
  /** The account when it was judged, before its positions were closed. */
  readonly judged: AccountState;
  /** The moment of the decision, with its quotes in the scale of the account's holdings. */
  readonly moment: Moment;
}

type EndingLine = Pick<JournalRow, "seq" | "command" | "event" | "inputs">;

/** Searches the lines of a journal for the account's elimination. */
export interface EndingSearch {
  /**
   * Reads the next line. Returns the elimination when the line records it, else null.
   * @throws when the lines are not those of a journal, or the catalogue is missing
   */
  read(line: EndingLine): EndingDecision | null;
}

/**
 * Begins a search. `catalogues` has the texts of catalogues by the hashes that inputs name; `start` is the account
 * before the first line.
 */
export function searchEnding(
  catalogues: ReadonlyMap<string, string>,
  start: AccountState | null,
): EndingSearch {
  let state = start;
  let begun: DecisionStart | null = null;
  let judged: AccountState | null = null;
  return {
    read(line) {
      const event = parseEvent(line.event);
      if (line.inputs !== null) {
        begun = { command: line.command, inputs: line.inputs };
        judged = null;
      }
      if (judged === null && forcedExitPair(event) !== null) judged = state;
      if (event.type === "accountEliminated") {
        const account = judged ?? state;
        if (account === null || begun === null) throw new Error("its end has no beginning");
        const { elimination } = event;
        const { inputs, moment } = recordedMoment(begun, catalogues);
        return {
          judged: account,
          inputs,
          moment: momentOfHoldings(account, moment),
          elimination,
          sequence: line.seq,
        };
      }
      state = evolve(state, event);
      return null;
    },
  };
}

/**
 * The elimination in the lines of the decision that ended an account. All positions that the account held were closed
 * by that decision.
 * @throws when the lines are not those of such a decision, or the catalogue is missing
 */
export function findRecordedEnd(
  lines: readonly EndingLine[],
  catalogues: ReadonlyMap<string, string>,
): RecordedEnd {
  const [first] = lines;
  if (first === undefined || first.inputs === null) throw new Error("its end has no beginning");
  const begun = { command: first.command, inputs: first.inputs };
  const held: PairId[] = [];
  for (const line of lines) {
    const event = parseEvent(line.event);
    const exit = forcedExitPair(event);
    if (exit !== null) held.push(exit);
    if (event.type !== "accountEliminated") continue;
    const { elimination } = event;
    return { ...recordedMoment(begun, catalogues), elimination, sequence: line.seq, held };
  }
  throw new Error("none of the lines is an end");
}

/** The pair of the position that the event closed, when it is a fill of an elimination; null for any other event. */
function forcedExitPair(event: Event): PairId | null {
  return event.type === "orderFilled" && event.kind === "elimination" ? event.pair : null;
}

/** The columns of the first line of a decision. */
interface DecisionStart {
  readonly command: string;
  readonly inputs: string;
}

function recordedMoment(
  begun: DecisionStart,
  catalogues: ReadonlyMap<string, string>,
): Pick<RecordedEnd, "moment" | "inputs"> {
  const inputs = decodeInputs(begun.inputs, begun.command);
  if (inputs === null) throw new Error("the inputs of its end have the format of another release");
  const catalogue = catalogues.get(inputs.catalogue);
  if (catalogue === undefined) throw new Error(`the catalogue ${inputs.catalogue} is missing`);
  return { inputs, moment: momentOfInputs(inputs, parseCatalogue(catalogue)) };
}

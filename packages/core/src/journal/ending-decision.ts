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

/** An end as the lines of its decision alone tell it. */
export interface RecordedEnd {
  readonly elimination: Elimination;
  /** The number of the line that says so. */
  readonly sequence: number;
  /** The pairs that the account held when it was judged. */
  readonly held: readonly PairId[];
  /** The quotes and the catalogue by which it was judged. */
  readonly moment: Moment;
  readonly inputs: DecisionInputs;
}

/** The same with the account, which needs all lines before. */
export interface EndingDecision extends Omit<RecordedEnd, "held"> {
  /** The account when it was judged: before its positions were closed. */
  readonly judged: AccountState;
  /** The quotes and the catalogue by which it was judged, in the scale of its positions. */
  readonly moment: Moment;
}

type EndingLine = Pick<JournalRow, "seq" | "command" | "event" | "inputs">;

/** Searches the lines of a journal for its end. */
export interface EndingSearch {
  /**
   * Reads the next line; null unless it is the end.
   * @throws when the lines are not those of a journal, or the catalogue is missing
   */
  read(line: EndingLine): EndingDecision | null;
}

/** `catalogues` has the texts by the hashes that inputs name; `start` is the account before the first line. */
export function searchEnding(
  catalogues: ReadonlyMap<string, string>,
  start: AccountState | null,
): EndingSearch {
  let state = start;
  let begun: Begun | null = null;
  let judged: AccountState | null = null;
  return {
    read(line) {
      const event = parseEvent(line.event);
      if (line.inputs !== null) {
        begun = { command: line.command, inputs: line.inputs };
        judged = null;
      }
      if (judged === null && forcedExit(event) !== null) judged = state;
      if (event.type === "accountEliminated") {
        const account = judged ?? state;
        if (account === null || begun === null) throw new Error("its end has no beginning");
        const { elimination } = event;
        const { inputs, moment } = momentOf(begun, catalogues);
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
 * The end in the lines of the decision that ended an account. A position that it held was closed by that decision.
 * @throws when they are not these lines, or the catalogue is missing
 */
export function recordedEnd(
  lines: readonly EndingLine[],
  catalogues: ReadonlyMap<string, string>,
): RecordedEnd {
  const [first] = lines;
  if (first === undefined || first.inputs === null) throw new Error("its end has no beginning");
  const begun = { command: first.command, inputs: first.inputs };
  const held: PairId[] = [];
  for (const line of lines) {
    const event = parseEvent(line.event);
    const exit = forcedExit(event);
    if (exit !== null) held.push(exit);
    if (event.type !== "accountEliminated") continue;
    const { elimination } = event;
    return { ...momentOf(begun, catalogues), elimination, sequence: line.seq, held };
  }
  throw new Error("none of the lines is an end");
}

/** The pair of a position that the end closed; null for any other event. */
function forcedExit(event: Event): PairId | null {
  return event.type === "orderFilled" && event.kind === "elimination" ? event.pair : null;
}

/** The first line of a decision. */
interface Begun {
  readonly command: string;
  readonly inputs: string;
}

function momentOf(
  begun: Begun,
  catalogues: ReadonlyMap<string, string>,
): Pick<RecordedEnd, "moment" | "inputs"> {
  const inputs = decodeInputs(begun.inputs, begun.command);
  if (inputs === null) throw new Error("the inputs of its end have the format of another release");
  const catalogue = catalogues.get(inputs.catalogue);
  if (catalogue === undefined) throw new Error(`the catalogue ${inputs.catalogue} is missing`);
  return { inputs, moment: momentOfInputs(inputs, parseCatalogue(catalogue)) };
}

import {
  type AccountState,
  CORE_VERSION,
  type Command,
  catalogueText,
  createInputHashes,
  createRecordingMoment,
  encodeInputs,
  type Instruments,
  inputHash,
  type Moment,
  type PairId,
  type QuoteOrigin,
} from "@propgate/core";
import { sha256 } from "../../storage/journal/line-hash.ts";
import {
  BEFORE_FIRST_QUOTE,
  isLater,
  type QuotePosition,
} from "../../storage/rows/quote-position.ts";
import type { StoredCatalogue } from "../../storage/stores/catalogue-store.ts";

/** A decision whose inputs are recorded. */
export interface RecordedDecision {
  /** The moment with which the command must be decided, so that its reads are recorded. */
  readonly moment: Moment;
  /** Returns the inputs of a decision with that many journal lines. Call it after deciding. */
  serializedInputs(lines: number): WrittenInputs;
}

/** The recorded inputs of one decision, as they are stored. */
export interface WrittenInputs {
  /** The text that the journal stores. */
  readonly inputs: string;
  /**
   * The position (epoch and number) of the newest quote that the decision read; `BEFORE_FIRST_QUOTE` when none of the
   * quotes that it read has a position.
   */
  readonly place: QuotePosition;
}

/** Records the inputs of one decision on a command. */
export type InputsRecorder = (
  before: AccountState | null,
  command: Command,
  moment: Moment,
) => RecordedDecision;

/** The catalogue with its hash, by which the inputs of decisions name it. */
export function hashCatalogue(instruments: Instruments): StoredCatalogue {
  const body = catalogueText(instruments);
  return { hash: inputHash(sha256, body), body };
}

export function createInputsRecorder({
  quoteOrigin,
}: {
  readonly quoteOrigin?: (pair: PairId) => QuoteOrigin | null;
}): InputsRecorder {
  const hashes = createInputHashes(sha256);
  return (before, command, moment) => {
    const recording = createRecordingMoment(moment);
    return {
      moment: recording.moment,
      serializedInputs(lines) {
        const read = recording.readInputs(before);
        let place: QuotePosition = BEFORE_FIRST_QUOTE;
        const quotes = read.quotes.map((quote) => {
          const origin = quoteOrigin?.(quote.pair) ?? null;
          if (origin !== null && isLater(origin, place)) place = origin;
          return { quote, origin };
        });
        const inputs = encodeInputs({
          command,
          now: moment.now,
          core: CORE_VERSION,
          lines,
          catalogue: hashes.catalogue(moment.instruments),
          program: hashes.program(before, command),
          ...read,
          quotes,
        });
        return { inputs, place };
      },
    };
  };
}

import { hash } from "node:crypto";
import {
  type AccountState,
  CORE_VERSION,
  type Command,
  catalogueText,
  createInputHashes,
  encodeInputs,
  type Instruments,
  inputHash,
  type Moment,
  type PairId,
  type QuoteOrigin,
  recordingMoment,
  type Sha256,
} from "@propgate/core";
import type { StoredCatalogue } from "../storage/stores/catalogue-store.ts";

/** A decision whose inputs are recorded. */
export interface RecordedDecision {
  /** The moment to decide with. */
  readonly moment: Moment;
  /** The inputs of a decision with that many journal lines, as the journal stores them. Call it after deciding. */
  inputs(lines: number): string;
}

/** Records what the decision of a command on an account is made from. */
export type InputsRecorder = (
  before: AccountState | null,
  command: Command,
  moment: Moment,
) => RecordedDecision;

/** The catalogue under the hash that the inputs of decisions name. */
export function catalogueOf(instruments: Instruments): StoredCatalogue {
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
    const recording = recordingMoment(moment);
    return {
      moment: recording.moment,
      inputs(lines) {
        const read = recording.read(before);
        return encodeInputs({
          command,
          now: moment.now,
          core: CORE_VERSION,
          lines,
          catalogue: hashes.catalogue(moment.instruments),
          program: hashes.program(before, command),
          ...read,
          quotes: read.quotes.map((quote) => ({
            quote,
            origin: quoteOrigin?.(quote.pair) ?? null,
          })),
        });
      },
    };
  };
}

export const sha256: Sha256 = (text, before) =>
  hash(
    "sha256",
    before === undefined ? text : Buffer.concat([before, Buffer.from(text)]),
    "buffer",
  );

import { hash } from "node:crypto";
import { CORE_VERSION } from "../journal/core-version.ts";
import { encodeInputs } from "../journal/decision-inputs.ts";
import { catalogueText, createInputHashes } from "../journal/input-hashes.ts";
import { type RecordingMoment, recordingMoment } from "../journal/recording-moment.ts";
import { type JudgedLine, type Judgement, rejudge } from "../journal/rejudge.ts";
import type { AccountState } from "../state/account.ts";
import type { Command } from "../state/command.ts";
import type { Event } from "../state/event.ts";
import type { Moment } from "../state/moment.ts";

/** The journal of one account with the inputs of its decisions, as a service writes it. */
export class JudgedJournal {
  readonly #hashes = createInputHashes(sha256);
  readonly #catalogues = new Map<string, string>();
  readonly lines: JudgedLine[] = [];

  /** The moment to decide with. */
  recording(moment: Moment): RecordingMoment {
    const catalogue = this.#hashes.catalogue(moment.instruments);
    if (!this.#catalogues.has(catalogue)) {
      this.#catalogues.set(catalogue, catalogueText(moment.instruments));
    }
    return recordingMoment(moment);
  }

  add(
    events: readonly Event[],
    decided: {
      readonly before: AccountState | null;
      readonly command: Command;
      readonly recording: RecordingMoment;
    },
  ): void {
    const { before, command, recording } = decided;
    const { now, instruments } = recording.moment;
    const read = recording.read(before);
    const inputs = encodeInputs({
      ...read,
      command,
      now,
      core: CORE_VERSION,
      lines: events.length,
      catalogue: this.#hashes.catalogue(instruments),
      program: this.#hashes.program(before, command),
      quotes: read.quotes.map((quote) => ({ quote, origin: null })),
    });
    for (const [index, event] of events.entries()) {
      this.lines.push({
        seq: this.lines.length + 1,
        atMs: event.atMs,
        command: command.type,
        event: JSON.stringify(event),
        inputs: index === 0 ? inputs : null,
      });
    }
  }

  /** Judges these lines, with a chain that fits them, as a liar who can write the whole journal would make it. */
  judge(lines: readonly JudgedLine[]): Judgement {
    return rejudge({
      version: lines.length,
      lines,
      catalogues: this.#catalogues,
      sha256,
      isChained: () => true,
      parseEvent: (text) => JSON.parse(text) as Event,
    });
  }
}

function sha256(text: string): Uint8Array {
  return hash("sha256", text, "buffer");
}

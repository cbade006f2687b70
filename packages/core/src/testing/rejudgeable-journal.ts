import { hash } from "node:crypto";
import { accountId } from "../ids.ts";
import { CHAIN_START, chainHash, type JournalRow } from "../journal/chain.ts";
import { CORE_VERSION } from "../journal/core-version.ts";
import { encodeInputs } from "../journal/decision-inputs.ts";
import { catalogueText, createInputHashes } from "../journal/input-hashes.ts";
import { createRecordingMoment, type RecordingMoment } from "../journal/recording-moment.ts";
import { type Judgement, judgeJournal } from "../journal/rejudge.ts";
import type { AccountState } from "../state/account.ts";
import type { Command } from "../state/command.ts";
import type { Event } from "../state/event.ts";
import type { Moment } from "../state/moment.ts";

const ACCOUNT = accountId("0d5c2a34-59b8-4a3e-9d4f-000000000001");

/** The journal of one account with the inputs of its decisions, as a service writes it. */
export class RejudgeableJournal {
  readonly #hashes = createInputHashes(sha256);
  readonly #catalogues = new Map<string, string>();
  readonly lines: JournalRow[] = [];

  /** Returns the moment for the next decision. The returned moment records the inputs that the decision reads. */
  recording(moment: Moment): RecordingMoment {
    const catalogue = this.#hashes.catalogue(moment.instruments);
    if (!this.#catalogues.has(catalogue)) {
      this.#catalogues.set(catalogue, catalogueText(moment.instruments));
    }
    return createRecordingMoment(moment);
  }

  /** Appends the lines of a decision, with its inputs in the first one. */
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
    const read = recording.readInputs(before);
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
        accountId: ACCOUNT,
        seq: this.lines.length + 1,
        atMs: event.atMs,
        origin: "operator",
        keyId: null,
        nonce: null,
        command: command.type,
        event: JSON.stringify(event),
        inputs: index === 0 ? inputs : null,
      });
    }
  }

  /**
   * Computes a new hash chain over these lines, then decides the lines again and compares. An attacker who can rewrite
   * the whole journal could make such a chain.
   */
  judge(lines: readonly JournalRow[]): Judgement {
    let hash = CHAIN_START;
    const chained = lines.map((line) => {
      hash = chainHash(sha256, hash, line);
      return { ...line, hash };
    });
    const head = { accountId: ACCOUNT, version: lines.length, headHash: hash };
    const judge = judgeJournal(sha256, head);
    for (const [name, text] of this.#catalogues) judge.addCatalogue(name, text);
    chained.every((line) => judge.read(line));
    return judge.judgement();
  }
}

function sha256(text: string, before: Uint8Array = new Uint8Array()): Uint8Array {
  return hash("sha256", Buffer.concat([before, Buffer.from(text)]), "buffer");
}

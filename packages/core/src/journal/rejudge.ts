/** Makes the decisions of a journal again and compares their events with the stored ones. */
import { evolve } from "../evolve/evolve.ts";
import type { Instruments } from "../market/instrument.ts";
import { decide } from "../network/decide.ts";
import type { AccountState } from "../state/account.ts";
import {
  CHAIN_START,
  type ChainCheck,
  type ChainedLine,
  type ChainPosition,
  type ChainProblem,
  checkChain,
  type JournalHead,
  MISSING_LINE,
} from "./chain.ts";
import { CORE_VERSION } from "./core-version.ts";
import { type DecisionInputs, decodeInputs, encodeInputs } from "./decision-inputs.ts";
import { createInputHashes, parseCatalogue } from "./input-hashes.ts";
import { momentOfInputs } from "./moment-of-inputs.ts";
import { isObserved } from "./observed-event.ts";
import { parseLineEvent } from "./parse-event.ts";
import type { Sha256 } from "./sha256.ts";

/** The first line at which the stored journal differs from the decisions that were made again. */
export interface JournalDifference extends ChainProblem {
  /** The event, as JSON, that the repeated decision has for this line; null when it has none, or could not be made. */
  readonly decided: string | null;
  /** The event that is stored, as JSON; null when the line is missing. */
  readonly written: string | null;
}

/** A version of core other than this one, and how many decisions of the journal it made. */
export interface OtherVersion {
  readonly version: string;
  readonly decisions: number;
}

/** The result of judging the lines of one journal. */
export interface Judgement {
  /** The number of lines that were read and fit the hash chain. */
  readonly lines: number;
  /** The number of decisions that were made again. */
  readonly judged: number;
  /** The number of lines that were read at a validator. They are not decisions, so only their hash chain is checked. */
  readonly observed: number;
  /** The other versions of core that made decisions of this journal. Those decisions were not made again. */
  readonly otherVersions: readonly OtherVersion[];
  /** The first line that differs, or is missing; null when the journal is right. */
  readonly different: JournalDifference | null;
}

/** Judges the lines of one account, in the order of its journal. */
export interface JournalJudge {
  /** How many lines were read and fit the hash chain. */
  readonly lines: number;
  /** Adds a catalogue. To be called before the first line whose inputs name its hash. */
  addCatalogue(hash: string, text: string): void;
  /**
   * Reads and judges the next line. False when this line or an earlier one differs; further lines are then not judged.
   */
  read(line: ChainedLine): boolean;
  /** Returns the result. To be called after the last line. */
  judgement(): Judgement;
}

/**
 * The position between two decisions at which the judged lines of a journal begin, with the account at that position.
 */
export interface JournalStart extends ChainPosition {
  /** The account after all earlier lines; null before the account is opened. */
  readonly state: AccountState | null;
}

/** The start of every journal: before the line that opens the account. */
export const JOURNAL_START: JournalStart = { sequence: 0, hash: CHAIN_START, state: null };

/** Begins to judge a journal. `head` is the row of the account, which the lines have to match. */
export function judgeJournal(
  sha256: Sha256,
  head: JournalHead,
  start: JournalStart = JOURNAL_START,
): JournalJudge {
  return new Judge(sha256, head, start);
}

/**
 * The result of making a decision again: its events as JSON; or, when another version of core made it, that version and
 * the number of its lines.
 */
type RepeatedDecision =
  | { readonly events: readonly string[] }
  | { readonly version: string; readonly lines: number };

interface Problem {
  readonly why: string;
  readonly decided?: string | null;
}

const NO_EVENTS = { decided: null, written: null } as const;

class Judge implements JournalJudge {
  readonly #hashes: ReturnType<typeof createInputHashes>;
  readonly #chain: ChainCheck;
  readonly #texts = new Map<string, string>();
  readonly #catalogues = new Map<string, Instruments>();
  /** How many decisions each other version of core made. */
  readonly #otherVersions = new Map<string, number>();
  #state: AccountState | null;
  #judged = 0;
  #observed = 0;
  /** The first line of the decision in progress. */
  #first: ChainedLine | null = null;
  /** The events of the decision in progress, as JSON, and how many of its lines were read. */
  #expected: readonly string[] = [];
  #read = 0;
  /** How many lines of a decision of another version are still to come. */
  #unjudged = 0;
  #different: JournalDifference | null = null;

  constructor(sha256: Sha256, head: JournalHead, start: JournalStart) {
    this.#hashes = createInputHashes(sha256);
    this.#chain = checkChain(sha256, head, start);
    this.#state = start.state;
  }

  get lines(): number {
    return this.#chain.lines;
  }

  addCatalogue(hash: string, text: string): void {
    this.#texts.set(hash, text);
  }

  read(line: ChainedLine): boolean {
    this.#different ??= this.#broken(this.#chain.read(line)) ?? this.#judge(line);
    return this.#different === null;
  }

  judgement(): Judgement {
    const end = this.#chain.end();
    const missing = { seq: this.#chain.sequence + 1, why: MISSING_LINE, ...NO_EVENTS };
    const unfinished = this.#expectsMore ? missing : this.#broken(end);
    return {
      lines: this.lines,
      judged: this.#judged,
      observed: this.#observed,
      otherVersions: [...this.#otherVersions].map(([version, decisions]) => ({
        version,
        decisions,
      })),
      different: this.#different ?? unfinished,
    };
  }

  get #expectsMore(): boolean {
    return this.#read < this.#expected.length || this.#unjudged > 0;
  }

  #broken(problem: ChainProblem | null): JournalDifference | null {
    return problem === null ? null : { ...problem, ...NO_EVENTS };
  }

  #judge(line: ChainedLine): JournalDifference | null {
    const { seq, event: written } = line;
    // An account is linked to a validator from its first line on, or never. So lines are observations only while the
    // account has no decided line.
    if (this.#state === null && this.#expected.length === 0 && isObservation(line)) {
      this.#observed += 1;
      return null;
    }
    const problem = line.inputs === null ? this.#continued() : this.#begun(line, line.inputs);
    if (problem !== null) return { seq, written, decided: null, ...problem };
    const decided = this.#nextDecided();
    if (decided !== null && decided !== written) {
      return { seq, written, decided, why: "its inputs give another event" };
    }
    const first = line.inputs === null ? this.#first : line;
    if (first === null || !hasSameSender(line, first)) {
      return { seq, written, decided: null, why: "its sender is not one of its decision" };
    }
    this.#first = first;
    return this.#apply(line);
  }

  /** The event that the next line has to hold; null for a line that is not judged. */
  #nextDecided(): string | null {
    if (this.#unjudged > 0) {
      this.#unjudged -= 1;
      return null;
    }
    const decided = this.#expected[this.#read] ?? null;
    this.#read += 1;
    return decided;
  }

  #apply({ seq, atMs, event: written }: ChainedLine): JournalDifference | null {
    try {
      const event = parseLineEvent(written);
      if (isObserved(event)) {
        return { seq, written, decided: null, why: "it was not decided here" };
      }
      if (event.atMs !== atMs) {
        return { seq, written, decided: null, why: "its time is not the one of its event" };
      }
      this.#state = evolve(this.#state, event);
      return null;
    } catch (cause) {
      return { seq, written, decided: null, why: `its event cannot be applied: ${String(cause)}` };
    }
  }

  #continued(): Problem | null {
    return this.#expectsMore ? null : { why: "it begins a decision and has no inputs" };
  }

  #begun(line: ChainedLine, inputs: string): Problem | null {
    if (this.#expectsMore) {
      const decided = this.#expected[this.#read] ?? null;
      return { why: "a line of the decision before is missing", decided };
    }
    const decided = this.#decideAgain(this.#state, line, inputs);
    if ("why" in decided) return decided;
    if ("version" in decided) {
      const { version, lines } = decided;
      this.#otherVersions.set(version, (this.#otherVersions.get(version) ?? 0) + 1);
      this.#unjudged = lines;
    } else {
      this.#judged += 1;
      this.#expected = decided.events;
      this.#read = 0;
    }
    return this.#expectsMore ? null : { why: "its inputs give no event" };
  }

  #decideAgain(
    before: AccountState | null,
    line: ChainedLine,
    text: string,
  ): RepeatedDecision | Problem {
    try {
      const inputs = decodeInputs(text, line.command);
      if (inputs === null) return { why: "its inputs have the format of another release" };
      const { core: version, lines } = inputs;
      if (version !== CORE_VERSION) return { version, lines };
      if (encodeInputs(inputs) !== text) return { why: "its inputs are not as they are written" };
      return this.#decided(before, line, inputs);
    } catch (cause) {
      return { why: `its inputs cannot be decided: ${String(cause)}` };
    }
  }

  #decided(
    before: AccountState | null,
    line: ChainedLine,
    inputs: DecisionInputs,
  ): RepeatedDecision | Problem {
    const { command, now, program, catalogue, lines } = inputs;
    if (now !== line.atMs) return { why: "its inputs are of another time" };
    if (this.#hashes.program(before, command) !== program) {
      return { why: "its inputs are of other terms than the account's" };
    }
    const instruments = this.#catalogue(catalogue);
    if ("why" in instruments) return instruments;
    const decision = decide(before, command, momentOfInputs(inputs, instruments));
    if (!decision.ok) return { why: `its command is refused: ${decision.refusal.code}` };
    const events = decision.value.map((event) => JSON.stringify(event));
    if (events.length === lines) return { events };
    const why = `its inputs give ${events.length} lines, and ${lines} are written`;
    return { why, decided: events[0] ?? null };
  }

  #catalogue(hash: string): Instruments | Problem {
    const known = this.#catalogues.get(hash);
    if (known !== undefined) return known;
    const text = this.#texts.get(hash);
    if (text === undefined) return { why: `the catalogue ${hash} of its inputs is missing` };
    const instruments = parseCatalogue(text);
    if (this.#hashes.catalogue(instruments) !== hash) {
      return { why: `the catalogue ${hash} of its inputs was altered` };
    }
    this.#catalogues.set(hash, instruments);
    return instruments;
  }
}

function isObservation({ event, inputs }: ChainedLine): boolean {
  try {
    return inputs === null && isObserved(parseLineEvent(event));
  } catch {
    return false;
  }
}

/** The origins of decisions that no key sent. After `owner:` comes the id of a person. */
const SENDER_ORIGIN = /^(operator|market|clock|owner:.+)$/;

/**
 * Whether the columns about the sender have values that the service writes, and equal those of the decision's first
 * line.
 */
function hasSameSender(line: ChainedLine, first: ChainedLine): boolean {
  const { origin, keyId, nonce, command } = line;
  if (origin !== first.origin || command !== first.command) return false;
  if (keyId !== first.keyId || nonce !== first.nonce) return false;
  return origin === "key"
    ? keyId !== null && nonce !== null
    : keyId === null && nonce === null && SENDER_ORIGIN.test(origin);
}

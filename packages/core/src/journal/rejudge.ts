/** Makes the decisions of a journal again and compares their events with the written ones. */
import { evolve } from "../evolve/evolve.ts";
import type { PairId } from "../ids.ts";
import type { CorporateAction } from "../market/corporate-action.ts";
import type { Instruments } from "../market/instrument.ts";
import { decide } from "../network/decide.ts";
import type { AccountState } from "../state/account.ts";
import type { Event } from "../state/event.ts";
import type { Moment } from "../state/moment.ts";
import { CORE_VERSION } from "./core-version.ts";
import { type DecisionInputs, decodeInputs } from "./decision-inputs.ts";
import { createInputHashes, parseCatalogue, type Sha256 } from "./input-hashes.ts";

/** The columns of a journal line that a judgement reads. */
export interface JudgedLine {
  readonly seq: number;
  readonly atMs: number;
  readonly command: string;
  /** JSON as stored. */
  readonly event: string;
  readonly inputs: string | null;
}

export interface RejudgeOptions<Line extends JudgedLine> {
  /** The number of lines, from the account's row. */
  readonly version: number;
  /** In the order of the journal. */
  readonly lines: readonly Line[];
  /** The texts of the catalogues, by hash. */
  readonly catalogues: ReadonlyMap<string, string>;
  readonly sha256: Sha256;
  /** Call it for each line in order: false when the line does not follow from those before. */
  readonly isChained: (line: Line) => boolean;
  readonly parseEvent: (text: string) => Event;
}

export interface Judgement {
  readonly lines: number;
  /** Decisions that were made again. */
  readonly judged: number;
  /** Lines of releases that wrote no inputs. */
  readonly withoutInputs: number;
  /** Versions of core that are needed for the other decisions. */
  readonly otherVersions: readonly string[];
  /** The first line that differs; null when none does. */
  readonly different: { readonly seq: number; readonly why: string } | null;
}

/** Stops at the first line that differs. Reads only its options. */
export function rejudge<Line extends JudgedLine>(options: RejudgeOptions<Line>): Judgement {
  const judge = new Judge(options);
  const { parseEvent, isChained } = options;
  let seq = 0;
  for (const line of options.lines) {
    seq += 1;
    const why = unchained(line, seq, isChained) ?? judge.unlike(line);
    if (why !== null) return judge.judgement(seq, { seq, why });
    judge.apply(parseEvent(line.event));
  }
  const isWhole = !judge.expectsMore && seq === options.version;
  return judge.judgement(seq, isWhole ? null : { seq: seq + 1, why: "The line is missing." });
}

function unchained<Line extends JudgedLine>(
  line: Line,
  seq: number,
  isChained: (line: Line) => boolean,
): string | null {
  if (line.seq !== seq) return `The line is missing; the next one is ${line.seq}.`;
  return isChained(line) ? null : "The line is not as it was written.";
}

interface DecidedAgain {
  readonly events: readonly (string | null)[];
  /** The version of core that decided, when it is not this one; then nothing is judged. */
  readonly otherVersion: string | null;
}

class Judge {
  readonly #hashes: ReturnType<typeof createInputHashes>;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #catalogues = new Map<string, Instruments>();
  readonly #otherVersions = new Set<string>();
  #state: AccountState | null = null;
  #judged = 0;
  #withoutInputs = 0;
  /** The texts of the decision's remaining events; null for an event that is not judged. */
  #expected: readonly (string | null)[] = [];

  constructor(given: {
    readonly sha256: Sha256;
    readonly catalogues: ReadonlyMap<string, string>;
  }) {
    this.#hashes = createInputHashes(given.sha256);
    this.#texts = given.catalogues;
  }

  get expectsMore(): boolean {
    return this.#expected.length > 0;
  }

  apply(event: Event): void {
    this.#state = evolve(this.#state, event);
  }

  judgement(lines: number, different: Judgement["different"]): Judgement {
    return {
      lines,
      judged: this.#judged,
      withoutInputs: this.#withoutInputs,
      otherVersions: [...this.#otherVersions],
      different,
    };
  }

  /** Why the line is not the decided one; null when it is. */
  unlike(line: JudgedLine): string | null {
    const why = line.inputs === null ? this.#continued() : this.#begun(line, line.inputs);
    if (why !== null) return why;
    const [decided = null, ...rest] = this.#expected;
    this.#expected = rest;
    return decided === null || decided === line.event
      ? null
      : `Decided is ${decided}; written is ${line.event}.`;
  }

  #continued(): string | null {
    if (this.expectsMore) return null;
    if (this.#judged + this.#otherVersions.size > 0) {
      return "The line has no inputs, but earlier ones do.";
    }
    this.#withoutInputs += 1;
    return null;
  }

  #begun(line: JudgedLine, inputs: string): string | null {
    if (this.expectsMore) return `The line is missing: ${this.#expected[0] ?? "an event"}.`;
    const decided = this.#decideAgain(this.#state, line, inputs);
    if ("why" in decided) return decided.why;
    if (decided.otherVersion === null) this.#judged += 1;
    else this.#otherVersions.add(decided.otherVersion);
    this.#expected = decided.events;
    return this.expectsMore ? null : `Nothing was decided; written is ${line.event}.`;
  }

  #decideAgain(
    before: AccountState | null,
    line: JudgedLine,
    text: string,
  ): DecidedAgain | { readonly why: string } {
    try {
      const inputs = decodeInputs(text, line.command);
      if (inputs === null) return { why: "The inputs have a format of another release." };
      if (inputs.core !== CORE_VERSION) {
        const events = new Array<null>(inputs.lines).fill(null);
        return { events, otherVersion: inputs.core };
      }
      return this.#decided(before, line, inputs);
    } catch (cause) {
      return { why: `The inputs cannot be decided: ${String(cause)}` };
    }
  }

  #decided(
    before: AccountState | null,
    line: JudgedLine,
    inputs: DecisionInputs,
  ): DecidedAgain | { readonly why: string } {
    const { command, now, program, catalogue, lines } = inputs;
    if (now !== line.atMs)
      return { why: `The decision was at ${now}, the line is of ${line.atMs}.` };
    if (this.#hashes.program(before, command) !== program) {
      return { why: "The account's terms are not those of the decision." };
    }
    const instruments = this.#catalogue(catalogue);
    if (instruments === null) return { why: `The catalogue ${catalogue} is missing or altered.` };
    const decision = decide(before, command, momentOf(inputs, instruments));
    if (!decision.ok) return { why: `The command is refused: ${decision.refusal.code}.` };
    const events = decision.value.map((event) => JSON.stringify(event));
    const isAll = events.length === lines;
    return isAll
      ? { events, otherVersion: null }
      : { why: `Decided are ${events.length} lines; written are ${lines}.` };
  }

  /** Null when it is missing or has another hash. */
  #catalogue(hash: string): Instruments | null {
    const known = this.#catalogues.get(hash);
    if (known !== undefined) return known;
    const text = this.#texts.get(hash);
    if (text === undefined) return null;
    const instruments = parseCatalogue(text);
    if (this.#hashes.catalogue(instruments) !== hash) return null;
    this.#catalogues.set(hash, instruments);
    return instruments;
  }
}

function momentOf(inputs: DecisionInputs, instruments: Instruments): Moment {
  const { now, quotes, actions, rates, bests } = inputs;
  const ofPair = new Map(rates.map(({ pair }) => [pair, ratesOf(inputs, pair)]));
  const actionsByPair = new Map<PairId, readonly CorporateAction[]>();
  for (const action of actions) {
    actionsByPair.set(action.pair, [...(actionsByPair.get(action.pair) ?? []), action]);
  }
  return {
    now,
    instruments,
    quotes: new Map(quotes.map(({ quote }) => [quote.pair, quote])),
    actions: actionsByPair,
    funding: ofPair,
    bests: new Map(bests.map(({ orderUuid, quote }) => [orderUuid, quote])),
  };
}

function ratesOf({ rates }: DecisionInputs, pair: PairId) {
  return new Map(
    rates.filter((one) => one.pair === pair).map(({ hourMs, rate }) => [hourMs, rate]),
  );
}

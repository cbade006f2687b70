import {
  type AccountState,
  balanceOf,
  baseUnits,
  type ChainedLine,
  dollars,
  drawdownOf,
  type EndingDecision,
  equityOf,
  hashedText,
  type Instrument,
  inputHash,
  type JournalStart,
  type LimitFigures,
  lots,
  type Moment,
  type Position,
  positionValueOf,
  type RecordedEnd,
  searchEnding,
  type Terms,
  termsText,
  usdRateAt,
  valuationInstruments,
} from "@propgate/core";
import { sha256 } from "@propgate/ledger";
import { usdOrNull } from "../views/usd-or-null.ts";
import { ASSET_CLASS_WORDS, eliminationReason, LOSS_LIMIT_WORDS, operatorPhase } from "../wire.ts";
import { canonicalJson, compareFieldNames } from "./canonical-json.ts";
import { endExplanation } from "./explanation.ts";

/** The name and version of the format of evidence, which every document of evidence contains. */
export const EVIDENCE_FORMAT = "propgate-evidence/1";

/** The maximum number of lines in evidence. The evidence of an account with more begins with a later line. */
export const EVIDENCE_LINES_MAX = 20_000;

/**
 * The number of lines that one step of `evidenceSteps` reads, and that one piece of the document's text holds. Each is
 * short enough for a service to make it between two requests.
 */
const STEP_LINES = 100;

/** All that evidence is made from: the account's lines, and the texts that they name by a hash. */
export interface EvidenceSource {
  /** The number and hash of the line before `lines`, and the account at that time. */
  readonly start: JournalStart;
  readonly lines: readonly ChainedLine[];
  /** The texts of the catalogues by the hashes that lines have. */
  readonly catalogues: ReadonlyMap<string, string>;
}

/** A line of the account's journal in evidence. */
export interface EvidenceLine {
  readonly sequence: number;
  /** The text that was hashed. */
  readonly line: string;
  /** The hash over the hash of the line before and this text, in hexadecimal. */
  readonly hash: string;
}

/** An open position at the end of the account. */
export interface EvidencePosition {
  readonly pair: string;
  /** Lots; negative for a short position. */
  readonly quantity: number;
  /** The number of base units in one lot. */
  readonly lot: number;
  readonly averageEntryPrice: number;
  /** Null while the pair had no price. */
  readonly mark: number | null;
  /** USD for one unit of the quote currency. */
  readonly rate: number | null;
  readonly unrealizedPnl: number | null;
}

/** The figures of the account at its end. Money is USD, to the micro dollar. */
export interface EvidenceFigures {
  readonly balance: number;
  /** The balance plus the sum of `unrealizedPnl`; null while a position had no price. */
  readonly equity: number | null;
  /** The amount of which the limit allows a percentage to be lost; null where no limit ended the account. */
  readonly base: number | null;
  readonly floor: number | null;
  readonly positions: readonly EvidencePosition[];
}

/** How, when and in which line the account ended. */
export interface EvidenceEnd {
  readonly reason: string;
  /**
   * The kind of the limit. Like `limit`, `limitPct`, `equity` and `floor`, it is null where no limit ended the account.
   */
  readonly rule: string | null;
  readonly limit: string | null;
  readonly limitPct: number | null;
  readonly equity: number | null;
  readonly floor: number | null;
  readonly atMs: number;
  readonly sequence: number;
}

/** A quote that was read by the decision that ended the account, of a pair that it held or of a conversion rate. */
export interface EvidenceQuote {
  readonly pair: string;
  readonly bid: number;
  readonly ask: number;
  readonly atMs: number;
  /** The source of the quote; null for a quote from before the service restarted. */
  readonly source: string | null;
}

/**
 * The evidence of an account's end, without its signature. Every part follows from `lines` and `documents`, and also
 * from `state` where `lines` is not the whole journal.
 */
export interface EvidenceBody {
  readonly format: typeof EVIDENCE_FORMAT;
  readonly account: {
    readonly accountId: string;
    readonly ownerId: string;
    readonly openedAtMs: number;
    readonly phase: string;
    readonly size: number;
    readonly assetClass: string;
  };
  readonly program: {
    readonly id: string;
    readonly version: number;
    /** The SHA-256 of the terms' text in `documents`. */
    readonly hash: string;
    readonly terms: unknown;
  };
  readonly end: EvidenceEnd;
  readonly quotes: readonly EvidenceQuote[];
  readonly figures: EvidenceFigures;
  readonly lines: readonly EvidenceLine[];
  /**
   * Number and hash of the line before `lines`, with the account as it was then; null where `lines` is the whole
   * journal. The account does not follow from the lines: the signature alone vouches for it.
   */
  readonly state: {
    readonly sequence: number;
    readonly hash: string;
    readonly account: unknown;
  } | null;
  /** The texts of the catalogues and of the terms, by their SHA-256 in hexadecimal. */
  readonly documents: Readonly<Record<string, string>>;
  readonly head: { readonly sequence: number; readonly hash: string };
  readonly explanation: readonly string[];
}

/**
 * The evidence of an account's end; null when the account has not ended. @throws when the lines are not those of a
 * journal
 */
export function evidenceBody(source: EvidenceSource): EvidenceBody | null {
  const steps = evidenceSteps(source);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * Makes the evidence in short steps, so that other work can run between them. The result is null when the account has
 * not ended.
 */
export function* evidenceSteps(
  source: EvidenceSource,
): Generator<undefined, EvidenceBody | null, undefined> {
  const search = searchEnding(source.catalogues, source.start.state);
  let ending: EndingDecision | null = null;
  const lines: EvidenceLine[] = [];
  for (const line of source.lines) {
    ending ??= search.read(line);
    lines.push({ sequence: line.seq, line: hashedText(line), hash: hex(line.hash) });
    if (lines.length % STEP_LINES === 0) yield;
  }
  return ending === null ? null : bodyOf(source, ending, lines);
}

/** A piece of a canonical text and the field that it belongs to; null for the closing brace. */
export interface CanonicalPiece {
  readonly field: string | null;
  readonly text: string;
}

/**
 * Writes the canonical text of evidence (`canonicalJson`) in pieces. Each piece is made in a short time, so that other
 * work can run between them. The caller adds a field that `body` does not have, such as the signature, before the first
 * piece of a later field.
 */
export function* canonicalEvidencePieces(body: EvidenceBody): Generator<CanonicalPiece> {
  let before = "{";
  for (const [field, value] of Object.entries(body).toSorted(compareFieldNames)) {
    const name = `${before}${JSON.stringify(field)}:`;
    before = ",";
    if (field !== "lines") yield { field, text: `${name}${canonicalJson(value)}` };
    else for (const text of linePieces(name, body.lines)) yield { field, text };
  }
  yield { field: null, text: "}" };
}

function* linePieces(name: string, lines: readonly EvidenceLine[]): Generator<string> {
  yield `${name}[`;
  for (let at = 0; at < lines.length; at += STEP_LINES) {
    const texts = lines.slice(at, at + STEP_LINES).map(canonicalJson);
    yield `${at === 0 ? "" : ","}${texts.join(",")}`;
  }
  yield "]";
}

function bodyOf(
  source: EvidenceSource,
  ending: EndingDecision,
  lines: readonly EvidenceLine[],
): EvidenceBody {
  const { judged, moment } = ending;
  const limit = limitOf(ending);
  const last = source.lines.at(-1);
  const head = { sequence: last?.seq ?? 0, hash: last === undefined ? "" : hex(last.hash) };
  const state = stateOf(source.start);
  const terms = termsText(judged.terms);
  const parts = {
    account: accountOf(judged),
    end: { ...endOf(ending), limitPct: limit?.limitPct ?? null },
    quotes: quotesOf({ ...ending, held: judged.positions.map(({ pair }) => pair) }),
    figures: figuresOf(judged, moment, limit),
  };
  return {
    format: EVIDENCE_FORMAT,
    ...parts,
    program: programOfTerms(judged.terms),
    lines,
    state,
    documents: documentsOf(source, terms),
    head,
    explanation: endExplanation(parts, { lines: head.sequence, after: source.start.sequence }),
  };
}

function stateOf({ sequence, hash, state }: JournalStart): EvidenceBody["state"] {
  if (state === null) return null;
  return { sequence, hash: hex(hash), account: JSON.parse(JSON.stringify(state)) };
}

/** The program that binds an account, with the terms that its journal has. */
export function programOfTerms(terms: Terms): EvidenceBody["program"] {
  const text = termsText(terms);
  return {
    id: terms.programId,
    version: terms.programVersion,
    hash: hex(sha256(text)),
    terms: JSON.parse(text),
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function accountOf(judged: AccountState): EvidenceBody["account"] {
  return {
    accountId: judged.accountId,
    ownerId: judged.ownerId,
    openedAtMs: judged.openedAtMs,
    phase: operatorPhase(judged.phase),
    size: dollars(judged.terms.size),
    assetClass: ASSET_CLASS_WORDS[judged.terms.assetClass],
  };
}

/** The limit that ended the account, as it was measured; null when no limit did. */
function limitOf({ judged, moment, elimination }: EndingDecision): LimitFigures | null {
  const { cause } = elimination;
  if (cause.kind !== "lossLimit") return null;
  const equity = equityOf(judged, moment);
  // A limit of the day's end measures the equity of midnight, which the account keeps.
  const { limits } = drawdownOf(judged, equity.ok ? equity.value : judged.endOfDay.equity);
  return limits.find(({ rule }) => rule === cause.rule) ?? null;
}

function endOf({
  elimination: { cause, atMs },
  sequence,
}: Pick<RecordedEnd, "elimination" | "sequence">): Omit<EvidenceEnd, "limitPct"> {
  const breach = cause.kind === "lossLimit" ? cause : null;
  const rule = breach === null ? null : LOSS_LIMIT_WORDS[breach.rule].rule;
  return {
    reason: eliminationReason(cause),
    rule,
    limit: rule,
    equity: usdOrNull(breach?.measured ?? null),
    floor: usdOrNull(breach?.floor ?? null),
    atMs,
    sequence,
  };
}

/**
 * The quotes of the pairs that the account held, and of the pairs that convert them to USD, as they were read, before
 * any split.
 */
function quotesOf({
  held,
  moment,
  inputs,
}: Pick<RecordedEnd, "held" | "moment" | "inputs">): readonly EvidenceQuote[] {
  const valuedBy = new Set(
    held.flatMap((pair) => {
      const instrument = moment.instruments.get(pair);
      return instrument === undefined
        ? [pair]
        : valuationInstruments(instrument, moment).map(({ id }) => id);
    }),
  );
  return inputs.quotes.flatMap(({ quote: { pair, bid, ask, atMs }, origin }) =>
    valuedBy.has(pair) ? [{ pair, bid, ask, atMs, source: origin?.source ?? null }] : [],
  );
}

/**
 * The end of an account with its quotes, as in evidence, but made from the lines of the decision that ended the account
 * alone.
 */
export function endSummary(
  end: RecordedEnd,
): Omit<EvidenceEnd, "rule" | "limitPct"> & { readonly quotes: readonly EvidenceQuote[] } {
  const { rule: _, ...shown } = endOf(end);
  return { ...shown, quotes: quotesOf(end) };
}

function figuresOf(
  judged: AccountState,
  moment: Moment,
  limit: LimitFigures | null,
): EvidenceFigures {
  const equity = equityOf(judged, moment);
  return {
    balance: dollars(balanceOf(judged)),
    equity: equity.ok ? dollars(equity.value) : null,
    base: limit === null ? null : dollars(limit.anchor),
    floor: limit === null ? null : dollars(limit.floor),
    positions: judged.positions.map((position) => positionOf(position, moment)),
  };
}

function positionOf(position: Position, moment: Moment): EvidencePosition {
  const { pair, direction, quantity, averageEntryPrice } = position;
  const instrument: Instrument | undefined = moment.instruments.get(pair);
  const value = positionValueOf(position, moment);
  const size = lots(quantity);
  return {
    pair,
    quantity: direction === "long" ? size : 0 - size,
    lot: instrument === undefined ? 1 : baseUnits(instrument, quantity) / size,
    averageEntryPrice,
    mark: value?.mark ?? null,
    rate:
      instrument === undefined || value === null ? null : usdRateAt(instrument, value.mark, moment),
    unrealizedPnl: value === null ? null : dollars(value.unrealizedPnl),
  };
}

/** Each catalogue that a line names, and the terms by which the account was judged. */
function documentsOf(source: EvidenceSource, terms: string): Readonly<Record<string, string>> {
  const texts = [...source.catalogues.values(), terms];
  return Object.fromEntries(texts.map((text) => [hex(sha256(text)), text]));
}

/**
 * The catalogues among the documents, by the hash with which journal lines name them. `terms` is the hash of the one
 * document that is not a catalogue.
 */
export function cataloguesOf(
  documents: Readonly<Record<string, string>>,
  terms: string | null,
): ReadonlyMap<string, string> {
  const texts = Object.entries(documents).filter(([hash]) => hash !== terms);
  return new Map(texts.map(([, text]) => [inputHash(sha256, text), text]));
}

import { yieldToEventLoop } from "@propgate/base";
import {
  type AccountId,
  type ChainedLine,
  catalogueHashOf,
  catalogueLineText,
  evolve,
  findRecordedEnd,
  headText,
  JOURNAL_START,
  type JournalFileJudge,
  type JournalStart,
  judgeJournalFile,
  lineText,
  parseEvent,
  type RecordedEnd,
} from "@propgate/core";
import type { Queryable } from "../../storage/databases/database.ts";
import {
  journalLines,
  readAccountHeads,
  readJournalHeads,
  readNewestLines,
} from "../../storage/journal/journal-store.ts";
import { sha256 } from "../../storage/journal/line-hash.ts";
import { type CatalogueStore, createCatalogueStore } from "../../storage/stores/catalogue-store.ts";

/** A part of a journal's file. */
export interface JournalPart {
  /** The number of the line before the part. At 0 the part begins with the account's head. */
  readonly after: number;
  /** The maximum number of lines in the part; null for all that follow. */
  readonly limit: number | null;
}

/** The part that is the whole file. */
export const WHOLE_JOURNAL: JournalPart = { after: 0, limit: null };

/**
 * The file of an account's journal, or the part of it after line `after`, text by text. A part from 0 begins with the
 * account's head. Then come the lines, each catalogue in front of the first line of the part that names it. Only one
 * page of lines is in memory. Yields no text for an unknown account.
 */
export async function* exportJournal(
  database: Queryable,
  which: AccountId,
  { after, limit }: JournalPart,
): AsyncGenerator<string> {
  const catalogues = createCatalogueStore(database);
  for await (const head of readJournalHeads(database, which)) {
    const upTo = limit === null ? head.version : Math.min(head.version, after + limit);
    const named = new Set<string>();
    if (after === 0) yield headText(head);
    for await (const line of journalLines(database, which, { after, upTo })) {
      const catalogue = await newCatalogueText(catalogues, line, named);
      if (catalogue !== null) yield catalogue;
      yield lineText(line);
    }
  }
}

/** The end of a journal in memory: the lines from some decision on, and the account before them. */
export interface JournalEnding {
  readonly start: JournalStart;
  readonly lines: readonly ChainedLine[];
  /** The texts of the catalogues, by the hash with which lines name them. */
  readonly catalogues: ReadonlyMap<string, string>;
}

/** The number of lines after which other work of the event loop has its turn. */
const TURN_LINES = 250;

/**
 * The last lines of an account, from the first decision within its last `linesMax` lines on. They begin earlier when
 * the last decision is longer, or when the account was eliminated before: then with the decision that eliminated it.
 * Earlier lines are applied to the state and forgotten. There are no lines for an unknown account.
 */
export async function readJournalEnding(
  database: Queryable,
  which: AccountId,
  linesMax: number,
): Promise<JournalEnding> {
  let start = JOURNAL_START;
  const lines: ChainedLine[] = [];
  let place = JOURNAL_START;
  for await (const { version: upTo } of readAccountHeads(database, which)) {
    let isFixed = upTo <= linesMax;
    for await (const line of journalLines(database, which, { after: 0, upTo })) {
      if (line.inputs !== null && !isFixed) {
        start = place;
        lines.length = 0;
        isFixed = line.seq > upTo - linesMax;
      }
      lines.push(line);
      const event = parseEvent(line.event);
      isFixed ||= event.type === "accountEliminated";
      place = { sequence: line.seq, hash: line.hash, state: evolve(place.state, event) };
      if (line.seq % TURN_LINES === 0) await yieldToEventLoop();
    }
  }
  return { start, lines, catalogues: await readNamedCatalogues(database, lines) };
}

/**
 * The number of lines that one read takes. After an elimination only payments and the closing of the account follow, so
 * the first read nearly always contains the elimination.
 */
const END_LINES = 100;

/**
 * The elimination of an account, read from its newest lines back to the decision that caused it, so the length of the
 * earlier journal does not matter. Null when the account was not eliminated.
 */
export async function findRecordedElimination(
  database: Queryable,
  which: AccountId,
): Promise<RecordedEnd | null> {
  let lines: readonly ChainedLine[] = [];
  for (;;) {
    const before = lines[0]?.seq ?? null;
    const page = await readNewestLines(database, which, { before, limit: END_LINES });
    lines = [...page.toReversed(), ...lines];
    const ending = endingDecisionIn(lines);
    if (ending !== null)
      return findRecordedEnd(ending, await readNamedCatalogues(database, ending));
    if (page.length < END_LINES) return null;
  }
}

/** The lines of the decision that eliminated the account; null unless all of them are among these lines. */
function endingDecisionIn(lines: readonly ChainedLine[]): readonly ChainedLine[] | null {
  const end = lines.findIndex(({ event }) => parseEvent(event).type === "accountEliminated");
  const until = lines.slice(0, end + 1);
  const begin = until.findLastIndex(({ inputs }) => inputs !== null);
  return begin === -1 ? null : until.slice(begin);
}

/** The texts of the catalogues that the lines name, by their hash. */
async function readNamedCatalogues(
  database: Queryable,
  lines: readonly ChainedLine[],
): Promise<ReadonlyMap<string, string>> {
  const store = createCatalogueStore(database);
  const catalogues = new Map<string, string>();
  for (const [at, { inputs }] of lines.entries()) {
    if (at % TURN_LINES === 0) await yieldToEventLoop();
    const hash = inputs === null ? null : catalogueHashOf(inputs);
    if (hash === null || catalogues.has(hash)) continue;
    const body = await store.find(hash);
    if (body !== null) catalogues.set(hash, body);
  }
  return catalogues;
}

/**
 * The text of the catalogue that the line names; null when it names none, an earlier line has named it, or it is not
 * stored.
 */
async function newCatalogueText(
  catalogues: CatalogueStore,
  { inputs }: ChainedLine,
  named: Set<string>,
): Promise<string | null> {
  const hash = inputs === null ? null : catalogueHashOf(inputs);
  if (hash === null || named.has(hash)) return null;
  named.add(hash);
  const body = await catalogues.find(hash);
  return body === null ? null : catalogueLineText(hash, body);
}

/** Makes a judge that checks the file of a journal while it is read. */
export function createFileJudge(): JournalFileJudge {
  return judgeJournalFile(sha256);
}

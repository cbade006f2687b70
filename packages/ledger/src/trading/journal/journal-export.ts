import { otherWork } from "@propgate/base";
import {
  type AccountId,
  type ChainedLine,
  catalogueLineText,
  evolve,
  headText,
  JOURNAL_START,
  type JournalFileJudge,
  type JournalStart,
  judgeJournalFile,
  lineText,
  namedCatalogue,
  parseEvent,
  type RecordedEnd,
  recordedEnd,
} from "@propgate/core";
import type { Queryable } from "../../storage/databases/database.ts";
import {
  accountHeads,
  journalHeads,
  journalLines,
  newestLines,
} from "../../storage/journal/journal-store.ts";
import { sha256 } from "../../storage/journal/line-hash.ts";
import { type CatalogueStore, createCatalogueStore } from "../../storage/stores/catalogue-store.ts";

/** A part of a journal's file. */
export interface JournalPart {
  /** The number of the line before the part. At 0 the part begins with the account's head. */
  readonly after: number;
  /** Null for all lines that follow. */
  readonly limit: number | null;
}

export const WHOLE_JOURNAL: JournalPart = { after: 0, limit: null };

/**
 * The file of a journal, text by text: the account's head, every line, and each catalogue in front of the first line
 * that names it. Holds one page of lines in memory. Nothing for an unknown account.
 */
export async function* exportJournal(
  database: Queryable,
  which: AccountId,
  { after, limit }: JournalPart,
): AsyncGenerator<string> {
  const catalogues = createCatalogueStore(database);
  for await (const head of journalHeads(database, which)) {
    const upTo = limit === null ? head.version : Math.min(head.version, after + limit);
    const named = new Set<string>();
    if (after === 0) yield headText(head);
    for await (const line of journalLines(database, which, { after, upTo })) {
      const catalogue = await firstNamed(catalogues, line, named);
      if (catalogue !== null) yield catalogue;
      yield lineText(line);
    }
  }
}

/** The end of a journal in memory: its lines from a decision on, and the account before them. */
export interface JournalEnding {
  readonly start: JournalStart;
  readonly lines: readonly ChainedLine[];
  /** The texts of catalogues by the hash that lines have. */
  readonly catalogues: ReadonlyMap<string, string>;
}

/** Lines between two turns of the event loop. */
const TURN_LINES = 250;

/**
 * The last lines of an account, at most `linesMax` unless its elimination is before them: then the lines begin with the
 * decision that ended it. The lines before are applied and forgotten. No lines for an unknown account.
 */
export async function journalEnding(
  database: Queryable,
  which: AccountId,
  linesMax: number,
): Promise<JournalEnding> {
  let start = JOURNAL_START;
  const lines: ChainedLine[] = [];
  let place = JOURNAL_START;
  for await (const { version: upTo } of accountHeads(database, which)) {
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
      if (line.seq % TURN_LINES === 0) await otherWork();
    }
  }
  return { start, lines, catalogues: await namedCatalogues(database, lines) };
}

/** Only payments and the closing of the account come after its end, so it is in the first page of nearly every one. */
const END_LINES = 100;

/**
 * The elimination of an account from the lines of its decision alone, however long the journal before them is. Null
 * when no line is one.
 */
export async function journalEnd(
  database: Queryable,
  which: AccountId,
): Promise<RecordedEnd | null> {
  let lines: readonly ChainedLine[] = [];
  for (;;) {
    const before = lines[0]?.seq ?? null;
    const page = await newestLines(database, which, { before, limit: END_LINES });
    lines = [...page.toReversed(), ...lines];
    const ending = endingDecisionIn(lines);
    if (ending !== null) return recordedEnd(ending, await namedCatalogues(database, ending));
    if (page.length < END_LINES) return null;
  }
}

/** Null unless the whole decision is there. */
function endingDecisionIn(lines: readonly ChainedLine[]): readonly ChainedLine[] | null {
  const end = lines.findIndex(({ event }) => parseEvent(event).type === "accountEliminated");
  const until = lines.slice(0, end + 1);
  const begin = until.findLastIndex(({ inputs }) => inputs !== null);
  return begin === -1 ? null : until.slice(begin);
}

async function namedCatalogues(
  database: Queryable,
  lines: readonly ChainedLine[],
): Promise<ReadonlyMap<string, string>> {
  const store = createCatalogueStore(database);
  const catalogues = new Map<string, string>();
  for (const [at, { inputs }] of lines.entries()) {
    if (at % TURN_LINES === 0) await otherWork();
    const hash = inputs === null ? null : namedCatalogue(inputs);
    if (hash === null || catalogues.has(hash)) continue;
    const body = await store.find(hash);
    if (body !== null) catalogues.set(hash, body);
  }
  return catalogues;
}

/** The text of the line's catalogue when no line before has named it. */
async function firstNamed(
  catalogues: CatalogueStore,
  { inputs }: ChainedLine,
  named: Set<string>,
): Promise<string | null> {
  const hash = inputs === null ? null : namedCatalogue(inputs);
  if (hash === null || named.has(hash)) return null;
  named.add(hash);
  const body = await catalogues.find(hash);
  return body === null ? null : catalogueLineText(hash, body);
}

/** Judges the file of a journal while it is read. */
export function createFileJudge(): JournalFileJudge {
  return judgeJournalFile(sha256);
}

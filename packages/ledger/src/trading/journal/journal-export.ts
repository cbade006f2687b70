import {
  type AccountId,
  type ChainedLine,
  catalogueLineText,
  headText,
  type JournalFileJudge,
  judgeJournalFile,
  lineText,
  namedCatalogue,
} from "@propgate/core";
import type { Queryable } from "../../storage/databases/database.ts";
import { accountHeads, journalLines } from "../../storage/journal/journal-store.ts";
import { type CatalogueStore, createCatalogueStore } from "../../storage/stores/catalogue-store.ts";
import { sha256 } from "../execution/decision-inputs.ts";

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
  for await (const head of accountHeads(database, which)) {
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

/** All lines of an account in memory. */
export interface WholeJournal {
  readonly lines: readonly ChainedLine[];
  /** The texts of catalogues by the hash that lines have. */
  readonly catalogues: ReadonlyMap<string, string>;
}

export async function wholeJournal(database: Queryable, which: AccountId): Promise<WholeJournal> {
  const store = createCatalogueStore(database);
  const lines: ChainedLine[] = [];
  const catalogues = new Map<string, string>();
  for await (const { version: upTo } of accountHeads(database, which)) {
    for await (const line of journalLines(database, which, { after: 0, upTo })) {
      lines.push(line);
      const hash = line.inputs === null ? null : namedCatalogue(line.inputs);
      if (hash === null || catalogues.has(hash)) continue;
      const body = await store.find(hash);
      if (body !== null) catalogues.set(hash, body);
    }
  }
  return { lines, catalogues };
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

import { type AccountId, accountId, type Judgement, rejudge } from "@propgate/core";
import type { Queryable } from "../../storage/databases/database.ts";
import { CHAIN_START, chainHash } from "../../storage/journal/chain.ts";
import {
  accountHeads,
  journalLines,
  type StoredLine,
} from "../../storage/journal/journal-store.ts";
import { parseEvent } from "../../storage/journal/parse-event.ts";
import { createCatalogueStore } from "../../storage/stores/catalogue-store.ts";
import { sha256 } from "../decision-inputs.ts";

const FORMAT = 1;

interface HeadText {
  readonly format: number;
  readonly accountId: string;
  readonly version: number;
  /** Hex, as all hashes of lines. */
  readonly headHash: string;
}

interface LineText extends Omit<StoredLine, "hash" | "accountId"> {
  readonly hash: string;
}

type CatalogueText = { readonly catalogue: string; readonly body: string };

/** One JSON text a line: the account's head, the stored catalogues, every journal line. Nothing for an unknown account. */
export async function* exportJournal(
  database: Queryable,
  which: AccountId,
): AsyncGenerator<string> {
  for await (const { version, headHash } of accountHeads(database, which)) {
    const head: HeadText = { format: FORMAT, accountId: which, version, headHash: hex(headHash) };
    yield JSON.stringify(head);
    for (const { hash: catalogue, body } of await createCatalogueStore(database).list()) {
      yield JSON.stringify({ catalogue, body } satisfies CatalogueText);
    }
    for await (const line of journalLines(database, which, { after: 0, upTo: version })) {
      const { accountId: _accountId, ...columns } = line;
      yield JSON.stringify({ ...columns, hash: hex(line.hash) });
    }
  }
}

/** Judges the text of an export. @throws SyntaxError for text that is not JSON lines */
export function rejudgeExport(text: string): Judgement | null {
  const [first, ...rest] = text.split("\n").filter((line) => line !== "");
  if (first === undefined) return null;
  const head = JSON.parse(first) as HeadText;
  if (head.format !== FORMAT) return null;
  const account = accountId(head.accountId);
  const catalogues = new Map<string, string>();
  const lines: LineText[] = [];
  for (const one of rest) {
    const value = JSON.parse(one) as CatalogueText | LineText;
    if ("catalogue" in value) catalogues.set(value.catalogue, value.body);
    else lines.push(value);
  }
  let before = CHAIN_START;
  const judgement = rejudge<LineText>({
    version: head.version,
    lines,
    catalogues,
    sha256,
    isChained(line) {
      before = chainHash(before, { ...line, accountId: account });
      return hex(before) === line.hash;
    },
    parseEvent,
  });
  if (judgement.different !== null || hex(before) === head.headHash) return judgement;
  const why = "The account's head does not follow from this line.";
  return { ...judgement, different: { seq: judgement.lines, why } };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

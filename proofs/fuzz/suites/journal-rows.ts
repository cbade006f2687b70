import assert from "node:assert/strict";
import fc from "fast-check";
import type { Database } from "../../../packages/ledger/src/storage/databases/database.ts";
import { verifyJournal } from "../../../packages/ledger/src/trading/journal/verify-journal.ts";
import { createFuzzSuite, type FuzzSuite } from "../fuzz-suite.ts";

/** The columns of a journal line; `seq` and `hash` are its position in the chain. */
const COLUMNS = ["at_ms", "origin", "key_id", "nonce", "command", "event", "seq", "hash"] as const;

interface Line {
  readonly account_id: string;
  readonly seq: string;
}

/** Thrown to roll back a transaction after its checks. */
class RolledBack extends Error {
  override readonly name = "RolledBack";
}

/** Changes any line of the journal. The verification must find the change and name the account. */
export async function journalRowsSuite(database: Database): Promise<FuzzSuite> {
  const lines = await database.query<Line>("select account_id, seq from journal", []);
  assert.ok(lines.length > 0);
  return createFuzzSuite({
    name: "lines of the journal",
    defaultRuns: 300,
    inputs: fc.record({
      line: fc.constantFrom(...lines),
      column: fc.constantFrom(...COLUMNS, "the line"),
      at: fc.nat(),
      bit: fc.nat(3),
    }),
    async try({ line, ...change }) {
      const parameters = [line.account_id, line.seq];
      const checking = database.transaction(async (transaction) => {
        const changed = await transaction.query<Line>(statementOf(change), parameters);
        const { broken } = await verifyJournal(transaction, "all");
        const found = broken.map(({ accountId }) => String(accountId));
        assert.deepEqual(found, changed.length === 0 ? [] : [line.account_id]);
        throw new RolledBack();
      });
      await assert.rejects(checking, RolledBack);
    },
  });
}

/** A statement that changes the column of one line. It returns no row when the value would stay the same. */
function statementOf(change: {
  readonly column: (typeof COLUMNS)[number] | "the line";
  readonly at: number;
  readonly bit: number;
}): string {
  const { column, at, bit } = change;
  const whereLine = "where account_id = $1::uuid and seq = $2::bigint";
  if (column === "the line") return `delete from journal ${whereLine} returning seq`;
  return `update journal set ${column} = ${otherValue(column, at, bit)} ${whereLine}
    and ${otherValue(column, at, bit)} is distinct from ${column} returning seq`;
}

function otherValue(column: (typeof COLUMNS)[number], at: number, bit: number): string {
  switch (column) {
    case "at_ms":
      return `(at_ms # ${1 << bit})`;
    case "seq":
      return "seq + 1000";
    case "hash":
      return `set_bit(hash, ${at} % (length(hash) * 8), 1 - get_bit(hash, ${at} % (length(hash) * 8)))`;
    case "origin":
    case "key_id":
    case "nonce":
    case "command":
    case "event":
      // Replaces one character. Null stays null, so the value is the same and the statement returns no row.
      return `overlay(${column} placing chr(1 + (ascii(substr(${column}, 1 + ${at} % length(${column}), 1)) + ${bit}) % 126)
        from 1 + ${at} % length(${column}) for 1)`;
  }
}

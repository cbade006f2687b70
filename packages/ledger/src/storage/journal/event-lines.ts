import { mapYielding } from "@propgate/base";
import type { AccountId, ChainedLine } from "@propgate/core";
import type { Queryable } from "../databases/database.ts";
import { chainedLine, LINE_COLUMNS, type LineRow } from "./journal-store.ts";
import { eventPrefixesOf } from "./line-text.ts";
import { PROGRAM_ID_SQL, SETS_PROGRAM_SQL } from "./program-lines.ts";

/** A part of an account's journal, and the head of the journal at the moment of reading. */
export interface LinesPage {
  /** The number and the hash of the newest line. */
  readonly head: { readonly sequence: number; readonly hash: Uint8Array };
  /**
   * The lines of the range, oldest first. With `types`, only lines of these types, and always the first and last line.
   */
  readonly lines: readonly ChainedLine[];
}

/** A change of program. From line `sequence` on, the account is on this program until the next change. */
export interface ProgramChange {
  readonly sequence: number;
  readonly programId: string;
}

/** Reads parts of the journals of accounts, and the changes of their programs. */
export interface EventLines {
  /**
   * The `limit` lines from number `from` on; null for an unknown account. With `types`, only those lines among them
   * that have one of these types, and always the first and the last line.
   */
  page(
    account: AccountId,
    range: {
      readonly from: number;
      readonly limit: number;
      readonly types?: ReadonlySet<string> | null;
    },
  ): Promise<LinesPage | null>;
  /** The programs that the account has been on, in order. The first line of a journal puts its account on a program. */
  programs(account: AccountId): Promise<readonly ProgramChange[]>;
}

type PageRow = { readonly head_version: string; readonly head_hash: Uint8Array } & (
  | LineRow
  | { readonly seq: null }
);

/** One statement, so that the lines and the head are read at one moment. */
const PAGE = `
select h.version as head_version, h.head_hash, j.*
from accounts h left join lateral (
  select ${LINE_COLUMNS} from journal
  where account_id = $1 and seq between $2 and least($2 + $3 - 1, h.version)
    and ($4::text[] is null or seq in ($2, least($2 + $3 - 1, h.version))
      or exists (select from unnest($4::text[]) as t (start) where starts_with(event, t.start)))
  order by seq
) j on true
where h.account_id = $1 order by j.seq`;

const PROGRAMS = `
select seq, ${PROGRAM_ID_SQL} as program from journal where account_id = $1 and ${SETS_PROGRAM_SQL} order by seq`;

function hasLine(row: PageRow): row is PageRow & LineRow {
  return row.seq !== null;
}

export function createEventLines(database: Queryable): EventLines {
  return {
    async page(account, { from, limit, types = null }) {
      const starts = types === null ? null : [...types].flatMap(eventPrefixesOf);
      const rows = await database.query<PageRow>(PAGE, [account, from, limit, starts]);
      const [first] = rows;
      if (first === undefined) return null;
      return {
        head: { sequence: Number(first.head_version), hash: first.head_hash },
        lines: await mapYielding(rows.filter(hasLine), chainedLine),
      };
    },
    async programs(account) {
      const rows = await database.query<{ readonly seq: string; readonly program: string }>(
        PROGRAMS,
        [account],
      );
      return rows.map(({ seq, program }) => ({ sequence: Number(seq), programId: program }));
    },
  };
}

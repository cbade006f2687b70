import { type AccountId, accountId, type ChainedLine } from "@propgate/core";
import {
  chainedLine,
  externalIdSql,
  HAS_FOREIGN_LINES_SQL,
  type LineRow,
  programAfterLineSql,
  type Queryable,
} from "@propgate/ledger";

/**
 * A line's position in the order of transactions. Lines of one transaction are ordered by account, then by sequence, so
 * a page may end inside a transaction.
 */
export interface TransactionPosition {
  readonly transaction: bigint;
  readonly accountId: AccountId;
  readonly sequence: number;
  readonly hash: Uint8Array;
}

/** Selects lines by their account, and by the program that it is on. */
export interface LineFilter {
  /** The only account whose lines are selected; null for every account. */
  readonly accountId: AccountId | null;
  /** The program that the account is on after the line; null for every program. */
  readonly programId: string | null;
}

/** A line that was read, whether the filter kept it or not. */
export interface ScannedLine {
  readonly place: TransactionPosition;
  /** The line itself; null when the filter leaves it out, and when its account has no row in `accounts`. */
  readonly found: OwnedLine | null;
}

/** A line of a journal with the owner and the external id of its account. */
export interface OwnedLine {
  /** The line without its `inputs`, which no event shows. */
  readonly line: ChainedLine;
  readonly ownerId: string;
  readonly externalId: string | null;
}

/** The lines of one account from one sequence up to another, both included. */
export interface AccountSpan {
  readonly accountId: AccountId;
  readonly from: number;
  readonly upTo: number;
}

/**
 * Reads the journals of all accounts of a database, in the order of the transactions that wrote the lines. It reads
 * only lines that are older than every open transaction. So a line that commits late comes after all lines that were
 * read before.
 * @throws Error from `head` and `has` when the database has lines of another server's transactions
 */
export interface TransactionLines {
  /** The position of the newest line; null when there is none. */
  head(): Promise<TransactionPosition | null>;
  /** Whether the journal has the line at this position, with a hash that begins with the position's hash. */
  has(place: TransactionPosition): Promise<boolean>;
  /**
   * The lines after the position, or from the first line on with null. Lines that the filter leaves out are in the page
   * too.
   */
  page(
    after: TransactionPosition | null,
    page: { readonly limit: number; readonly filter: LineFilter },
  ): Promise<readonly ScannedLine[]>;
  /**
   * For each account with lines after `after` and up to `upTo`, the span of these lines, by account id. Only the span
   * of `account` unless it is null.
   */
  findSpans(
    after: TransactionPosition | null,
    upTo: TransactionPosition,
    account: AccountId | null,
  ): Promise<readonly AccountSpan[]>;
  /**
   * The lines of the spans, by account id, then by sequence. A line is left out when its account is not on the filter's
   * program after that line. The filter's account is not checked, because `findSpans` has selected by it.
   */
  linesOf(spans: readonly AccountSpan[], filter: LineFilter): Promise<readonly OwnedLine[]>;
}

interface PlaceRow {
  readonly transaction: string;
  readonly account_id: string;
  readonly seq: string;
  readonly hash: Uint8Array;
}

interface FoundRow extends PlaceRow, Omit<LineRow, "event"> {
  /** The line's event; null when the filter leaves the line out, and when its account has no row in `accounts`. */
  readonly event: string | null;
  readonly owner_id: string;
  readonly external_id: string | null;
}

const ORDER = "transaction_id, account_id, seq";
const READABLE = "transaction_id < pg_snapshot_xmin(pg_current_snapshot())";
const PLACE = "transaction_id::text as transaction, account_id, seq, hash";

const FOREIGN = `${HAS_FOREIGN_LINES_SQL} as is_foreign`;

const HEAD = `
select f.is_foreign, h.* from (select ${FOREIGN}) f left join (
  select ${PLACE} from journal where ${READABLE}
  order by transaction_id desc, account_id desc, seq desc limit 1
) h on true`;

const HASH = `
select ${FOREIGN}, (
  select hash from journal where account_id = $1 and seq = $2 and transaction_id = $3::xid8) as hash`;

const LINE = `j.transaction_id::text as transaction, j.account_id, j.seq, j.at_ms, j.origin, j.key_id,
  j.nonce, j.command, null as inputs, j.hash, a.owner_id, ${externalIdSql("j.account_id")} as external_id`;

/** SQL for the program that the account of line `j` is on after the line. */
const PROGRAM = programAfterLineSql("j.account_id", "j.seq");

/**
 * The next lines after a position, in the order of transactions. Only lines older than every open transaction are
 * readable, so a line that commits late comes on a later page and no line comes twice. `event` is null for a line that
 * the filter leaves out. @rule D9.firehose @rule D9.firehoseOnce decides
 */
const PAGE = `
select ${LINE},
  case when a.account_id is not null and ($5::uuid is null or j.account_id = $5)
    and ($6::text is null or $6 = ${PROGRAM}) then j.event end as event
from (
  select * from journal
  where (${ORDER}) > ($1::xid8, $2::uuid, $3::bigint) and ${READABLE} order by ${ORDER} limit $4
) j left join accounts a using (account_id) order by j.transaction_id, j.account_id, j.seq`;

const SPANS = `
select account_id, min(seq) as first, max(seq) as last from journal
where (${ORDER}) > ($1::xid8, $2::uuid, $3::bigint) and (${ORDER}) <= ($4::xid8, $5::uuid, $6::bigint)
  and ($7::uuid is null or account_id = $7)
group by account_id order by account_id`;

const OF_SPANS = `
select ${LINE}, j.event
from unnest($1::uuid[], $2::bigint[], $3::bigint[]) s (account_id, first, last)
join journal j on j.account_id = s.account_id and j.seq between s.first and s.last
join accounts a on a.account_id = s.account_id
where $4::text is null or $4 = ${PROGRAM}
order by j.account_id, j.seq`;

/** The position before every line. */
const FIRST = ["0", "00000000-0000-0000-0000-000000000000", 0] as const;

/** Creates the reader of a database's journal lines in the order of their transactions. @rule D9.firehose */
export function createTransactionLines(database: Queryable): TransactionLines {
  return {
    async head() {
      const [row] = await database.query<ForeignRow & (PlaceRow | { readonly transaction: null })>(
        HEAD,
        [],
      );
      refuseForeign(row);
      return row === undefined || row.transaction === null ? null : placeOf(row);
    },
    async has({ transaction, accountId: account, sequence, hash }) {
      const [row] = await database.query<ForeignRow & { readonly hash: Uint8Array | null }>(HASH, [
        account,
        sequence,
        transaction,
      ]);
      refuseForeign(row);
      if (row?.hash == null) return false;
      return Buffer.from(row.hash).subarray(0, hash.length).equals(hash);
    },
    async page(after, { limit, filter }) {
      const parameters = [...keyOf(after), limit, filter.accountId, filter.programId];
      const rows = await database.query<FoundRow>(PAGE, parameters);
      return rows.map((row) => ({
        place: placeOf(row),
        found: row.event === null ? null : ownedLine({ ...row, event: row.event }),
      }));
    },
    async findSpans(after, upTo, account) {
      const rows = await database.query<{
        readonly account_id: string;
        readonly first: string;
        readonly last: string;
      }>(SPANS, [...keyOf(after), ...keyOf(upTo), account]);
      return rows.map((row) => ({
        accountId: accountId(row.account_id),
        from: Number(row.first),
        upTo: Number(row.last),
      }));
    },
    async linesOf(spans, { programId }) {
      const rows = await database.query<FoundRow & LineRow>(OF_SPANS, [
        spans.map((span) => span.accountId),
        spans.map(({ from }) => from),
        spans.map(({ upTo }) => upTo),
        programId,
      ]);
      return rows.map(ownedLine);
    },
  };
}

interface ForeignRow {
  readonly is_foreign: boolean;
}

function refuseForeign(row: ForeignRow | undefined): void {
  if (row?.is_foreign !== true) return;
  throw new Error(
    "the journal has transactions of another server, so it was not copied by a backup of this service",
  );
}

function keyOf(place: TransactionPosition | null): readonly (string | number)[] {
  return place === null ? FIRST : [String(place.transaction), place.accountId, place.sequence];
}

function placeOf(row: PlaceRow): TransactionPosition {
  return {
    transaction: BigInt(row.transaction),
    accountId: accountId(row.account_id),
    sequence: Number(row.seq),
    hash: row.hash,
  };
}

function ownedLine(row: LineRow & Pick<FoundRow, "owner_id" | "external_id">): OwnedLine {
  return { line: chainedLine(row), ownerId: row.owner_id, externalId: row.external_id };
}

import { type AccountId, accountId, type LossRule, microUsd, unixMs } from "@propgate/core";
import type { Queryable } from "../databases/database.ts";
import type { EquityFigures, LimitFloor } from "../rows/equity-figures.ts";

/** The equity, the balance and the floors of an account at one moment. */
export interface AccountEquity extends EquityFigures {
  readonly accountId: AccountId;
}

/** The recorded equity of accounts, from minute to minute. */
export interface EquityStore {
  /** Adds points. When two nodes add points of the same account and moment, the first point is kept. */
  add(points: readonly AccountEquity[]): Promise<void>;
  /** The points after `after` up to `upTo`, oldest first. */
  between(
    account: AccountId,
    range: { readonly after: number; readonly upTo: number },
  ): Promise<readonly EquityFigures[]>;
  /** The newest point at or before that moment; null when there is none. */
  lastAt(account: AccountId, atMs: number): Promise<EquityFigures | null>;
  /**
   * Thins the points after `after` up to `upTo`, which are both multiples of `stepMs`: keeps only the last point of
   * each step. A step excludes its first moment and includes its last, so that midnight ends a day.
   */
  thin(
    accounts: readonly AccountId[],
    range: { readonly after: number; readonly upTo: number; readonly stepMs: number },
  ): Promise<void>;
  /** The first `limit` accounts after `after`, sorted by id. */
  accounts(page: {
    readonly after: AccountId | null;
    readonly limit: number;
  }): Promise<readonly AccountId[]>;
}

interface PointRow {
  readonly at_ms: string;
  readonly equity: string;
  readonly balance: string;
  /** JSON: the floor in micro USD by the rule of its limit, such as `{"dailyLoss":95000000000}`. */
  readonly floors: string;
}

const COLUMNS = "at_ms, equity, balance, floors";

export function createEquityStore(database: Queryable): EquityStore {
  return {
    async add(points) {
      if (points.length === 0) return;
      await database.query(
        `insert into equity_points (account_id, ${COLUMNS})
         select * from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[])
         on conflict (account_id, at_ms) do nothing`,
        [
          points.map((point) => point.accountId),
          points.map((point) => point.atMs),
          points.map((point) => point.equity),
          points.map((point) => point.balance),
          points.map((point) => floorsText(point.floors)),
        ],
      );
    },
    async between(account, { after, upTo }) {
      const rows = await database.query<PointRow>(
        `select ${COLUMNS} from equity_points
         where account_id = $1 and at_ms > $2 and at_ms <= $3 order by at_ms`,
        [account, after, upTo],
      );
      return rows.map(figures);
    },
    async lastAt(account, atMs) {
      const rows = await database.query<PointRow>(
        `select ${COLUMNS} from equity_points
         where account_id = $1 and at_ms <= $2 order by at_ms desc limit 1`,
        [account, atMs],
      );
      return rows.map(figures)[0] ?? null;
    },
    async thin(accounts, { after, upTo, stepMs }) {
      await database.query(
        `delete from equity_points p
         where p.account_id = any ($1::uuid[]) and p.at_ms > $2 and p.at_ms <= $3
           and exists (select 1 from equity_points q where q.account_id = p.account_id
             and q.at_ms > p.at_ms
             and q.at_ms <= (p.at_ms + $4::bigint - 1) / $4::bigint * $4::bigint)`,
        [accounts, after, upTo, stepMs],
      );
    },
    async accounts({ after, limit }) {
      const rows = await database.query<{ account_id: string }>(
        `select account_id from accounts where ($1::uuid is null or account_id > $1)
         order by account_id limit $2`,
        [after, limit],
      );
      return rows.map((row) => accountId(row.account_id));
    },
  };
}

function figures(row: PointRow): EquityFigures {
  return {
    atMs: unixMs(Number(row.at_ms)),
    equity: microUsd(Number(row.equity)),
    balance: microUsd(Number(row.balance)),
    floors: floorsFrom(row.floors),
  };
}

function floorsText(floors: readonly LimitFloor[]): string {
  return JSON.stringify(Object.fromEntries(floors.map(({ rule, floor }) => [rule, floor])));
}

function floorsFrom(text: string): readonly LimitFloor[] {
  const floors = Object.entries(JSON.parse(text)) as [LossRule, number][];
  return floors.map(([rule, floor]) => ({ rule, floor: microUsd(floor) }));
}

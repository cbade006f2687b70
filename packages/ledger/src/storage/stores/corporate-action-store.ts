import {
  type AccountId,
  type ActionId,
  accountId,
  actionId,
  type CorporateAction,
  type PairId,
  pairId,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import type { Database } from "../databases/database.ts";
import type { PartitionFilter } from "./account-store.ts";

export type ActionStatus = "announced" | "cancelled" | "carriedOut";

/** A corporate action with its announcer, and whether it was cancelled or carried out since. */
export interface ActionRecord {
  readonly action: CorporateAction;
  readonly status: ActionStatus;
  readonly announcedBy: string;
  /** When it was cancelled or carried out on all accounts; null before. */
  readonly endedAtMs: UnixMs | null;
}

/** Corporate actions, and the accounts that may need them. */
export interface CorporateActionStore {
  /**
   * Stores the action, unless another action that is not cancelled prevents it; then that one is returned. `inTheWay`
   * is of the same pair at the same moment or later. `recent` prevents only a split: it is an earlier split of the
   * pair, at most `splitsApartMs` before. The stored action is durable when the promise resolves.
   */
  announce(
    announced: Pick<ActionRecord, "action" | "announcedBy"> & { readonly splitsApartMs: number },
  ): Promise<
    ActionRecord | { readonly inTheWay: ActionRecord } | { readonly recent: ActionRecord }
  >;
  /** The number of accounts of this database that have a fill of the pair at that time or later. */
  filledSince(pair: PairId, atMs: UnixMs): Promise<number>;
  /** Ends an announced action and returns it; null when it is unknown or has ended. */
  end(
    id: ActionId,
    as: { readonly status: "cancelled" | "carriedOut"; readonly atMs: UnixMs },
  ): Promise<ActionRecord | null>;
  find(id: ActionId): Promise<ActionRecord | null>;
  /** All actions, the one with the latest moment first. */
  list(): Promise<readonly ActionRecord[]>;
  /**
   * Accounts with open positions or pending orders whose state or later lines mention the pair and not the action,
   * sorted by id. The result may include accounts that do not need the action, because they opened the position later
   * or closed it recently.
   */
  findHoldersWithout(
    action: CorporateAction,
    page: { readonly after: AccountId | null; readonly limit: number } & PartitionFilter,
  ): Promise<readonly ActionHolder[]>;
}

/** An account that may need a corporate action. */
export interface ActionHolder {
  readonly accountId: AccountId;
  readonly version: number;
}

interface ActionRow {
  readonly action_id: string;
  readonly pair: string;
  readonly kind: "split" | "dividend";
  readonly new_shares: number | null;
  readonly old_shares: number | null;
  readonly amount: number | null;
  readonly at_ms: string;
  readonly status: ActionStatus;
  readonly announced_by: string;
  readonly announced_at_ms: string;
  readonly ended_at_ms: string | null;
}

const COLUMNS = `action_id, pair, kind, new_shares, old_shares, amount, at_ms, status, announced_by,
  announced_at_ms, ended_at_ms`;
/**
 * The advisory lock of announcements: an arbitrary number, the same on every node, so that they are made one at a time.
 */
const ANNOUNCE_LOCK = 7_720_017;

/**
 * Makes the store. `announce` refuses an action that is not later than all other actions of its pair, and a split that
 * follows an earlier one too soon; cancelled actions do not count. @rule D11.announce
 */
export function createCorporateActionStore(database: Database): CorporateActionStore {
  return {
    announce: ({ action, announcedBy, splitsApartMs }) =>
      database.transaction(async (transaction) => {
        await transaction.query(`select pg_advisory_xact_lock(${ANNOUNCE_LOCK})`, []);
        const [later] = await transaction.query<ActionRow>(
          `select ${COLUMNS} from corporate_actions
           where pair = $1 and at_ms >= $2 and status <> 'cancelled' order by at_ms limit 1`,
          [action.pair, action.atMs],
        );
        if (later !== undefined) return { inTheWay: recordOf(later) };
        const isSplit = action.kind === "split";
        const [recent] = await transaction.query<ActionRow>(
          `select ${COLUMNS} from corporate_actions
           where $4 and pair = $1 and kind = 'split' and status <> 'cancelled' and at_ms >= $2 - $3::bigint
           order by at_ms desc limit 1`,
          [action.pair, action.atMs, splitsApartMs, isSplit],
        );
        if (recent !== undefined) return { recent: recordOf(recent) };
        await transaction.query(
          `insert into corporate_actions (${COLUMNS})
           values ($1, $2, $3, $4, $5, $6, $7, 'announced', $8, $9, null)`,
          [
            action.id,
            action.pair,
            action.kind,
            isSplit ? action.newShares : null,
            isSplit ? action.oldShares : null,
            isSplit ? null : action.amount,
            action.atMs,
            announcedBy,
            action.announcedAtMs,
          ],
        );
        return { action, status: "announced", announcedBy, endedAtMs: null };
      }),
    async end(id, { status, atMs }) {
      const [row] = await database.query<ActionRow>(
        `update corporate_actions set status = $2, ended_at_ms = $3
         where action_id = $1 and status = 'announced' returning ${COLUMNS}`,
        [id, status, atMs],
      );
      return row === undefined ? null : recordOf(row);
    },
    async find(id) {
      const [row] = await database.query<ActionRow>(
        `select ${COLUMNS} from corporate_actions where action_id = $1`,
        [id],
      );
      return row === undefined ? null : recordOf(row);
    },
    async list() {
      const rows = await database.query<ActionRow>(
        `select ${COLUMNS} from corporate_actions order by at_ms desc, action_id`,
        [],
      );
      return rows.map(recordOf);
    },
    async filledSince(pair, atMs) {
      const [row] = await database.query<{ accounts: string }>(
        `select count(distinct j.account_id) as accounts
         from journal j, lateral (select journal_text(j.event) as text) as known
         where j.at_ms >= $1 and position($2 in known.text) > 0 and position($3 in known.text) > 0`,
        [
          atMs,
          JSON.stringify({ type: "orderFilled" }).slice(1, -1),
          JSON.stringify({ pair }).slice(1, -1),
        ],
      );
      return Number(row?.accounts ?? 0);
    },
    async findHoldersWithout({ id, pair }, { after, limit, partitions }) {
      // States and events are written by JSON.stringify, so they contain a pair and an id literally.
      const rows = await database.query<{ account_id: string; version: string }>(
        `select a.account_id, a.version from accounts a join account_states s using (account_id),
           lateral (select concat(s.state, journal_text(string_agg(j.event, ''))) as text from journal j
             where j.account_id = a.account_id and j.seq > s.version) as known
         where a.exposed and ($1::uuid is null or a.account_id > $1)
           and ($5::integer[] is null or partition_of(a.account_id) = any ($5))
           and position($2 in known.text) > 0 and position($3 in known.text) = 0
         order by a.account_id limit $4`,
        [after, JSON.stringify({ pair }).slice(1, -1), JSON.stringify(id), limit, partitions],
      );
      return rows.map((row) => ({
        accountId: accountId(row.account_id),
        version: Number(row.version),
      }));
    },
  };
}

function recordOf(row: ActionRow): ActionRecord {
  return {
    action: actionOf(row),
    status: row.status,
    announcedBy: row.announced_by,
    endedAtMs: row.ended_at_ms === null ? null : unixMs(Number(row.ended_at_ms)),
  };
}

/** The checks of the table ensure that an action has the columns of its kind. */
function actionOf(row: ActionRow): CorporateAction {
  const announced = {
    id: actionId(row.action_id),
    pair: pairId(row.pair),
    atMs: unixMs(Number(row.at_ms)),
    announcedAtMs: unixMs(Number(row.announced_at_ms)),
  };
  if (row.kind === "dividend") return { ...announced, kind: "dividend", amount: row.amount ?? 0 };
  const { new_shares: newShares, old_shares: oldShares } = row;
  return { ...announced, kind: "split", newShares: newShares ?? 1, oldShares: oldShares ?? 1 };
}

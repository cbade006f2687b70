import type { Clock } from "@propgate/base";
import type {
  LinkedAccount,
  LinkedAccountStore,
  LinkedRecord,
  PayoutsPage,
  ReadAt,
  Reading,
} from "@propgate/ledger";
import type { PayoutsAnswer } from "@propgate/wire";
import type { Settlements } from "../dashboard/settlements.ts";
import { payoutLines } from "../journal/payout-lines.ts";
import type { ReadingDesk } from "../reading-desk.ts";
import { linkedPayoutsView, payoutRecords } from "../views/payouts.ts";
import type { LinkedRecords } from "./linked-records.ts";
import type { PayoutReader } from "./payout-reader.ts";

/** Pages of a linked account's payouts. */
export interface PayoutDesk {
  /**
   * One page of the payouts at the validator. Lists the stored weeks when the network cannot be reached.
   * @rule S3.accrualStatus
   */
  page(at: ReadAt, page: PayoutsPage): Promise<Reading<PayoutsAnswer>>;
}

export interface PayoutDeskOptions {
  readonly desk: Pick<ReadingDesk, "read" | "stored">;
  readonly reader: PayoutReader;
  readonly store: Pick<LinkedAccountStore, "takeLease" | "releaseLease" | "storeReading">;
  readonly records: LinkedRecords;
  /** The name of this process in leases. */
  readonly holder: string;
  readonly clock: Clock;
  readonly onFault: (cause: unknown) => void;
}

export function createPayoutDesk(options: PayoutDeskOptions): PayoutDesk {
  const { desk, reader, clock } = options;
  return {
    async page(at, page) {
      const reading = (await desk.read(at)) ?? (await desk.stored(at));
      if (reading === null) return { ok: false, error: "unreachable" };
      const { account, readings } = reading;
      const settlements = await reader.read(account);
      const records = await options.records.read(account, "payout");
      if (typeof settlements !== "string")
        await storeClosedWeeks(options, { account, settlements, records });
      const view = linkedPayoutsView({
        accountId: account.accountId,
        readings,
        settlements,
        records,
        profitSplit: account.profitSplit,
        page,
        asOfMs: clock.now(),
      });
      return { ok: true, value: view };
    },
  };
}

const LEASE_MS = 10_000;

/** Stores closed weeks that are new or have changed. After a failure, the next answer stores them. */
async function storeClosedWeeks(
  options: PayoutDeskOptions,
  found: {
    readonly account: LinkedAccount;
    readonly settlements: Settlements;
    readonly records: readonly LinkedRecord[];
  },
): Promise<void> {
  const { accountId } = found.account;
  const known = new Map(found.records.map(({ id, body }) => [id, body]));
  const weeks = payoutRecords(found.settlements, options.clock.now());
  const fresh = weeks.filter(({ id, body }) => known.get(id) !== body);
  if (fresh.length === 0) return;
  // The name in this lease differs from the name in the lease of a poll, because storing weeks must not end the lease
  // of a poll.
  const holder = `${options.holder}:payouts`;
  try {
    const account = await options.store.takeLease(accountId, holder, LEASE_MS);
    if (account === null) return;
    const isStored = await storeBesideReadings(options, { account, holder, fresh });
    if (!isStored) await options.store.releaseLease(accountId, holder);
  } catch (cause) {
    options.onFault(cause);
  }
}

/**
 * Stores records together with the present readings. After a failed reading it stores none, because the old readings
 * would then count as new. Returns whether the records were stored.
 */
async function storeBesideReadings(
  { store }: PayoutDeskOptions,
  write: {
    readonly account: LinkedAccount;
    readonly holder: string;
    readonly fresh: readonly LinkedRecord[];
  },
): Promise<boolean> {
  const { account, holder, fresh: records } = write;
  const { accountId, readings, pairs, readAtMs, behindSinceMs, status, failingSinceMs } = account;
  if (readings === null || readAtMs === null || failingSinceMs !== null) return false;
  const reading = {
    accountId,
    holder,
    readings,
    pairs,
    readAtMs,
    behindSinceMs,
    status,
    records,
    lines: payoutLines(account, records),
  };
  return store.storeReading(reading);
}

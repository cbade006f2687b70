import { accountId, evolve, type UnixMs } from "@propgate/core";
import type { Database } from "../../storage/databases/database.ts";
import { createAccountStore } from "../../storage/stores/account-store.ts";
import { createPayoutStore, type UnpaidPayouts } from "../../storage/stores/payout-store.ts";
import { countUsableKeys } from "../../storage/stores/restore-store.ts";
import { createStateCache } from "../state-cache.ts";

/** The holdings in a restored database. Since the backup they may have changed in reality. */
export interface HeldData {
  readonly positions: number;
  readonly restingOrders: number;
  /** The number of armed dead man's switches. They fire when the restore is confirmed, unless they are armed again. */
  readonly armedSwitches: number;
  /** Payments that were recorded after the backup are missing, so some of these payouts may have been paid. */
  readonly unpaidPayouts: UnpaidPayouts;
  /** The number of API keys that are neither revoked nor expired. */
  readonly usableKeys: number;
}

const PAGE = 1_000;

/** Counts the holdings of a restored database. */
export async function countHeldData(database: Database, now: UnixMs): Promise<HeldData> {
  const counts = { positions: 0, restingOrders: 0, armedSwitches: 0 };
  const store = createAccountStore(database);
  // An account that cannot be read is left out here. The check of the journals after the restore reports it.
  const cache = createStateCache(database, { evolve, onFault: () => undefined });
  let after: string | null = null;
  for (;;) {
    const page = await store.list({ after: after === null ? null : accountId(after), limit: PAGE });
    for (const { state } of await cache.load(page.map((entry) => entry.accountId))) {
      counts.positions += state.positions.length;
      counts.restingOrders += state.orders.filter(({ kind }) => kind !== "bracket").length;
      counts.armedSwitches += state.armedSwitch === undefined ? 0 : 1;
    }
    after = page.at(-1)?.accountId ?? null;
    if (page.length < PAGE) break;
  }
  return {
    ...counts,
    unpaidPayouts: await createPayoutStore(database).unpaid(),
    usableKeys: await countUsableKeys(database, now),
  };
}

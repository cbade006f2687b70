import type { OwnerId } from "@propgate/core";
import { perShard, type Shards, shardAt } from "@propgate/ledger";
import { createAlertStore, type UnnumberedAlert } from "./alert-store.ts";

const ALERTS_PER_BATCH = 500;

/**
 * Gives the new alerts their numbers. An alert is written in the database of the event that it reports. It is numbered
 * in the database of its owner, which has all alerts of the owner; the operator's own alerts are in the first database.
 * An alert that moves is added to the owner's database before it is deleted from the other one, so that none is lost
 * and none has two numbers. When a database fails, the alerts that need it get their numbers later. Returns the owners
 * whose alerts were numbered, null for the operator.
 */
export async function numberAlerts(
  { all, ownerShards }: Shards,
  isAtFault: (database: number) => boolean,
): Promise<readonly (OwnerId | null)[]> {
  const stores = perShard(all, createAlertStore);
  if (stores.length === 1) return stores[0].number(null);
  const homeOf = async (alert: UnnumberedAlert) => {
    const number = alert.ownerId === null ? 0 : await ownerShards.shardNumberOfOwner(alert.ownerId);
    return { alert, home: shardAt(stores, number) };
  };
  const owners: (OwnerId | null)[] = [];
  const working = stores.filter((_, number) => !isAtFault(number));
  for (const store of working) {
    const placed = await Promise.all((await store.listUnnumbered(ALERTS_PER_BATCH)).map(homeOf));
    for (const [home, group] of Map.groupBy(placed, (one) => one.home)) {
      if (!working.includes(home)) continue;
      const alerts = group.map(({ alert }) => alert);
      if (home !== store) await home.add(alerts);
      owners.push(...(await home.number(alerts)));
      if (home !== store) await store.remove(alerts);
    }
  }
  return owners;
}

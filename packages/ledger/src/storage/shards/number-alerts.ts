import { createAlertStore, type UnnumberedAlert } from "../stores/alerts/alert-store.ts";
import { grouped } from "./grouped.ts";
import { perShard, shardAt } from "./per-shard.ts";
import type { Shards } from "./shards.ts";

const AT_A_TIME = 500;

/**
 * Gives the new alerts their numbers. An alert is written in the database of the event that it reports, and numbered in
 * that of its owner, where all alerts of the owner are; the operator's own are in the first. An alert that moves is
 * added there before it is deleted here, so that none is lost and none has two numbers.
 */
export async function numberAlerts({ all, ownerShards }: Shards): Promise<void> {
  const stores = perShard(all, createAlertStore);
  if (stores.length === 1) return stores[0].number(null);
  const homeOf = async (alert: UnnumberedAlert) => {
    const number = alert.ownerId === null ? 0 : await ownerShards.of(alert.ownerId);
    return { alert, home: shardAt(stores, number) };
  };
  for (const store of stores) {
    const placed = await Promise.all((await store.unnumbered(AT_A_TIME)).map(homeOf));
    for (const [home, group] of grouped(placed, (one) => one.home)) {
      const alerts = group.map(({ alert }) => alert);
      if (home !== store) await home.add(alerts);
      await home.number(alerts);
      if (home !== store) await store.remove(alerts);
    }
  }
}

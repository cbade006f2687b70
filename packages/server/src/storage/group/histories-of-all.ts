import type { DatabaseGroup } from "../databases/database-group.ts";
import { eachPart, partOf } from "../databases/per-database.ts";
import { createDailyReturnStore, type DailyReturnStore } from "../stores/daily-return-store.ts";
import { createEquityStore, type EquityStore } from "../stores/equity-store.ts";
import { createTradeStore, type TradeStore } from "../stores/trade-store.ts";
import { grouped } from "./grouped.ts";

/** The closed trades of the accounts of all databases. */
export function tradesOfAll({ all }: DatabaseGroup): TradeStore {
  const stores = eachPart(all, createTradeStore);
  if (stores.length === 1) return stores[0];
  return {
    page: (account, page) => partOf(stores, account).page(account, page),
    closedBy: (account, trade) => partOf(stores, account).closedBy(account, trade),
  };
}

export function dailyReturnsOfAll({ all }: DatabaseGroup): DailyReturnStore {
  const stores = eachPart(all, createDailyReturnStore);
  if (stores.length === 1) return stores[0];
  return { between: (account, days) => partOf(stores, account).between(account, days) };
}

/** The equity of the accounts of all databases. Each database thins its own points. */
export function equityOfAll({
  all,
}: DatabaseGroup): Pick<EquityStore, "add" | "between" | "lastAt"> {
  const stores = eachPart(all, createEquityStore);
  if (stores.length === 1) return stores[0];
  return {
    async add(points) {
      const groups = grouped(points, ({ accountId }) => partOf(stores, accountId));
      await Promise.all([...groups].map(([store, own]) => store.add(own)));
    },
    between: (account, range) => partOf(stores, account).between(account, range),
    lastAt: (account, atMs) => partOf(stores, account).lastAt(account, atMs),
  };
}

import { type PerDatabase, partOf } from "../../storage/databases/per-database.ts";
import type { OrderLifeDesk } from "../order-lives/order-life-desk.ts";

/** The orders and fills of the accounts of all databases. */
export function orderLivesOfAll(desks: PerDatabase<OrderLifeDesk>): OrderLifeDesk {
  return {
    find: (account, orderUuid, after) => partOf(desks, account).find(account, orderUuid, after),
    orders: (account, page) => partOf(desks, account).orders(account, page),
    fills: (account, page) => partOf(desks, account).fills(account, page),
  };
}

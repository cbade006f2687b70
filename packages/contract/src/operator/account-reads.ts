import { number, object, time } from "../schema.ts";
import { describeList } from "./lists/list-description.ts";

/** Item of GET accounts/:id/equity. */
export const ACCOUNT_EQUITY = object("The equity of an account at one moment.", {
  atMs: time("The moment."),
  equity: number("USD."),
  balance: number("USD."),
});

export const ACCOUNT_EQUITY_LIST = describeList(ACCOUNT_EQUITY, { sort: "atMs", ties: ["atMs"] });

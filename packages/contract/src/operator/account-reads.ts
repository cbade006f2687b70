import { number, object, time } from "../schema.ts";
import { describeList } from "./lists/list-description.ts";

/** Item of GET accounts/:id/equity. */
export const ACCOUNT_EQUITY = object("Equity and balance of an account at one time.", {
  atMs: time("The time of the figures."),
  equity: number("Equity, USD."),
  balance: number("Balance, USD."),
});

export const ACCOUNT_EQUITY_LIST = describeList(ACCOUNT_EQUITY, { sort: "atMs", ties: ["atMs"] });

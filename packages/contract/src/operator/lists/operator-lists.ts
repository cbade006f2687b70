import { ACCOUNT_EQUITY_LIST } from "../account-reads.ts";
import { ACCOUNTS_LIST } from "../accounts.ts";
import { ALERTS_LIST } from "../alerts.ts";
import { AUDIT_LIST } from "../audit.ts";
import { ACTIONS_LIST, FUNDING_LIST } from "../corporate-actions.ts";
import { INSTRUMENTS_LIST } from "../instruments.ts";
import { KEYS_LIST } from "../keys.ts";
import { PAYOUTS_LIST } from "../payouts.ts";
import { PEOPLE_LIST } from "../people.ts";
import { PRICES_LIST } from "../prices.ts";
import { PROGRAMS_LIST } from "../programs.ts";
import { TOKENS_LIST } from "../tokens.ts";
import { UNANSWERED_ORDERS_LIST } from "../unanswered-orders.ts";
import { DELIVERIES_LIST, LANES_LIST, WEBHOOKS_LIST } from "../webhooks.ts";
import type { ListDescription, ListOf } from "./list-description.ts";

const LISTS = {
  "accounts.equity": ACCOUNT_EQUITY_LIST,
  "accounts.list": ACCOUNTS_LIST,
  "keys.list": KEYS_LIST,
  "people.list": PEOPLE_LIST,
  "tokens.list": TOKENS_LIST,
  "unansweredOrders.list": UNANSWERED_ORDERS_LIST,
  "payouts.list": PAYOUTS_LIST,
  "funding.list": FUNDING_LIST,
  "corporateActions.list": ACTIONS_LIST,
  "programs.list": PROGRAMS_LIST,
  "alerts.list": ALERTS_LIST,
  "webhooks.list": WEBHOOKS_LIST,
  "webhooks.lanes": LANES_LIST,
  "webhooks.deliveries": DELIVERIES_LIST,
  "instruments.list": INSTRUMENTS_LIST,
  "prices.list": PRICES_LIST,
  "audit.list": AUDIT_LIST,
} as const satisfies Readonly<Record<string, ListDescription>>;

/** The names of calls that return a list. */
export type ListCall = keyof typeof LISTS;

/** The type of the items of a call's list. */
export type ListItem<Call extends ListCall> =
  (typeof LISTS)[Call] extends ListOf<infer Item extends object> ? Item : never;

/** Every list of the operator's interface, by the name of its call. */
export const OPERATOR_LISTS: { readonly [Call in ListCall]: ListOf<ListItem<Call>> } = LISTS;

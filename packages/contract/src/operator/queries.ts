import { ACCOUNT_EQUITY_LIST } from "./account-reads.ts";
import type { OperatorCallName } from "./calls.ts";
import { ACCOUNT_FILTERS } from "./exposure.ts";
import { OPERATOR_LISTS } from "./lists/operator-lists.ts";

/** The parameters of the signed API's reads of order history and fills, and the format of the answer. */
const HISTORY = ["after", "limit", "tradePair", "since", "format"] as const;

/**
 * The names of the query parameters of each call that has some. Those of a list follow from the list's description.
 * They are not in `OPERATOR_CALLS`, because the dashboard loads the calls without the list descriptions.
 */
export const OPERATOR_QUERIES = {
  "accounts.bulk": ["dryRun"],
  "accounts.list": OPERATOR_LISTS["accounts.list"].parameters,
  "accounts.positions": ["format"],
  "accounts.orders": ["format"],
  "accounts.orderHistory": HISTORY,
  "accounts.order": ["after", "format"],
  "accounts.trades": ["after", "limit", "format"],
  "accounts.fills": HISTORY,
  "accounts.payouts": ["limit", "cursor", "format"],
  "accounts.events": ["after", "limit", "types", "wait", "proof", "format"],
  "accounts.equity": ACCOUNT_EQUITY_LIST.parameters,
  "accounts.evidence": ["format"],
  exposure: ["by", "format", ...ACCOUNT_FILTERS],
  stress: ["by", "movePct", "format", ...ACCOUNT_FILTERS],
  "keys.bulk": ["dryRun"],
  "keys.list": OPERATOR_LISTS["keys.list"].parameters,
  "people.list": OPERATOR_LISTS["people.list"].parameters,
  "tokens.list": OPERATOR_LISTS["tokens.list"].parameters,
  "unansweredOrders.list": OPERATOR_LISTS["unansweredOrders.list"].parameters,
  "payouts.list": OPERATOR_LISTS["payouts.list"].parameters,
  "payouts.bulk": ["dryRun"],
  "funding.list": OPERATOR_LISTS["funding.list"].parameters,
  "funding.withdraw": ["atMs"],
  "corporateActions.list": OPERATOR_LISTS["corporateActions.list"].parameters,
  "programs.list": OPERATOR_LISTS["programs.list"].parameters,
  "events.list": ["after", "limit", "types", "accountId", "programId", "wait", "format"],
  "alerts.list": OPERATOR_LISTS["alerts.list"].parameters,
  "webhooks.list": OPERATOR_LISTS["webhooks.list"].parameters,
  "webhooks.lanes": OPERATOR_LISTS["webhooks.lanes"].parameters,
  "webhooks.deliveries": OPERATOR_LISTS["webhooks.deliveries"].parameters,
  "instruments.list": OPERATOR_LISTS["instruments.list"].parameters,
  "prices.list": OPERATOR_LISTS["prices.list"].parameters,
  "prices.effect": ["source"],
  search: ["q"],
  "audit.list": OPERATOR_LISTS["audit.list"].parameters,
} as const satisfies Readonly<Partial<Record<OperatorCallName, readonly string[]>>>;

/** The parameters that a call's query must have. */
export const REQUIRED_OPERATOR_PARAMETERS = {
  "funding.withdraw": ["atMs"],
  "prices.effect": ["source"],
  search: ["q"],
} as const satisfies Readonly<Partial<Record<OperatorCallName, readonly string[]>>>;

/** The names of a call's query parameters; empty for a call without any. */
export function queryParametersOf(name: string): readonly string[] {
  const queries: Readonly<Record<string, readonly string[]>> = OPERATOR_QUERIES;
  return queries[name] ?? [];
}

import type { OperatorCallName } from "./calls.ts";

/** The purpose of each call, for the description of the interface and the help of the command line. */
export const OPERATOR_SUMMARIES = {
  "accounts.open": "Open an account",
  "accounts.link": "Link a subaccount of the validator to an account of an owner",
  "accounts.list": "List accounts",
  "accounts.get": "Read an account with its program, people, keys and end",
  "accounts.update": "Set the external id of an account",
  "accounts.provision": "Provision an account, so that it may trade",
  "accounts.close": "Close an account permanently, after its payout cycle",
  "accounts.eliminate": "Eliminate an account",
  "accounts.promote": "Promote an account to its next phase",
  "accounts.offerPro": "Offer a pro account to a funded trader",
  "accounts.positions": "List the open positions of an account",
  "accounts.orders": "List the pending orders of an account",
  "accounts.orderHistory": "List the past orders of an account",
  "accounts.order": "Read the life of an order",
  "accounts.trades": "List the closed trades of an account",
  "accounts.fills": "List the fills of an account",
  "accounts.payouts": "Read the payouts of an account",
  "accounts.events": "List the events of an account",
  "accounts.equity": "List the equity of an account over time",
  "accounts.evidence": "Read the evidence of the account's end",
  "accounts.bulk": "Open accounts from a file, one for each row",
  exposure: "Read the exposure of all accounts by pair, currency, class or program",
  stress: "Read the effect of price moves on all accounts",
  "keys.create": "Create an API key; no other answer has its secret",
  "keys.rekey": "Encrypt every secret again with the newest master key",
  "keys.list": "List API keys, without their secrets",
  "keys.revoke": "Revoke an API key immediately and permanently",
  "keys.bulk": "Create keys from a file, one for each row",
  "people.list": "List the people who may sign in to the dashboard",
  "people.add": "Add a person who may sign in to the dashboard",
  "people.update": "Set the external id of a person",
  "people.link": "Create a one-time link for choosing a password, which replaces the previous link",
  "people.keys": "Count the API keys of the accounts of a person",
  "people.disable": "Disable a person: sessions end, and signing in is rejected",
  "people.enable": "Enable a disabled person",
  "tokens.list": "List the named operator tokens, without the tokens themselves",
  "tokens.add": "Add a named operator token; no other answer has it",
  "tokens.revoke": "Revoke a named operator token",
  "unansweredOrders.list":
    "List the orders of linked accounts whose outcome the validator has not reported",
  "payouts.list": "List payouts of all accounts",
  "payouts.get": "Read a payout",
  "payouts.record": "Record the status of a payment; `paid` is final",
  "payouts.bulk": "Record payments from a file, one for each row",
  "owners.update": "Set or remove the maximum number of accounts of an owner",
  "funding.list": "List the newest funding rates",
  "funding.set": "Set the funding rate of a pair for one hour",
  "funding.withdraw": "Withdraw a funding rate that an operator set",
  "corporateActions.list": "List splits and dividends",
  "corporateActions.announce": "Announce a split or a dividend",
  "corporateActions.cancel": "Cancel a corporate action, until ten seconds before it takes effect",
  "programs.list": "List programs in their newest versions",
  "programs.get": "Read a program with all its versions",
  "programs.add": "Add a version of a program, which new accounts get from then on",
  "programs.validate": "Check whether a version of a program could be added",
  "catalogue.validate": "Check whether the service could start with a catalogue",
  "journal.verify": "Recompute the hash chains of the journals",
  "journal.rebuild": "Compare stored data with the journals, or replace it from them",
  "journal.export": "Read an account's journal as a file for `propgate rejudge`",
  "events.list": "Read the events of all accounts",
  "alerts.list": "List alerts of keys, passkeys, sessions and webhooks",
  backup: "Download all stored data as a file",
  "restore.confirm": "Confirm restored data, so that accounts may trade again",
  "webhooks.list": "List webhooks, without their secrets",
  "webhooks.create": "Create a webhook; no other answer has its secret",
  "webhooks.get": "Read a webhook",
  "webhooks.update": "Change a webhook",
  "webhooks.delete": "Delete a webhook with its delivery queues and attempts",
  "webhooks.test": "Send a `webhook.test` event immediately",
  "webhooks.rotate": "Create a new signing secret; the old one also signs for a while",
  "webhooks.resume": "Resume parked delivery queues where they stopped",
  "webhooks.replay": "Send events again, from a given one on",
  "webhooks.lanes": "List the delivery queues of a webhook and their progress",
  "webhooks.deliveries": "List the delivery attempts of the last 30 days",
  "webhooks.send": "Send one event again immediately, outside the delivery queues",
  health: "Read the health of the service",
  "instruments.list":
    "List the instruments of the catalogue with the present state of their markets",
  "prices.list": "List the prices of all pairs",
  "prices.get": "Read the prices of a pair and of its sources",
  "prices.effect": "Read the effect of choosing a source, without choosing it",
  "prices.use": "Use one source alone for a pair",
  "prices.auto": "Use a pair's sources by priority again; lifts a halt",
  "prices.halt":
    "Halt a pair: it has no quotes, its orders are rejected, and its stops and targets wait",
  search: "Find a few accounts, people, keys and payouts",
  "audit.list": "List the lines of the audit",
  "audit.verify": "Recompute the hash chain of the audit",
} as const satisfies Readonly<Record<OperatorCallName, string>>;

/**
 * The part of a call's name before its dot: `accounts` of `accounts.list`. A name without a dot belongs to `service`.
 */
export type OperatorResource = OperatorCallName extends infer Name
  ? Name extends `${infer Resource}.${string}`
    ? Resource
    : "service"
  : never;

/** The subject of each resource's calls, for the documentation. */
export const OPERATOR_RESOURCES = {
  accounts: "Accounts from opening to their end.",
  keys: "API keys of accounts.",
  people: "The people who may sign in to the dashboard.",
  tokens: "Named operator tokens, which expire.",
  owners: "Owners of accounts.",
  unansweredOrders: "Orders of linked accounts that the validator has not answered.",
  payouts: "Payouts and their payments.",
  funding: "Hourly funding rates of pairs whose funding comes from the price source.",
  corporateActions: "Splits and dividends of equities.",
  programs: "Programs and their versions.",
  catalogue: "The catalogue of instruments.",
  journal: "The journals of accounts.",
  events: "Events of all accounts.",
  alerts: "Alerts about keys, passkeys, sessions and webhooks.",
  restore: "Restored data.",
  webhooks: "Webhooks, which send events to an address in order.",
  instruments: "The instruments that accounts trade.",
  prices: "Prices of pairs and the sources they come from.",
  audit: "The changes that people and tokens made through the dashboard and this interface.",
  service: "The service as a whole.",
} as const satisfies Readonly<Record<OperatorResource, string>>;

/** The resource that a call belongs to; `service` for a name without a resource. */
export function resourceOf(name: OperatorCallName): OperatorResource {
  const [resource = ""] = name.split(".");
  return isResource(resource) ? resource : "service";
}

function isResource(word: string): word is OperatorResource {
  return word in OPERATOR_RESOURCES;
}

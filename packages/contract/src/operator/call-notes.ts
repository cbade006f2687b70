import type { OperatorCallName } from "./calls.ts";

/** The purpose of each call, for the description of the interface and the help of the command line. */
export const OPERATOR_SUMMARIES = {
  "accounts.open": "Open an account",
  "accounts.link": "Link a subaccount of the validator to an account of an owner",
  "accounts.list": "List accounts",
  "accounts.get": "Read an account with its program, people, keys and end",
  "accounts.update": "Give an account its external id",
  "accounts.provision": "Let an account trade that was opened without provisioning",
  "accounts.close": "Close an account; its cycle is closed first",
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
  "accounts.bulk": "Open the accounts of a file, a row each",
  exposure: "Read the exposure of all accounts by pair, currency, class or program",
  stress: "Read the effect of price moves on all accounts",
  "keys.create": "Create an API key; no other answer has its secret",
  "keys.rekey": "Seal every secret under the newest master key",
  "keys.list": "List API keys, without their secrets",
  "keys.revoke": "Revoke an API key immediately and permanently",
  "keys.bulk": "Create the keys of a file, a row each",
  "people.list": "List the people who may sign in to the pages",
  "people.add": "Add a person who may sign in to the pages",
  "people.update": "Give a person an external id",
  "people.link": "Make a one-time link for choosing a password; the previous one ends",
  "people.keys": "Count the API keys of a person's accounts",
  "people.disable": "End a person's sessions, and disable signing in",
  "people.enable": "Enable a disabled person",
  "tokens.list": "List the named operator tokens, without the tokens themselves",
  "tokens.add": "Add a named operator token; no other answer has it",
  "tokens.revoke": "Revoke a named operator token",
  "unansweredOrders.list":
    "List orders of linked accounts whose outcome the validator has not said",
  "payouts.list": "List payouts of all accounts",
  "payouts.get": "Read a payout",
  "payouts.record": "Record the status of a payment; `paid` is final",
  "payouts.bulk": "Record the payments of a file, a row each",
  "owners.update": "Set or lift the maximum of an owner's accounts",
  "funding.list": "List the newest funding rates",
  "funding.set": "Set the funding rate of a pair for one hour",
  "funding.withdraw": "Withdraw a funding rate that an operator set",
  "corporateActions.list": "List splits and dividends",
  "corporateActions.announce": "Announce a split or a dividend",
  "corporateActions.cancel": "Cancel a corporate action, until ten seconds before its moment",
  "programs.list": "List programs at their newest versions",
  "programs.get": "Read a program with all its versions",
  "programs.add": "Add a version of a program, which new accounts get from then on",
  "programs.validate": "Check whether a version of a program could be added",
  "catalogue.validate": "Check whether the service could start with a catalogue",
  "journal.verify": "Recompute the hash chains of the journals",
  "journal.rebuild": "Compare stored data with the journals, or replace it",
  "journal.export": "Read an account's journal as a file for `propgate rejudge`",
  "events.list": "Read the events of all accounts",
  "alerts.list": "List alerts of keys, passkeys, sessions and webhooks",
  backup: "Read all stored data as a file",
  "restore.confirm": "Confirm that restored data may be traded on",
  "webhooks.list": "List webhooks, without their secrets",
  "webhooks.create": "Make a webhook; no other answer has its secret",
  "webhooks.get": "Read a webhook",
  "webhooks.update": "Change a webhook",
  "webhooks.delete": "Delete a webhook, its lanes and its attempts",
  "webhooks.test": "Send a `webhook.test` now",
  "webhooks.rotate": "Make a new secret; the old one signs too for a while",
  "webhooks.resume": "Let parked lanes go on where they stopped",
  "webhooks.replay": "Send events again, in order",
  "webhooks.lanes": "List how far a webhook has got with each account",
  "webhooks.deliveries": "List the attempts of the last 30 days",
  "webhooks.send": "Send one event again, outside the lanes",
  health: "Read the health of the service",
  "instruments.list": "List the instruments of the catalogue and their markets now",
  "prices.list": "List the prices of all pairs",
  "prices.get": "Read the prices of a pair with its sources",
  "prices.effect": "Read the effect of choosing a source, without choosing it",
  "prices.use": "Use one source alone for a pair",
  "prices.auto": "Use a pair's sources by priority again; lifts a halt",
  "prices.halt": "Halt a pair: no quotes, orders are rejected, triggers wait",
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
  people: "The people who may sign in to the pages.",
  tokens: "Named operator tokens, which expire.",
  owners: "Owners of accounts.",
  unansweredOrders: "Orders on their way to a validator.",
  payouts: "Payouts and their payments.",
  funding: "Hourly funding rates of pairs whose carry comes from the source.",
  corporateActions: "Splits and dividends of equities.",
  programs: "Programs and their versions.",
  catalogue: "The catalogue of instruments.",
  journal: "The journals of accounts.",
  events: "Events of all accounts.",
  alerts: "Reports of keys, passkeys, sessions and webhooks.",
  restore: "Restored data.",
  webhooks: "Events sent to an address, in order.",
  instruments: "The instruments that accounts trade.",
  prices: "Prices of pairs and the sources they come from.",
  audit: "The changes that were made through the pages and this interface, and by whom.",
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

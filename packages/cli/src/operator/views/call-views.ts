import {
  type AnsweringCall,
  conforms,
  isFilterParameter,
  isRecord,
  type ListCall,
  type ListItem,
  OPERATOR_ANSWERS,
  OPERATOR_LISTS,
  type OperatorAnswer,
  type OperatorCallName,
} from "@propgate/contract";
import { cellText, timeCell } from "../../operator-client.ts";
import { nameValueLines, tableLines } from "../../output.ts";
import { runningLines } from "../../render/left-running.ts";
import type { Terminal } from "../../terminal.ts";
import {
  accountsTable,
  closedAccountLines,
  createdKeyLines,
  keysTable,
  openedAccountLines,
  personLinkLines,
} from "./account-views.ts";
import {
  actionLines,
  actionsTable,
  addedTokenLines,
  auditProofLines,
  eventsLines,
  fundingTable,
  payoutLines,
  payoutsTable,
  peopleTable,
  programsTable,
  rateLine,
  tokensTable,
} from "./desk-views.ts";
import { pricesTable } from "./price-views.ts";
import {
  attemptLines,
  createdWebhookLines,
  deliveriesTable,
  lanesTable,
  webhookLines,
  webhooksTable,
} from "./webhook-views.ts";

type Views = {
  readonly [Name in AnsweringCall]?: (
    value: OperatorAnswer<Name>,
    terminal: Terminal,
  ) => readonly string[];
};
type Tables = {
  readonly [Name in ListCall]?: (
    items: readonly ListItem<Name>[],
    terminal: Terminal,
  ) => readonly string[];
};

/** How the answers of calls are shown to a person. Any other answer is shown field by field. */
const VIEWS: Views = {
  "accounts.open": openedAccountLines,
  "accounts.link": openedAccountLines,
  "accounts.provision": ({ accountId }) => [`${accountId} provisioned`],
  "accounts.promote": ({ accountId }) => [`${accountId} promoted`],
  "accounts.offerPro": ({ accountId }) => [`${accountId} offered a pro account`],
  "accounts.eliminate": ({ accountId }) => [`${accountId} eliminated`],
  "accounts.close": closedAccountLines,
  "keys.create": createdKeyLines,
  "keys.revoke": (value) => [`${value.keyId} revoked`, ...runningLines(value, "armed")],
  "keys.rekey": ({ resealed, unreadable }) => [
    `${resealed} sealed again; unreadable: ${unreadable.join(",") || "none"}`,
  ],
  "people.link": personLinkLines,
  "tokens.add": addedTokenLines,
  "tokens.revoke": ({ name }) => [`${name} revoked`],
  "payouts.get": payoutLines,
  "payouts.record": payoutLines,
  "funding.set": (value) => [rateLine(value)],
  "funding.withdraw": (value) => [`${rateLine(value)} withdrawn`],
  "corporateActions.cancel": actionLines,
  "events.list": eventsLines,
  "restore.confirm": ({ restoredAtMs, asOfMs }) => [
    `Confirmed the restore of ${timeCell(restoredAtMs)}, as of ${timeCell(asOfMs)}.`,
  ],
  "webhooks.create": createdWebhookLines,
  "webhooks.rotate": createdWebhookLines,
  "webhooks.get": webhookLines,
  "webhooks.update": webhookLines,
  "webhooks.resume": webhookLines,
  "webhooks.replay": webhookLines,
  "webhooks.delete": ({ id }) => [`${id} deleted`],
  "webhooks.test": attemptLines,
  "webhooks.send": attemptLines,
  "audit.verify": auditProofLines,
};

/** How the items of lists are shown to a person. The items of any other list are shown with all their fields. */
const TABLES: Tables = {
  "accounts.list": accountsTable,
  "keys.list": keysTable,
  "people.list": peopleTable,
  "tokens.list": tokensTable,
  "payouts.list": payoutsTable,
  "funding.list": fundingTable,
  "programs.list": programsTable,
  "corporateActions.list": actionsTable,
  "prices.list": pricesTable,
  "webhooks.list": webhooksTable,
  "webhooks.lanes": lanesTable,
  "webhooks.deliveries": deliveriesTable,
};

/** The lines of an answer for a person. */
export function answerLines(
  name: OperatorCallName,
  value: unknown,
  terminal: Terminal,
): readonly string[] {
  return isAnswering(name) ? viewOf(name, value, terminal) : fieldLines(value);
}

function isAnswering(name: OperatorCallName): name is AnsweringCall {
  return Object.hasOwn(OPERATOR_ANSWERS, name);
}

function viewOf<Name extends AnsweringCall>(
  name: Name,
  value: unknown,
  terminal: Terminal,
): readonly string[] {
  const view = VIEWS[name];
  const schema = OPERATOR_ANSWERS[name];
  return view !== undefined && conforms(schema, value) ? view(value, terminal) : fieldLines(value);
}

export function isList(name: OperatorCallName): name is ListCall {
  return Object.hasOwn(OPERATOR_LISTS, name);
}

/** The lines of a list's items for a person. `given` has the list's parameters; chosen `fields` are the columns. */
export function listLines<Name extends ListCall>(
  name: Name,
  items: readonly unknown[],
  {
    terminal,
    given,
  }: { readonly terminal: Terminal; readonly given: Readonly<Record<string, unknown>> },
): readonly string[] {
  const isFiltered = Object.keys(given).some(isFilterParameter);
  if (items.length === 0 && isFiltered) {
    return [name === "accounts.list" ? "No account fits the filter." : "Nothing matches."];
  }
  const view = TABLES[name];
  const { item } = OPERATOR_LISTS[name];
  const whole = items.filter((one): one is ListItem<Name> => conforms(item, one));
  if (view !== undefined && whole.length === items.length) return view(whole, terminal);
  if (items.length === 0) return ["Nothing matches."];
  return tableOf(items);
}

function tableOf(items: readonly unknown[]): readonly string[] {
  const columns = Object.keys(isRecord(items[0]) ? items[0] : {});
  const rows = items.map((item) =>
    columns.map((column) => textOf(column, isRecord(item) ? item[column] : null)),
  );
  return tableLines(columns, rows);
}

/** One line for each field, with a nested field under its path. A list becomes a table. */
function fieldLines(value: unknown): readonly string[] {
  const items = isRecord(value) ? value.items : value;
  if (Array.isArray(items)) return items.length === 0 ? ["Nothing matches."] : tableOf(items);
  return nameValueLines(flatFields("", value));
}

function flatFields(path: string, value: unknown): readonly (readonly [string, string])[] {
  if (!isRecord(value)) return [[path, textOf(path, value)]];
  return Object.entries(value).flatMap(([name, inner]) =>
    flatFields(path === "" ? name : `${path}.${name}`, inner),
  );
}

function textOf(name: string, value: unknown): string {
  if (typeof value === "number" && /Ms$/.test(name) && value > YEAR_2000_MS) return timeCell(value);
  if (value === null || typeof value === "string" || typeof value === "number")
    return cellText(value);
  return typeof value === "boolean" ? String(value) : JSON.stringify(value);
}

/** A smaller number of milliseconds is a duration, not a time. */
const YEAR_2000_MS = 946_684_800_000;

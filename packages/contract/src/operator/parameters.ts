import { SIGNED_ENDPOINT_NAMES } from "../endpoints.ts";
import { LIMITS } from "../limits.ts";
import { queryNotes } from "../openapi.ts";
import { isRecord } from "../record.ts";
import { number, type Schema, string, time, word } from "../schema.ts";
import { ACCOUNTS_LIST } from "./accounts.ts";
import { OPERATOR_CALLS, type OperatorCall, type OperatorCallName } from "./calls.ts";
import { EXPOSURE_KEYS } from "./exposure.ts";
import type { ListDescription } from "./lists/list-description.ts";
import type { ListField } from "./lists/list-field.ts";
import { LIST_FILE_TYPES } from "./lists/list-files.ts";
import { OPERATOR_LISTS } from "./lists/operator-lists.ts";
import { queryParametersOf, REQUIRED_OPERATOR_PARAMETERS } from "./queries.ts";

/** One parameter of a call's query or path. */
export interface OperatorParameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly schema: Schema<unknown>;
  readonly required: boolean;
}

/** The parameters of a call's path, then those of its query. */
export function operatorParameters(name: OperatorCallName): readonly OperatorParameter[] {
  const { path }: OperatorCall = OPERATOR_CALLS[name];
  const { [name]: required = [] }: Readonly<Partial<Record<OperatorCallName, readonly string[]>>> =
    REQUIRED_OPERATOR_PARAMETERS;
  const lists: Readonly<Partial<Record<OperatorCallName, ListDescription>>> = OPERATOR_LISTS;
  const described = name === "exposure" || name === "stress" ? ACCOUNTS_LIST : lists[name];
  const own: Readonly<Record<string, Schema<unknown>>> = {
    ...(described === undefined ? readNotes(name) : listNotes(described)),
    ...OWN_NOTES[name],
  };
  return [
    ...pathParameters(path),
    ...queryParametersOf(name).map(
      (parameter): OperatorParameter => ({
        name: parameter,
        in: "query",
        schema: requireSchema(own[parameter], `${name} ${parameter}`),
        required: required.includes(parameter),
      }),
    ),
  ];
}

function pathParameters(path: string): readonly OperatorParameter[] {
  const words = path.split("/");
  return words.flatMap((word, index): readonly OperatorParameter[] => {
    if (!word.startsWith(":")) return [];
    const [name, of = ""] = [word.slice(1), words[index - 1]];
    const schema = requireSchema(PATH_NOTES[of], `${path} ${name}`);
    return [{ name, in: "path", schema, required: true }];
  });
}

function requireSchema(schema: Schema<unknown> | undefined, what: string): Schema<unknown> {
  if (schema === undefined) throw new Error(`broken invariant: ${what} has no description`);
  return schema;
}

const PAIR = string("The pair, such as `BTCUSD`.");

const DRY_RUN = word(["1"], "Checks every row and carries out none.");

/** The schema of the id in a call's path, by the path segment before the id. */
const PATH_NOTES: Readonly<Record<string, Schema<unknown>>> = {
  accounts: string("The account's id.", { format: "uuid" }),
  owners: string("The owner's id."),
  orders: string("The id of the order or leg."),
  keys: string("The key's id."),
  people: string("The person's id.", { format: "uuid" }),
  tokens: string("The token's name."),
  payouts: string("The payout's id."),
  funding: PAIR,
  "corporate-actions": string("The id of the corporate action."),
  programs: string("The program's id."),
  webhooks: string("The webhook's id: `wh_` and 32 hexadecimal digits."),
  prices: PAIR,
};

/**
 * The parameters of a read of one account that the signed API also has: the parameters of that signed endpoint, and
 * `format`. Empty for any other call.
 */
function readNotes(name: OperatorCallName): Record<string, Schema<unknown>> {
  const read = SIGNED_ENDPOINT_NAMES.find(
    (one) =>
      name.startsWith("accounts.") &&
      `accounts.${one.slice(3)}`.toLowerCase() === name.toLowerCase(),
  );
  if (read === undefined) return {};
  const notes = Object.entries(queryNotes(read)).map(([parameter, { description, schema }]) => [
    parameter,
    { json: { ...(isRecord(schema) ? schema : {}), description } },
  ]);
  return { ...Object.fromEntries(notes), format: FORMAT };
}

/** The schemas of a list's parameters. Their descriptions come from the fields of its items. @rule D12.lists */
function listNotes({
  item,
  fields,
  defaultSort,
}: ListDescription): Record<string, Schema<unknown>> {
  const sorts = fields.flatMap(({ name }) => [name, `-${name}`]);
  const filters = fields.flatMap((field) =>
    Object.entries(filterNotes(field, noteOf(item, field))),
  );
  return {
    limit: {
      json: {
        type: "integer",
        minimum: 1,
        maximum: 500,
        default: 50,
        description: "Maximum number of items on the page.",
      },
    },
    after: string("`next` of the previous page, which must have these filters and this sort."),
    sort: {
      json: {
        ...word(sorts, "The field to sort by; with `-` before it, in descending order.").json,
        default: defaultSort,
      },
    },
    q: string(
      "Only items of which a name or an external id contains this text, or an id starts with it.",
    ),
    fields: string("Comma-separated fields that each item has in the answer, in this order."),
    format: FORMAT,
    ...Object.fromEntries(filters),
  };
}

const FORMAT: Schema<string> = {
  json: {
    type: "string",
    enum: ["json", ...Object.keys(LIST_FILE_TYPES)],
    default: "json",
    description:
      "`json`: one page. Other formats: a file with all items; `after` and `limit` are not allowed.",
  },
};

function filterNotes(
  { name, kind, words, isNullable }: ListField,
  note: string,
): Record<string, Schema<unknown>> {
  const known = isNullable ? " `null`: items without a value. `set`: items with a value." : "";
  if (kind === "number" || kind === "time") {
    const bound = kind === "time" ? time : number;
    return {
      ...(isNullable
        ? {
            [name]: word(
              ["null", "set"],
              `\`null\`: only items without a value. \`set\`: only items with a value. The field: ${note}`,
            ),
          }
        : {}),
      [`${name}Min`]: bound(`Only items with at least this value. The field: ${note}`),
      [`${name}Max`]: bound(`Only items with at most this value. The field: ${note}`),
    };
  }
  if (kind === "text")
    return { [name]: string(`Only items with exactly this value.${known} The field: ${note}`) };
  const choice = words.length === 0 ? "" : `: ${words.map((one) => `\`${one}\``).join(", ")}`;
  return {
    [name]: string(
      `Only items with one of these comma-separated values${choice}.${known} The field: ${note}`,
    ),
  };
}

function noteOf({ json }: Schema<unknown>, { name }: ListField): string {
  const field = isRecord(json.properties) ? json.properties[name] : undefined;
  return isRecord(field) && typeof field.description === "string" ? field.description : "";
}

const BY = {
  by: {
    json: { ...word(EXPOSURE_KEYS, "How positions are grouped.").json, default: "class" },
  },
};

const OWN_NOTES: Readonly<
  Partial<Record<OperatorCallName, Readonly<Record<string, Schema<unknown>>>>>
> = {
  exposure: BY,
  stress: {
    ...BY,
    movePct: string("Comma-separated price moves in percent of each price; negative for a fall.", {
      examples: ["-5,-3,-1,1,3,5"],
    }),
  },
  "accounts.evidence": {
    format: word(
      ["json", "html"],
      "`json`, the default: the evidence file. `html`: a page to print.",
    ),
  },
  "accounts.bulk": { dryRun: DRY_RUN },
  "keys.bulk": { dryRun: DRY_RUN },
  "payouts.bulk": { dryRun: DRY_RUN },
  "funding.withdraw": { atMs: time("The start of the hour of the rate, Unix milliseconds.") },
  "prices.effect": { source: string("The name of the price source to choose.") },
  search: { q: string("Text that an id starts with, or that a name contains.") },
  "events.list": {
    after: string(
      "Only events after this cursor: `next` of the previous page, or 0 to start with the first event. If omitted, events after the newest one; for a file, all events.",
    ),
    limit: {
      json: {
        type: "integer",
        minimum: LIMITS.eventsLimitMin,
        maximum: LIMITS.eventsLimitMax,
        default: 50,
        description: "Maximum number of events on the page.",
      },
    },
    types: string("Comma-separated types of events; every type if omitted."),
    accountId: string("Only events of this account.", { format: "uuid" }),
    programId: string("Only events of accounts that are on this program after the event."),
    wait: {
      json: {
        type: "integer",
        minimum: 0,
        maximum: LIMITS.eventsWaitSecondsMax,
        default: 0,
        description:
          "Seconds to wait for a new event when there is none yet; 0 answers immediately.",
      },
    },
    format: FORMAT,
  },
};

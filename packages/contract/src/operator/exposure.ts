import { count, list, nullable, number, object, string, type Wire } from "../schema.ts";
import { ACCOUNTS_LIST, AS_OF } from "./accounts.ts";
import { describeList } from "./lists/list-description.ts";

/** How positions can be grouped. */
export const EXPOSURE_KEYS = ["pair", "currency", "class", "program"] as const;
export type ExposureKey = (typeof EXPOSURE_KEYS)[number];

const KEY = string(
  "The pair, currency, asset class or id of the program; `unknown` for positions whose one is not known.",
);
const usdOrUnknown = (description: string) =>
  nullable(number(`${description}, USD; null while a price of it is unknown.`));

const EXPOSURE = object("The open positions of one key, valued at their marks.", {
  key: KEY,
  long: usdOrUnknown("Value of the longs"),
  short: usdOrUnknown("Value of the shorts, positive"),
  gross: usdOrUnknown("Both together"),
  net: usdOrUnknown("Longs less shorts"),
  accounts: count("How many accounts have such a position."),
});
export type ExposureItem = Wire<typeof EXPOSURE>;

const STRESS = object("The accounts after every pair of the key has moved.", {
  key: KEY,
  movePct: number("The move, percent of each price; rates stand still."),
  pnl: usdOrUnknown("The gain of their positions"),
  ends: count("How many accounts a live limit would end."),
  owed: usdOrUnknown("Payouts that are due, and what would be payable if the week closed then"),
});
export type StressItem = Wire<typeof STRESS>;

export const EXPOSURE_ANSWER = object("Exposures at one moment, by key.", {
  items: list(EXPOSURE, "One of each key that has a position."),
  asOf: AS_OF,
});
export const STRESS_ANSWER = object("Stresses at one moment, by key and move.", {
  items: list(STRESS, "One of each key and move."),
  asOf: AS_OF,
});

/** The columns of the files of exposures and stresses. */
export const EXPOSURE_COLUMNS = describeList(EXPOSURE, { sort: "key", ties: ["key"] });
export const STRESS_COLUMNS = describeList(STRESS, { sort: "key", ties: ["key"] });

type AccountParameter = (typeof ACCOUNTS_LIST.parameters)[number];
type AccountFilter = Exclude<AccountParameter, "limit" | "after" | "sort" | "fields" | "format">;

const PAGED: ReadonlySet<string> = new Set(["limit", "after", "sort", "fields", "format"]);

function isFilter(name: AccountParameter): name is AccountFilter {
  return !PAGED.has(name);
}

/** The parameters of `GET /accounts` that select accounts. */
export const ACCOUNT_FILTERS: readonly AccountFilter[] = ACCOUNTS_LIST.parameters.filter(isFilter);

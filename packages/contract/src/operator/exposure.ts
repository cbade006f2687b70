import { count, list, nullable, number, object, string, type Wire } from "../schema.ts";
import { ACCOUNTS_LIST, AS_OF } from "./accounts.ts";
import { describeList } from "./lists/list-description.ts";

/** How positions can be grouped. */
export const EXPOSURE_KEYS = ["pair", "currency", "class", "program"] as const;
export type ExposureKey = (typeof EXPOSURE_KEYS)[number];

const KEY = string(
  "The pair, currency, asset class or program id of the group; `unknown` for positions whose one is not known.",
);
const usdOrUnknown = (description: string) =>
  nullable(number(`${description}, USD; null while a price in the group is unknown.`));

const EXPOSURE = object("The open positions of one group, valued at their mark prices.", {
  key: KEY,
  long: usdOrUnknown("Value of all LONG positions"),
  short: usdOrUnknown("Value of all SHORT positions, as a positive number"),
  gross: usdOrUnknown("`long` plus `short`"),
  net: usdOrUnknown("`long` minus `short`"),
  accounts: count("Number of accounts with a position in the group."),
});
export type ExposureItem = Wire<typeof EXPOSURE>;

const STRESS = object("All accounts after an assumed price move of every pair in one group.", {
  key: KEY,
  movePct: number(
    "The assumed move in percent of each price; negative for a fall. Conversion rates stay unchanged.",
  ),
  pnl: usdOrUnknown("Profit or loss of the positions from the move, negative for a loss"),
  ends: count("Number of accounts that a `live` loss limit would end."),
  owed: usdOrUnknown(
    "Sum of the unpaid payouts and of the payouts if the cycles in progress closed after the move",
  ),
});
export type StressItem = Wire<typeof STRESS>;

export const EXPOSURE_ANSWER = object("Exposures at one time, by group.", {
  items: list(EXPOSURE, "One item for each group with a position."),
  asOf: AS_OF,
});
export const STRESS_ANSWER = object(
  "Results of assumed price moves at one time, by group and move.",
  {
    items: list(STRESS, "One item for each group and move."),
    asOf: AS_OF,
  },
);

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

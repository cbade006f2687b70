/**
 * Writes the holidays and early closes of the markets in `MARKETS`, 2012 to 2028, into the catalogues that come with
 * the service. Run it when a market announces a change: `node --conditions=@propgate/source tools/market-sessions.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dateText } from "@propgate/core";
import { frankfurtMarketYear, londonMarketYear } from "./holidays/europe.ts";
import type { MarketYear } from "./holidays/market-year.ts";
import { currencyMarketYear, newYorkMarketYear } from "./holidays/new-york.ts";
import { tokyoMarketYear } from "./holidays/tokyo.ts";

const FIRST_YEAR = 2012;
const LAST_YEAR = 2028;

/** The function that computes the dates of a year, by the id of the session in the catalogue. */
const MARKETS: Readonly<Record<string, (year: number) => MarketYear>> = {
  forex: currencyMarketYear,
  newYork: newYorkMarketYear,
  newYorkExtended: newYorkMarketYear,
  london: londonMarketYear,
  frankfurt: frankfurtMarketYear,
  tokyo: tokyoMarketYear,
};

type DatesByYear = Readonly<Record<string, string>>;

/** The computed dates of one session, as the catalogue has them. Early closes are by their local time. */
export interface SessionDates {
  readonly holidays: DatesByYear;
  readonly earlyCloses: Readonly<Record<string, DatesByYear>>;
}

/**
 * The dates of a session in the format of the catalogue: `{"2026": "01-01 04-03 12-25"}`. Null for a session that
 * `MARKETS` does not have.
 */
export function sessionDates(session: string): SessionDates | null {
  const market = MARKETS[session];
  if (market === undefined) return null;
  const years = Array.from(
    { length: LAST_YEAR - FIRST_YEAR + 1 },
    (_, index) => FIRST_YEAR + index,
  );
  const times = new Set(years.flatMap((year) => Object.keys(market(year).early)));
  const byYear = (pick: (year: MarketYear) => readonly number[]): DatesByYear =>
    Object.fromEntries(years.map((year) => [String(year), datesText(pick(market(year)))]));
  return {
    holidays: byYear(({ closed }) => closed),
    earlyCloses: Object.fromEntries(
      [...times].map((time) => [time, byYear(({ early }) => early[time] ?? [])]),
    ),
  };
}

/**
 * The days as `MM-DD`, sorted and each once. Days on a weekend are not removed; only currencies trade on one, on Sunday
 * evening.
 */
function datesText(days: readonly number[]): string {
  return [...new Set(days)]
    .sort((one, other) => one - other)
    .map((dayNumber) => dateText(dayNumber).slice(5))
    .join(" ");
}

function rewrite(path: string): void {
  const catalogue = JSON.parse(readFileSync(path, "utf8"));
  for (const session of catalogue.sessions) Object.assign(session, sessionDates(session.id) ?? {});
  writeFileSync(path, `${JSON.stringify(catalogue, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of ["catalogue.json", "perps.json"]) {
    rewrite(fileURLToPath(new URL(`../packages/market/data/${name}`, import.meta.url)));
  }
}

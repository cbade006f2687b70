import { type AccountListCost, measureAccountListCost } from "./account-list-cost.ts";
import { startChildProgram } from "./child.ts";
import { type EquityCost, type MarketName, measureEquityCost } from "./equity-cost.ts";
import type { MemoryCost } from "./memory-cost.ts";
import { markdownTable, type Row, wholeNumberText } from "./result-tables.ts";

const SIZES = [1_000, 10_000, 100_000];
const MOST = 100_000;

const EQUITY = `Processor time of the market loop per quote, including the decisions that a quote causes, beside a loop that values
every account that holds the pair. A thousand quotes a second arrive over seven pairs, crosses among them. The accounts
are of every kind: a fifth of them are on the pro track, and a fifth a little short of their target. Calm is a usual
day, the fall takes 2.8 % off every pair in two seconds. Behind: how many quotes waited at the worst until accounts that
earlier ones ended or passed were committed.`;

const MEMORY = `Heap and buffers of one process after its accounts were loaded: state, cache, watched prices. Garbage is
collected first.`;

/** The report on one subject. Its row compares a figure with a required value. */
export interface ScaleReport {
  readonly row: Row;
  readonly title: string;
  /** The subject of the measurement, in a few sentences. */
  readonly about: string;
  readonly text: string;
}

/**
 * Measures the processor time of one quote, settlements included, for several numbers of accounts, and compares it with
 * a naive loop.
 */
export async function measureEquityAtScale(): Promise<ScaleReport> {
  const costs: EquityCost[] = [];
  // This run warms up the code that all measurements share; its result is not used.
  await measureEquityCost({ market: "fall", accounts: 1_000, positions: 3 });
  for (const market of ["calm", "walk", "fall"] satisfies readonly MarketName[]) {
    for (const positions of [1, 3]) {
      for (const accounts of SIZES)
        costs.push(await measureEquityCost({ market, accounts, positions }));
    }
  }
  const largest = costs.filter(({ accounts }) => accounts === MOST);
  const [worst] = largest.toSorted((a, b) => b.microsecondsPerQuote - a.microsecondsPerQuote);
  if (worst === undefined) throw new Error("nothing was measured");
  return {
    title: "Equity rules",
    about: EQUITY,
    row: {
      what: `equity rules of ${wholeNumberText(MOST)} accounts, ${worst.market}, ${worst.positions} positions each`,
      one: `${wholeNumberText(1_000_000 / worst.microsecondsPerQuote)} quotes/s on one core`,
      other: `every holder valued at every quote: ${wholeNumberText(1_000_000 / worst.naivePerQuote)}/s`,
      ratio: worst.naivePerQuote / worst.microsecondsPerQuote,
      bar: "≥ 4,000 quotes/s",
    },
    text: markdownTable(
      [
        "market",
        "positions",
        "accounts",
        "µs a quote",
        "naive",
        "ratio",
        "settled a quote",
        "behind",
      ],
      costs.map((cost) => [
        cost.market,
        cost.positions,
        cost.accounts,
        cost.microsecondsPerQuote,
        cost.naivePerQuote,
        (cost.naivePerQuote / cost.microsecondsPerQuote).toFixed(1),
        cost.settledPerQuote.toFixed(2),
        cost.mostBehind,
      ]),
    ),
  };
}

const INDEX = `Processor time of one page of the operator's list of accounts, for the questions of the guide. The figures
that filter and sort are computed for every account at the present prices.`;

const INDEX_BAR_MS = 300;

/**
 * Measures the processor time of a page of the operator's list of accounts, at each number of accounts and for each
 * query of `account-list-cost.ts`. The row compares the slowest query at the largest number with the bar.
 */
export async function measureAccountListAtScale(): Promise<ScaleReport> {
  const costs: AccountListCost[] = [];
  for (const accounts of SIZES)
    costs.push(...(await measureAccountListCost({ accounts, positions: 2 })));
  const largest = costs.filter(({ accounts }) => accounts === MOST);
  const [worst] = largest.toSorted((a, b) => b.milliseconds - a.milliseconds);
  if (worst === undefined) throw new Error("nothing was measured");
  return {
    title: "List of accounts",
    about: INDEX,
    row: {
      what: `list of ${wholeNumberText(MOST)} accounts with 2 positions each, ${worst.question}`,
      one: `${wholeNumberText(worst.milliseconds)} ms of processor time`,
      other: `allowed: ${wholeNumberText(INDEX_BAR_MS)} ms`,
      ratio: INDEX_BAR_MS / worst.milliseconds,
      bar: `≤ ${wholeNumberText(INDEX_BAR_MS)} ms`,
    },
    text: markdownTable(
      ["question", "accounts", "positions", "ms"],
      costs.map(({ question, accounts, positions, milliseconds }) => [
        question,
        accounts,
        positions,
        milliseconds.toFixed(1),
      ]),
    ),
  };
}

/**
 * Memory of an open account, by the number of accounts and positions. Each measurement runs in a process of its own.
 */
export async function measureMemoryAtScale(): Promise<ScaleReport> {
  const costs: MemoryCost[] = [];
  for (const positions of [0, 1, 3]) {
    for (const accounts of SIZES) costs.push(await memoryCost(accounts, positions));
  }
  const worst = Math.max(...costs.filter(({ accounts }) => accounts === MOST).map(beyondPositions));
  return {
    title: "Memory",
    about: MEMORY,
    row: {
      what: `memory of an open account beyond its positions, ${wholeNumberText(MOST)} accounts`,
      one: `${wholeNumberText(worst)} bytes`,
      other: "4,096 bytes",
      ratio: worst / 4_096,
      bar: "≤ 1",
    },
    text: markdownTable(
      ["positions", "accounts", "bytes per account", "for its positions", "without positions"],
      costs.map((cost) => [
        cost.positions,
        cost.accounts,
        cost.bytesAnAccount,
        cost.bytesOfPositions,
        beyondPositions(cost),
      ]),
    ),
  };
}

async function memoryCost(accounts: number, positions: number): Promise<MemoryCost> {
  const child = await startChildProgram("memory-cost.ts", [String(accounts), String(positions)]);
  await child.stop();
  return JSON.parse(child.line);
}

function beyondPositions({ bytesAnAccount, bytesOfPositions }: MemoryCost): number {
  return bytesAnAccount - bytesOfPositions;
}

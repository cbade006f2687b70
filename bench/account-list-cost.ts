/** Measures the processor time of one page of the operator's list of accounts, for several queries. */
import { ACCOUNTS_LIST } from "@propgate/contract";
import { type AccountState, accountId, percent, unixMs } from "@propgate/core";
import {
  createPseudoRandom,
  type PseudoRandom,
} from "../packages/market/src/prices/pseudo-random.ts";
import {
  createAccountBook,
  type OpenBook,
} from "../packages/server/src/calls/operator/accounts/account-book.ts";
import { accountRows } from "../packages/server/src/calls/operator/accounts/account-rows.ts";
import { parseListQuery } from "../packages/server/src/calls/operator/lists/list-request.ts";
import {
  HELD_MARKET,
  HELD_PAIRS,
  HOLDER_KINDS,
  madeHolder,
  startingQuotes,
} from "../packages/server/src/testing/made-holdings.ts";

/** The queries of `docs/guides/programs.md` and one without filters, by their names in the report. */
const QUERIES = {
  "75 % of a limit used": "status=active&nearestUsedOfLimitPctMin=75&sort=-nearestUsedOfLimitPct",
  "nearest to a breach": "status=active&breachMovePct=set&sort=breachMovePct",
  "ended since a time": "endedAtMsMin=1760000000000&sort=-endedAtMs",
  "no order since a time": "status=active&idleSinceMsMax=1760000000000",
  "newest page": "",
} as const;

export interface AccountListCost {
  readonly question: string;
  readonly accounts: number;
  readonly positions: number;
  /** The processor time of one page, in milliseconds. */
  readonly milliseconds: number;
}

const ROUNDS = 5;

/** Measures all queries with accounts that are made from a fixed seed. */
export async function measureAccountListCost(plan: {
  readonly accounts: number;
  readonly positions: number;
}): Promise<readonly AccountListCost[]> {
  const draws = createPseudoRandom("index-cost");
  const states = Array.from({ length: plan.accounts }, (_, index) =>
    createHolder(index, plan.positions, draws),
  );
  const book = await bookOf(states);
  const costs: AccountListCost[] = [];
  for (const [question, text] of Object.entries(QUERIES)) {
    costs.push({ question, ...plan, ...(await measured(book, text)) });
  }
  return costs;
}

function createHolder(index: number, positions: number, draws: PseudoRandom): AccountState {
  const first = index % HELD_PAIRS.length;
  const pairs = [...HELD_PAIRS.slice(first), ...HELD_PAIRS.slice(0, first)].slice(0, positions);
  const made = madeHolder({
    accountId: accountId(`account-${index}`),
    kind: HOLDER_KINDS[index % HOLDER_KINDS.length] ?? "static",
    holdings: pairs.map((pair) => ({
      pair,
      isLong: draws.uniform() < 0.7,
      weight: (0.2 + 1.4 * draws.uniform()) / positions,
    })),
  });
  return { ...made, terms: { ...made.terms, nearLevels: [50, 75, 90].map(percent) } };
}

function bookOf(states: readonly AccountState[]): Promise<OpenBook> {
  const activity = { lastOrderAtMs: null, lastActivityAtMs: null, endedAtMs: null };
  const accounts = states.map((state) => ({ version: 1, state, activity }));
  const quotes = startingQuotes();
  return createAccountBook({
    index: {
      read: async () => accounts,
      find: async (id) => accounts.find(({ state }) => state.accountId === id) ?? null,
      follow: async () => undefined,
      forget: () => undefined,
    },
    accounts: { linked: async () => [] },
    linked: { accountRow: () => Promise.reject(new Error("no linked account")) },
    moment: () => ({ now: unixMs(0), quotes, instruments: HELD_MARKET }),
    origins: () => [],
    lag: () => ({ waiting: 0, oldestMs: 0, mergedAway: 0 }),
  }).open();
}

async function measured(
  book: OpenBook,
  text: string,
): Promise<Pick<AccountListCost, "milliseconds">> {
  const query = Object.fromEntries(new URLSearchParams(text));
  const wanted = parseListQuery({ list: ACCOUNTS_LIST, query, scope: "" });
  if ("refused" in wanted) throw new Error(wanted.refused.error);
  const names = { externalIds: async () => new Map(), ownerNames: async () => new Map() };
  const rows = accountRows(book, names);
  await rows.page(wanted.value);
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) await rows.page(wanted.value);
  const { user, system } = process.cpuUsage(before);
  return { milliseconds: (user + system) / 1_000 / ROUNDS };
}

/**
 * Accounts opened their positions under the catalogue of the last start. Each start compares its own catalogue with
 * that catalogue before it writes anything, so that no lot changes its meaning and no position loses its pair.
 */
import { UnfitSettings } from "@propgate/base";
import {
  type AccountState,
  earliestDueMs,
  evolve,
  type Instruments,
  type PairId,
  parseCatalogue,
  type UnixMs,
} from "@propgate/core";
import {
  type CommittedAccount,
  createStateCache,
  type Database,
  hasDueTimesOfLastStart,
  hashCatalogue,
  noteDueTimes,
  readInstrumentsOfLastStart,
  replaceDueTime,
  replaceStartCatalogue,
  type Shards,
} from "@propgate/ledger";
import {
  ABSENT,
  differencesForHolders,
  type PairDifference,
  withFormerCarry,
} from "./compare-catalogues.ts";

const NAMED_PAIRS_MAX = 8;

type Databases = Pick<Shards, "first" | "all">;

/**
 * Compares the given instruments with those of the last start, stores them for the next start, and returns them with
 * the carry that they had before.
 * @throws UnfitSettings when an account holds a pair that is absent, or of which a lot would be worth another amount,
 * or in which its class may not trade
 * @rule D13.startCompares D13.formerCarry
 */
export async function adoptCatalogue(
  databases: Databases,
  instruments: Instruments,
  now: UnixMs,
): Promise<Instruments> {
  const former = await readInstrumentsOfLastStart(databases.first);
  const misfit = await misfitOfHolders(databases, former, instruments);
  if (misfit !== null) throw misfit;
  const isRenewed = await hasDueTimesOfLastStart(databases.first);
  let inForce = instruments;
  await replaceStartCatalogue(databases.first, (before) => {
    if (before !== null) inForce = withFormerCarry(parseCatalogue(before), instruments, now);
    return hashCatalogue(inForce);
  });
  // When the last start was killed after it had stored its catalogue, this start computes the due times. Any carry that
  // has ever changed may be one that the killed start has changed.
  const isChanged = (pair: PairId): boolean => {
    const carries = inForce.get(pair)?.formerCarry?.length;
    return isRenewed ? carries !== former?.get(pair)?.formerCarry?.length : carries !== undefined;
  };
  const changed = new Set([...inForce.keys()].filter(isChanged));
  if (changed.size > 0) await recomputeDueTimes(databases, inForce, changed);
  await noteDueTimes(databases.first, hashCatalogue(inForce).hash);
  return inForce;
}

/**
 * Why a start with these instruments would be refused at present; null when it would not. Changes nothing.
 * @rule D13.startCompares
 */
export async function catalogueMisfit(
  databases: Databases,
  instruments: Instruments,
): Promise<string | null> {
  const former = await readInstrumentsOfLastStart(databases.first);
  return (await misfitOfHolders(databases, former, instruments))?.message ?? null;
}

/** Computes the due times again for accounts that hold one of the pairs, because the carry of the pairs has changed. */
async function recomputeDueTimes(
  databases: Databases,
  instruments: Instruments,
  pairs: ReadonlySet<PairId>,
): Promise<void> {
  for await (const { database, account } of holdersOf(databases)) {
    const { state, version } = account;
    if (!state.positions.some(({ pair }) => pairs.has(pair))) continue;
    const { accountId } = state;
    await replaceDueTime(database, {
      accountId,
      version,
      dueAtMs: earliestDueMs(state, instruments),
    });
  }
}

/**
 * The error of a start when an account cannot continue with a pair that it holds; else null. The holders are read only
 * when a pair has changed in such a way, or when no former catalogue can be read.
 */
async function misfitOfHolders(
  databases: Databases,
  former: Instruments | null,
  present: Instruments,
): Promise<UnfitSettings | null> {
  const differences = former === null ? null : differencesForHolders(former, present);
  if (differences?.size === 0) return null;
  const differenceOf = (pair: PairId): PairDifference | undefined =>
    differences?.get(pair) ?? (present.has(pair) ? undefined : ABSENT);
  const holders = new Map<string, number>();
  for await (const { account } of holdersOf(databases)) {
    const { state } = account;
    for (const pair of heldPairs(state)) {
      const difference = differenceOf(pair);
      if (difference?.concerns(state.terms.assetClass) !== true) continue;
      const problem = `${pair}: ${difference.problem}`;
      holders.set(problem, (holders.get(problem) ?? 0) + 1);
    }
  }
  return holders.size > 0 ? unfitSettingsError([...holders]) : null;
}

/**
 * Every account with a position or an order. An account that cannot be read is left out; the service reports it later.
 */
async function* holdersOf({ all }: Databases): AsyncGenerator<{
  readonly database: Database;
  readonly account: CommittedAccount;
}> {
  for (const database of all) {
    const cache = createStateCache(database, { evolve, onFault: () => undefined });
    for (const account of await cache.loadExposed()) yield { database, account };
  }
}

/** The pairs of an account's positions and pending orders, legs included. */
function heldPairs({ positions, orders }: AccountState): ReadonlySet<PairId> {
  return new Set([...positions, ...orders].map(({ pair }) => pair));
}

function unfitSettingsError(
  holders: readonly (readonly [problem: string, accounts: number])[],
): UnfitSettings {
  const named = holders
    .slice(0, NAMED_PAIRS_MAX)
    .map(([problem, count]) => `${problem} (${count} ${count === 1 ? "account" : "accounts"})`);
  const more = holders.length - named.length;
  const all = [...named, ...(more > 0 ? [`${more} more pairs`] : [])].join("; ");
  return new UnfitSettings(`The catalogue does not fit what accounts hold. ${all}`, {
    fix: "Start with the former entries. To end a pair, block it and keep its entry until no account holds it.",
  });
}

import type { ExposureKey, StressItem } from "@propgate/contract";
import {
  addUsd,
  dollars,
  type MicroUsd,
  microUsd,
  payableAt,
  stressedAccount,
  subtractUsd,
  sumUnpaidTotals,
} from "@propgate/core";
import { type ValuedAccount, valueAccount } from "@propgate/wire";
import type { BookAccount, OpenBook } from "./account-book.ts";
import { type KeyOf, programOf, sortedByKey } from "./exposure.ts";

/** The sums of one key at one move. An amount is null when it is unknown for one of the accounts. */
interface Outcome {
  pnl: MicroUsd | null;
  ends: number;
  /** By how much the move changes the owed payouts. */
  owed: MicroUsd | null;
}

/** The sums of a stress test, which `addStress` fills account by account. */
export interface StressSums {
  readonly moves: readonly number[];
  readonly by: ExposureKey;
  readonly keys: Map<string, readonly Outcome[]>;
  /**
   * The payouts that are owed without a move. The map has an entry for each program, or, for other keys, one entry for
   * all accounts.
   */
  readonly owed: Map<string, MicroUsd | null>;
}

const ALL = "";

/** Makes empty sums for these moves and this kind of key. */
export function emptyStressSums(moves: readonly number[], by: ExposureKey): StressSums {
  return { moves, by, keys: new Map(), owed: new Map() };
}

interface Within {
  readonly book: OpenBook;
  readonly keyOf: KeyOf;
}

/**
 * Adds an account to the sums. For each key, all its pairs move while other pairs keep their prices. Owed payouts
 * include those of accounts without a position in these pairs.
 */
export function addStress(sums: StressSums, account: BookAccount, within: Within): void {
  if (account.network === "vanta") {
    addLinked(sums, account, within);
    return;
  }
  const valued = valueAccount(account.account, within.book.at);
  const { state } = valued;
  const equity = valued.equity();
  const payable = equity === null ? null : payableAt(state, equity);
  addOwed(sums, account, addOrNull(sumUnpaidTotals(state).amount, payable));
  for (const [key, pairs] of pairsOf(account, within.keyOf)) {
    addMoves(outcomesOf(sums, key), sums.moves, { valued, payable, pairs });
  }
}

/** The pairs of the account's positions, by key. */
function pairsOf(
  account: BookAccount & { readonly network: "embedded" },
  keyOf: KeyOf,
): ReadonlyMap<string, ReadonlySet<string>> {
  const pairs = new Map<string, Set<string>>();
  for (const { pair } of account.account.state.positions) {
    for (const { key } of keyOf(pair, account)) {
      pairs.set(key, (pairs.get(key) ?? new Set<string>()).add(pair));
    }
  }
  return pairs;
}

interface Moved {
  readonly valued: ValuedAccount;
  /** The payout of the cycle in progress without the move; null while the equity is unknown. */
  readonly payable: MicroUsd | null;
  readonly pairs: ReadonlySet<string>;
}

function addMoves(
  outcomes: readonly Outcome[],
  moves: readonly number[],
  { valued, payable, pairs }: Moved,
): void {
  const { state, moment } = valued;
  const equity = valued.equity();
  for (const [at, outcome] of outcomes.entries()) {
    const move = {
      pairs: (pair: string) => pairs.has(pair),
      move: (moves[at] ?? 0) / PERCENT,
      market: moment,
    };
    const after = equity === null ? null : stressedAccount(state, equity, move);
    if (after?.ends === true) outcome.ends += 1;
    outcome.pnl = addOrNull(outcome.pnl, after?.gain ?? null);
    outcome.owed = addOrNull(outcome.owed, subtractedOrNull(after?.payable ?? null, payable));
  }
}

const PERCENT = 100;

function subtractedOrNull(from: MicroUsd | null, amount: MicroUsd | null): MicroUsd | null {
  return from === null || amount === null ? null : subtractUsd(from, amount);
}

/** Adds an account of a validator, which sends neither prices nor owed payouts: these sums become unknown. */
function addLinked(
  sums: StressSums,
  account: BookAccount & { readonly network: "vanta" },
  { keyOf }: Within,
): void {
  addOwed(sums, account, null);
  for (const { pair } of account.line.holdings) {
    for (const { key } of keyOf(pair, account)) {
      for (const outcome of outcomesOf(sums, key)) outcome.pnl = null;
    }
  }
}

function addOwed({ by, owed }: StressSums, account: BookAccount, amount: MicroUsd | null): void {
  const key = by === "program" ? programOf(account) : ALL;
  const before = owed.get(key);
  owed.set(key, before === undefined ? amount : addOrNull(before, amount));
}

function outcomesOf({ keys, moves }: StressSums, key: string): readonly Outcome[] {
  const known =
    keys.get(key) ?? moves.map(() => ({ pnl: microUsd(0), ends: 0, owed: microUsd(0) }));
  keys.set(key, known);
  return known;
}

function addOrNull(one: MicroUsd | null, other: MicroUsd | null): MicroUsd | null {
  return one === null || other === null ? null : addUsd(one, other);
}

/** The sums as items, one for each key and move, sorted by key. */
export function stressItems({ keys, moves, by, owed }: StressSums): readonly StressItem[] {
  const owedOf = (of: string): MicroUsd | null => owed.get(of) ?? null;
  const usd = (amount: MicroUsd | null): number | null =>
    amount === null ? null : dollars(amount);
  return sortedByKey(keys).flatMap(([key, outcomes]) =>
    outcomes.map((outcome, at) => ({
      key,
      movePct: moves[at] ?? 0,
      pnl: usd(outcome.pnl),
      ends: outcome.ends,
      owed: usd(addOrNull(owedOf(by === "program" ? key : ALL), outcome.owed)),
    })),
  );
}

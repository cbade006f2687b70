import type { ExposureItem, ExposureKey } from "@propgate/contract";
import {
  dollars,
  type Instrument,
  type Instruments,
  type MicroUsd,
  microUsd,
  momentOfHoldings,
  pairId,
  roundUsd,
  shownValueOf,
} from "@propgate/core";
import { ASSET_CLASS_WORDS } from "@propgate/wire";
import type { BookAccount, OpenBook } from "./account-book.ts";

/** The key of a position whose class or program is not known. */
const UNKNOWN = "unknown";

/**
 * A key under which a position is summed, with the position's own sign or the opposite sign. A position of a forex pair
 * has two keys: the currencies of the pair.
 */
export interface PositionKey {
  readonly key: string;
  readonly sign: 1 | -1;
}

/** The keys of an account's position in a pair. */
export type KeyOf = (pair: string, account: BookAccount) => readonly PositionKey[];

/** The keys of positions for a sum by pair, class, currency or program. */
export function createKeyOf(by: ExposureKey, instruments: Instruments): KeyOf {
  const instrumentOf = (pair: string): Instrument | undefined => instruments.get(pairId(pair));
  switch (by) {
    case "pair":
      return (pair) => [{ key: pair, sign: 1 }];
    case "class":
      return (pair) => {
        const instrument = instrumentOf(pair);
        const key = instrument === undefined ? UNKNOWN : ASSET_CLASS_WORDS[instrument.assetClass];
        return [{ key, sign: 1 }];
      };
    case "currency":
      return (pair) => currenciesOf(instrumentOf(pair));
    case "program":
      return (_pair, account) => [{ key: programOf(account), sign: 1 }];
  }
}

/**
 * The keys of a forex pair: its base with the position's sign, its quote currency with the opposite sign. Pairs of
 * other classes have no key. @rule D9.exposure
 */
function currenciesOf(instrument: Instrument | undefined): readonly PositionKey[] {
  if (instrument?.assetClass !== "forex") return [];
  return [
    { key: instrument.base, sign: 1 },
    { key: instrument.quote, sign: -1 },
  ];
}

/** The program of an account; `unknown` for an account of a validator. */
export function programOf(account: BookAccount): string {
  return account.network === "embedded" ? account.account.state.terms.programId : UNKNOWN;
}

/** An open position and its value at the mark. */
export interface Holding {
  readonly pair: string;
  /**
   * Negative for a short. Null while the pair or its conversion rate has no price, or when the validator did not send
   * the value.
   */
  readonly value: MicroUsd | null;
}

function holdingsOf(account: BookAccount, { at }: OpenBook): readonly Holding[] {
  if (account.network === "vanta") {
    return account.line.holdings.map(({ pair, netValue }) => ({
      pair,
      value: netValue === null ? null : roundUsd(netValue),
    }));
  }
  const { state } = account.account;
  if (state.positions.length === 0) return [];
  const moment = momentOfHoldings(state, at.moment);
  return state.positions.map((position) => ({
    pair: position.pair,
    value: shownValueOf(position, moment)?.netValue ?? null,
  }));
}

interface Sum {
  long: number;
  short: number;
  isKnown: boolean;
  accounts: number;
  last: BookAccount | null;
}

/**
 * Adds the values of an account's positions to the long or short sum of each of their keys. `keyOf` gives the keys,
 * each with a sign; with the sign -1 a long position counts as short. A position without a value makes its sums
 * unknown. @rule D9.exposure decides
 */
export function addExposures(
  sums: Map<string, Sum>,
  account: BookAccount,
  { book, keyOf }: { readonly book: OpenBook; readonly keyOf: KeyOf },
): void {
  for (const { pair, value } of holdingsOf(account, book)) {
    for (const { key, sign } of keyOf(pair, account)) {
      const sum = sums.get(key) ?? { long: 0, short: 0, isKnown: true, accounts: 0, last: null };
      sums.set(key, sum);
      if (sum.last !== account) sum.accounts += 1;
      sum.last = account;
      if (value === null) sum.isKnown = false;
      else if (value * sign > 0) sum.long += Math.abs(value);
      else sum.short += Math.abs(value);
    }
  }
}

/** The sums as items, sorted by key. An amount is null when the value of one of its positions is unknown. */
export function exposureItems(sums: ReadonlyMap<string, Sum>): readonly ExposureItem[] {
  return sortedByKey(sums).map(([key, { long, short, isKnown, accounts }]) => {
    const usd = (amount: number): number | null => (isKnown ? dollars(microUsd(amount)) : null);
    return {
      key,
      long: usd(long),
      short: usd(short),
      gross: usd(long + short),
      net: usd(long - short),
      accounts,
    };
  });
}

/** The entries of a map, sorted by key. */
export function sortedByKey<Value>(
  sums: ReadonlyMap<string, Value>,
): readonly (readonly [string, Value])[] {
  return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

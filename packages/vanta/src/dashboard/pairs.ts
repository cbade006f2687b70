import { type PairFinder, type PairId, pairId, pairKey } from "@propgate/core";
import type { Literal } from "../python-literal.ts";
import { TRADE_PAIR_KEYS } from "./dashboard-keys.ts";
import { type DecodeProblem, noteProblem, readList, readRecord } from "./network-units.ts";
import { readPayload } from "./payload.ts";
import { readSection } from "./section.ts";

/** A pair of the network, with the network's own id: `BTCUSDC`, `BRK_B`, `kPEPEUSDC`. */
export interface LinkedPair {
  readonly id: PairId;
  /** `BTC/USDC`; an equity has no slash and can have a dot: `BRK.B`. */
  readonly display: string;
  /** `crypto`, `forex`, `equities`, `indices`, `commodities`; null when it was not sent. */
  readonly category: string | null;
  /** `vanta` or `hyperliquid`; null when it was not sent. */
  readonly source: string | null;
  /** The network's flag `is_pro` of the pair; null when it was not sent. */
  readonly isPro: boolean | null;
  /** `reduceOnly`: positions can be closed but not opened. */
  readonly trading: "open" | "reduceOnly" | "blocked";
}

/** The network's pairs, in its own order. */
export interface LinkedPairs {
  readonly pairs: readonly LinkedPair[];
  /** The pair with this display form or id, spelled as on the network; null when the network does not list it. */
  readonly find: (displayOrId: string) => LinkedPair | null;
  /** Finds the id of a pair by its id or its display form, in any letter case, with or without a slash. */
  readonly names: PairFinder;
}

export type DecodedPairs =
  | { readonly ok: true; readonly pairs: LinkedPairs }
  | { readonly ok: false; readonly why: string };

const LISTS: readonly (readonly [string, LinkedPair["trading"]])[] = [
  ["allowed", "open"],
  ["deprecated", "reduceOnly"],
  ["disabled", "blocked"],
];

/**
 * Decodes the answer of GET trade-pairs. A pair in several lists has the values of the last list. An answer without the
 * list `allowed` fails.
 */
export function decodePairs(body: Literal): DecodedPairs {
  const problem: DecodeProblem = { why: null };
  const envelope = readPayload(body, problem);
  if (envelope === null) return { ok: false, why: problem.why ?? "the answer is null" };
  if (envelope.allowed === undefined) noteProblem(problem, "allowed", "sent");
  const pairs = new Map<string, LinkedPair>();
  for (const [list, trading] of LISTS) {
    for (const [index, item] of (readList(envelope[list], list, problem) ?? []).entries()) {
      const pair = readPair(item, trading, `${list}.${index}`, problem);
      if (pair !== null) pairs.set(pair.id, pair);
    }
  }
  return problem.why === null
    ? { ok: true, pairs: pairsOf([...pairs.values()]) }
    : { ok: false, why: problem.why };
}

function readPair(
  item: Literal,
  trading: LinkedPair["trading"],
  path: string,
  problem: DecodeProblem,
): LinkedPair | null {
  const record = readRecord(item, path, problem);
  if (record === null) return noteProblem(problem, path, "a pair");
  const { id, display, ...rest } = readSection(record, TRADE_PAIR_KEYS, path, problem);
  if (id === null || display === null) return null;
  return { id: pairId(id), display, ...rest, trading };
}

function pairsOf(pairs: readonly LinkedPair[]): LinkedPairs {
  const exact = new Map<string, LinkedPair>();
  const anyCase = new Map<string, PairId>();
  // Ids are set after display forms. So a display form that equals the id of another pair does not hide that pair.
  for (const pair of pairs) exact.set(pair.display, pair);
  for (const pair of pairs) exact.set(pair.id, pair);
  for (const pair of pairs) anyCase.set(pairKey(pair.display), pair.id);
  for (const pair of pairs) anyCase.set(pairKey(pair.id), pair.id);
  return {
    pairs,
    find: (displayOrId) => exact.get(displayOrId) ?? null,
    names: (name) => anyCase.get(pairKey(name)) ?? pairId(pairKey(name)),
  };
}

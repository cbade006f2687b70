import type { ProofRow } from "../proof.ts";
import type { ClientRecord } from "./client-load.ts";
import type { StoppedNode } from "./failures.ts";

/** One failure, with its times by the steady clock in milliseconds. */
export interface TimedFailure {
  readonly name: string;
  readonly fromMs: number;
  /** The time at which everything was repaired and every client had a success again. */
  readonly toMs: number;
  readonly promotionMs: number | null;
  /** The stopped node, with the nodes that the clients used when the failure began; null when no node was stopped. */
  readonly stopped:
    | (StoppedNode & { readonly usedNodes: ReadonlyMap<ClientRecord, number> })
    | null;
}

/** The times of one failure as the clients saw them, in seconds. */
export interface Outage {
  readonly name: string;
  readonly promotionSeconds: number | null;
  /** The longest time between two successes of a reader around the failure. */
  readonly readSeconds: number;
  /**
   * The longest time between two accepted orders of a trader around the failure. It includes the time in which the
   * client finds out the fate of an order.
   */
  readonly orderSeconds: number;
  /** The longest time in which no trader had a success. */
  readonly noOrderSeconds: number;
  /** The times of the accounts of the stopped node and of all other accounts; null when no node was stopped. */
  readonly stopped: StoppedNodeSeconds | null;
}

/**
 * The longest time without an accepted order: for the accounts of the stopped node, and for all other accounts. Only
 * clients that used a node that kept running count.
 */
interface StoppedNodeSeconds {
  readonly ownSeconds: number;
  readonly othersSeconds: number;
}

/** The seconds for which clients may be without a success in addition to the time until the standby was promoted. */
const MORE_THAN_PROMOTION_SECONDS = 3;
const MS_PER_SECOND = 1_000;

/** Measures a failure by the gaps between the successes of the clients. */
export function outageOf(records: readonly ClientRecord[], incident: TimedFailure): Outage {
  const successes = (kind: ClientRecord["kind"]): readonly (readonly number[])[] =>
    records.filter((one) => one.kind === kind).map(({ successesMs }) => successesMs);
  const longest = (kind: ClientRecord["kind"]): number =>
    Math.max(...successes(kind).map((one) => longestGapMs(one, incident)));
  const ofAnyTrader = successes("trader")
    .flat()
    .toSorted((one, other) => one - other);
  const { name, promotionMs } = incident;
  return {
    name,
    promotionSeconds: promotionMs === null ? null : secondsOfMs(promotionMs),
    readSeconds: secondsOfMs(longest("reader")),
    orderSeconds: secondsOfMs(longest("trader")),
    noOrderSeconds: secondsOfMs(longestGapMs(ofAnyTrader, incident)),
    stopped: stoppedNodeSeconds(incident),
  };
}

/** Leaves out the clients that used the stopped node. Their gaps show their own request timeout, not the accounts. */
function stoppedNodeSeconds({ stopped, ...times }: TimedFailure): StoppedNodeSeconds | null {
  if (stopped === null) return null;
  const { node, accounts, usedNodes } = stopped;
  const longest = { own: 0, others: 0 };
  for (const [{ kind, key, successesMs }, used] of usedNodes) {
    if (kind !== "trader" || used === node) continue;
    const whose = accounts.has(key.accountId) ? "own" : "others";
    longest[whose] = Math.max(longest[whose], longestGapMs(successesMs, times));
  }
  return { ownSeconds: secondsOfMs(longest.own), othersSeconds: secondsOfMs(longest.others) };
}

function longestGapMs(
  successesMs: readonly number[],
  { fromMs, toMs }: Pick<TimedFailure, "fromMs" | "toMs">,
): number {
  let longest = 0;
  for (const [index, atMs] of successesMs.entries()) {
    const before = successesMs[index - 1];
    if (before === undefined || atMs < fromMs || before > toMs) continue;
    longest = Math.max(longest, atMs - before);
  }
  return longest;
}

function secondsOfMs(ms: number): number {
  return Math.round(ms) / MS_PER_SECOND;
}

/**
 * True when no client was without a success for longer than it took to promote the standby, plus three seconds. Null
 * when no standby was promoted.
 */
export function keepsPromise({
  promotionSeconds,
  readSeconds,
  orderSeconds,
}: Outage): boolean | null {
  if (promotionSeconds === null) return null;
  return Math.max(readSeconds, orderSeconds) <= promotionSeconds + MORE_THAN_PROMOTION_SECONDS;
}

/** The rows of the table of results: one for each kind of failure. */
export function outageRows(outages: readonly Outage[]): readonly ProofRow[] {
  return [...Map.groupBy(outages, ({ name }) => name)].map(([name, all]) => {
    const promotions = all.flatMap(({ promotionSeconds }) => promotionSeconds ?? []);
    const kept = all.filter((one) => keepsPromise(one) === true).length;
    const stopped = all.flatMap((one) => one.stopped ?? []);
    return {
      failure: name,
      times: all.length,
      "promotion, s": rangeText(promotions),
      "without reads, s": rangeText(all.map(({ readSeconds }) => readSeconds)),
      "without orders, s": rangeText(all.map(({ orderSeconds }) => orderSeconds)),
      "no order of any client, s": rangeText(all.map(({ noOrderSeconds }) => noOrderSeconds)),
      "its own accounts, s": rangeText(stopped.map(({ ownSeconds }) => ownSeconds)),
      "accounts of other nodes, s": rangeText(stopped.map(({ othersSeconds }) => othersSeconds)),
      "within promotion + 3 s": promotions.length === 0 ? "" : `${kept} of ${all.length}`,
    };
  });
}

/** The smallest and the largest value with one decimal, such as `1.0 to 2.5`; empty without values. */
function rangeText(values: readonly number[]): string {
  if (values.length === 0) return "";
  const [min, max] = [Math.min(...values), Math.max(...values)].map((one) => one.toFixed(1));
  return min === max ? `${min}` : `${min} to ${max}`;
}

import type { Instrument, PairId } from "@propgate/core";
import type { SourceWarning } from "../port.ts";
import { type LiveSurroundings, openFundingSource } from "../venues/registry.ts";
import {
  createFundingCollector,
  type FundingCollector,
  type FundingCollectorOptions,
} from "./collect-funding.ts";
import type { FundingSource } from "./funding-source.ts";

export interface VenueFunding {
  readonly sources: readonly FundingSource[];
  /** Names the pairs whose rates no venue gives. */
  readonly warnings: readonly SourceWarning[];
}

/**
 * The funding of each pair whose carry comes from the source: from the first of the pair's sources that settles every
 * hour, whichever speaks for its price. So all nodes ask the same venue. Reaches no network.
 * @rule D11.fundingSource decides
 */
export async function openVenueFunding(
  plan: ReadonlyMap<PairId, readonly string[]>,
  around: LiveSurroundings,
): Promise<VenueFunding> {
  const open = [...plan.keys()].filter((pair) => isFromSource(around.instruments.get(pair)));
  const names = new Set(open.flatMap((pair) => plan.get(pair) ?? []));
  const sources: FundingSource[] = [];
  let left: readonly PairId[] = open;
  for (const name of names) {
    const pairs = left.filter((pair) => plan.get(pair)?.includes(name) === true);
    const source = await openFundingSource(name, pairs, around);
    if (source === null) continue;
    sources.push(source);
    left = left.filter((pair) => !source.pairs.includes(pair));
  }
  return { sources, warnings: left.length === 0 ? [] : [withoutSource(left)] };
}

/** Null when no venue gives funding rates. */
export function collectorOf(
  venues: { readonly funding: VenueFunding } | null,
  around: Omit<FundingCollectorOptions, "sources">,
): FundingCollector | null {
  const sources = venues?.funding.sources ?? [];
  return sources.length === 0 ? null : createFundingCollector({ ...around, sources });
}

function isFromSource(instrument: Instrument | undefined): boolean {
  return instrument?.carry.kind === "everyHour" && instrument.carry.rate === null;
}

function withoutSource(pairs: readonly PairId[]): SourceWarning {
  const reason = `pairs whose source gives no hourly funding rate; hours without a rate of an operator are not charged`;
  return { source: "funding", reason, count: pairs.length, first: pairs[0] ?? null };
}

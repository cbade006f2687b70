import type { Instrument, PairId } from "@propgate/core";
import type { SourceWarning } from "../port.ts";
import { type LiveSourceDependencies, openFundingSource } from "../venues/registry.ts";
import {
  createFundingCollector,
  type FundingCollector,
  type FundingCollectorOptions,
} from "./collect-funding.ts";
import type { FundingSource } from "./funding-source.ts";

/** The venues from which funding rates are collected. */
export interface VenueFunding {
  readonly sources: readonly FundingSource[];
  /** Names the pairs for which no venue publishes rates, or which their venue does not list. */
  warnings(): readonly SourceWarning[];
}

/**
 * Opens the funding sources of the pairs whose rate is not fixed in the catalogue. A pair gets the rates of one of its
 * price sources that settles every hour, independent of the source that speaks for its price. The sources are tried in
 * the order in which the plan first names them, so all nodes use the same one. Opening does not use the network.
 * @rule D11.fundingSource decides
 */
export async function openVenueFunding(
  plan: ReadonlyMap<PairId, readonly string[]>,
  around: LiveSourceDependencies,
): Promise<VenueFunding> {
  const open = [...plan.keys()].filter((pair) => isRateFromSource(around.instruments.get(pair)));
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
  return {
    sources,
    warnings: () => [
      ...warningOf(left, `pairs whose source gives no hourly funding rate; ${UNCHARGED}`),
      ...sources.flatMap((one) =>
        warningOf(one.unlisted(), `pairs that ${one.name} does not list; ${UNCHARGED}`),
      ),
    ],
  };
}

/** The collector of the funding sources; null when no venue publishes funding rates. */
export function createVenueFundingCollector(
  venues: { readonly funding: VenueFunding } | null,
  around: Omit<FundingCollectorOptions, "sources">,
): FundingCollector | null {
  const sources = venues?.funding.sources ?? [];
  return sources.length === 0 ? null : createFundingCollector({ ...around, sources });
}

const UNCHARGED = "hours without a rate of an operator are not charged";

function isRateFromSource(instrument: Instrument | undefined): boolean {
  return instrument?.carry.kind === "everyHour" && instrument.carry.rate === null;
}

function warningOf(pairs: readonly PairId[], reason: string): readonly SourceWarning[] {
  const [first] = pairs;
  return first === undefined ? [] : [{ source: "funding", reason, count: pairs.length, first }];
}

import { builtInSourceOf, CannotStart, type Settings } from "@propgate/base";
import type { PairId } from "@propgate/core";
import { deviationLimits } from "../composition/deviation.ts";
import { resolvePlan, sourceNamesOf, withPairIds } from "../composition/resolve-plan.ts";
import { openVenueFunding, type VenueFunding } from "../funding/venue-funding.ts";
import type { LiveSource } from "./live-source.ts";
import { type LiveSourceDependencies, openLiveSource } from "./registry.ts";
import { createRestartableSource } from "./restartable-source.ts";

/** The venues that the settings name, before they are started. */
export interface OpenedVenues {
  readonly sources: readonly LiveSource[];
  /** The names of each pair's sources by priority. */
  readonly plan: ReadonlyMap<PairId, readonly string[]>;
  /** The largest difference between two sources of the pair that agree, in percent of the price. */
  readonly deviationPct: (pair: PairId) => number;
  /** The sources of hourly funding rates that the catalogue does not fix. */
  readonly funding: VenueFunding;
  /** The source of the prices in words. */
  readonly description: string;
}

/**
 * Opens the venues that the settings name; null when prices come from elsewhere. Opening does not use the network.
 * Venues together with a recording are refused.
 * @throws CannotStart when a name or a venue's settings are wrong
 */
export async function openVenues(around: LiveSourceDependencies): Promise<OpenedVenues | null> {
  const { instruments } = around;
  warnOfPush(around);
  if (around.settings.prices === null || builtInSourceOf(around.settings.prices) !== null)
    return null;
  const prices = withPairIds(around.settings.prices, instruments, "PROPGATE_PRICES");
  const given = around.settings.pricesDeviation;
  const pricesDeviation =
    given === null ? null : withPairIds(given, instruments, "PROPGATE_PRICES_DEVIATION");
  const settings = { ...around.settings, prices, pricesDeviation };
  if (settings.replay.length > 0) {
    throw new CannotStart("PROPGATE_PRICES and PROPGATE_REPLAY are both set", {
      fix: "Set one of them: live prices, or a recording.",
    });
  }
  const names = [...sourceNamesOf(prices)];
  const sources = await Promise.all(
    names.map(async (name) => {
      const open = () => openLiveSource(name, { ...around, settings });
      return settings.natsUrl === null ? open() : createRestartableSource(await open(), open);
    }),
  );
  checkAddresses(settings.priceUrls, names);
  const plan = resolvePlan(prices, instruments, sources);
  return {
    sources,
    plan,
    funding: await openVenueFunding(plan, around),
    deviationPct: deviationLimits(instruments, pricesDeviation),
    description: `live from ${names.join(", ")}`,
  };
}

/** Warns of settings for pushed prices that have no effect, or with which tokens and quotes travel unencrypted. */
function warnOfPush({ settings, log }: LiveSourceDependencies): void {
  const { prices, pushListen, pushToken } = settings;
  if (prices !== null && sourceNamesOf(prices).has("push")) {
    if (pushListen === null || LOOPBACK.test(pushListen.host)) return;
    log.warn(
      { listen: `${pushListen.host}:${pushListen.port}` },
      "tokens and quotes travel unencrypted to the listener of pushed prices; put a proxy with TLS before it",
    );
    return;
  }
  if (pushListen === null && pushToken === null) return;
  log.warn(
    "PROPGATE_PUSH_LISTEN and PROPGATE_PUSH_TOKEN have no effect: PROPGATE_PRICES does not name push",
  );
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i;

/**
 * Throws when the setting of addresses names a source that the plan does not name, because the name is probably a
 * mistake. Without this check the service would connect to the real venue.
 */
function checkAddresses(addresses: Settings["priceUrls"], names: readonly string[]): void {
  const unused = addresses.find(({ name }) => !names.includes(name));
  if (unused === undefined) return;
  throw new CannotStart(
    `PROPGATE_PRICE_URLS names ${unused.name}, which PROPGATE_PRICES does not`,
    {
      fix: `The sources are ${names.join(", ")}.`,
    },
  );
}

import { builtInSourceOf, CannotStart, type Settings, UnfitSettings } from "@propgate/base";
import type { UnixMs } from "@propgate/core";
import { createSettingStore, type Database, readNewestLineTime } from "@propgate/ledger";
import { rolesOf } from "./nodes/node-membership.ts";

/** The setting that is stored at the first start with live or pushed prices. */
const LIVE_SETTING = "prices.live";

/**
 * Checks the settings of simulated and replayed prices.
 * @throws CannotStart when such prices are chosen by name and the other settings contradict the name
 */
export function checkBuiltInPrices({ prices, replay }: Pick<Settings, "prices" | "replay">): void {
  const named = prices === null ? null : builtInSourceOf(prices);
  if (named === "simulated" && replay.length > 0) {
    throw new CannotStart("PROPGATE_PRICES is simulated and PROPGATE_REPLAY is set", {
      fix: "Set one of them: simulated prices, or a recording with PROPGATE_PRICES=replay.",
    });
  }
  if (named === "replay" && replay.length === 0) {
    throw new CannotStart("PROPGATE_PRICES is replay and PROPGATE_REPLAY names no recording", {
      fix: "Name the files with PROPGATE_REPLAY or --replay.",
    });
  }
}

/**
 * Prevents a forgotten setting from giving simulated or recorded prices to data that has had live or pushed prices.
 * @throws UnfitSettings unless simulated or recorded prices are chosen by name @rule D13.priceOrigin decides
 */
export async function checkPriceOrigin(
  database: Database,
  { prices, replay, role }: Pick<Settings, "prices" | "replay" | "role">,
): Promise<void> {
  // Nodes that cannot be the feed make no prices.
  if (!rolesOf(role).includes("feed")) return;
  const settings = createSettingStore(database);
  const named = prices === null ? null : builtInSourceOf(prices);
  if (prices !== null && named === null) {
    await settings.set(LIVE_SETTING, "true");
    return;
  }
  if (named !== null || (await settings.get(LIVE_SETTING)) === null) return;
  const made = replay.length > 0 ? "replay" : "simulated";
  throw new UnfitSettings(
    `The prices of this data came from live or pushed sources, and PROPGATE_PRICES is not set, so they would be ${made === "replay" ? "replayed" : "simulated"}`,
    { fix: `Set PROPGATE_PRICES to the sources. To go on with such prices, add --prices ${made}.` },
  );
}

/**
 * Checks that a recording which sets the service's time begins after the newest journal line. Otherwise new lines would
 * be older than the lines before them. @throws CannotStart when the newest line of the data is after the recording's
 * beginning @rule D12.recordingTime decides
 */
export async function checkOwnTime(
  databases: readonly Database[],
  { replay, replayRebase }: Pick<Settings, "replay" | "replayRebase">,
  beginsAt: UnixMs,
): Promise<void> {
  if (replay.length === 0 || replayRebase !== "own") return;
  for (const database of databases) {
    const newest = await readNewestLineTime(database);
    if (newest === null || newest <= beginsAt) continue;
    throw new CannotStart(
      `The recording begins at ${textOf(beginsAt)}, and the data have a journal line of ${textOf(newest)}`,
      { fix: "Replay it with --rebase now, or with a data folder of its own." },
    );
  }
}

function textOf(atMs: UnixMs): string {
  return new Date(atMs).toISOString();
}

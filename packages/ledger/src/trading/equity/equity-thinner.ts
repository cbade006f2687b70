import type { Clock } from "@propgate/base";
import { type AccountId, DAY_MS } from "@propgate/core";
import type { EquityStore } from "../../storage/stores/equity-store.ts";
import type { SettingStore } from "../../storage/stores/setting-store.ts";

/** Thins out old equity points. */
export interface EquityThinner {
  /** Call this about once a second; it thins one page of accounts at most. */
  tick(): Promise<void>;
}

const HOUR_MS = 3_600_000;
/** Points are a minute apart for two days, then ten minutes for two weeks, and then an hour for ever. */
const AGES = [
  { olderThanMs: 2 * DAY_MS, stepMs: 600_000 },
  { olderThanMs: 14 * DAY_MS, stepMs: HOUR_MS },
] as const;
/** The number of accounts that one call of `tick` thins. */
const PAGE = 100;
/** The setting with the hour up to which all points have been thinned. */
const SETTING = "equity.thinned";

/** Once an hour, thins the points of all accounts that have passed an age limit of `AGES` since the last thinning. */
export function createEquityThinner(options: {
  readonly store: Pick<EquityStore, "thin" | "accounts">;
  readonly settings: SettingStore;
  readonly clock: Clock;
}): EquityThinner {
  const { store, settings, clock } = options;
  let round: { readonly from: number; readonly to: number; after: AccountId | null } | null = null;
  let done: number | null = null;
  return {
    async tick() {
      const now = clock.now();
      const hour = now - (now % HOUR_MS);
      done ??= Number((await settings.get(SETTING)) ?? 0);
      if (round === null && done >= hour) return;
      round ??= { from: done, to: hour, after: null };
      const { from, to } = round;
      const page = await store.accounts({ after: round.after, limit: PAGE });
      for (const { olderThanMs, stepMs } of AGES) {
        const range = { after: from - olderThanMs, upTo: to - olderThanMs, stepMs };
        await store.thin(page, range);
      }
      round.after = page.at(-1) ?? null;
      if (page.length === PAGE) return;
      await settings.set(SETTING, String(to));
      done = to;
      round = null;
    },
  };
}

import { accountId, microUsd, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { createCountingNetwork } from "../../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { createEquityThinner } from "../../trading/equity/equity-thinner.ts";
import { createEquityStore } from "./equity-store.ts";
import { createSettingStore } from "./setting-store.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** 2026-01-20, 00:00 UTC. */
const NOW_MS = 1_768_867_200_000;

const point = (atMs: number, equity: number, floor: number | null = 95_000) => ({
  atMs: unixMs(atMs),
  equity: microUsd(equity * 1_000_000),
  balance: microUsd(100_000_000_000),
  floors:
    floor === null
      ? []
      : [
          { rule: "dailyLoss" as const, floor: microUsd(floor * 1_000_000) },
          { rule: "endOfDayTrailing" as const, floor: microUsd(-1) },
        ],
});

await describeOnEachDatabase("points of equity", (database) => {
  test("points of equity are read in order, and the first of a moment is kept", async () => {
    const store = createEquityStore(database());
    const one = accountId("0d5c2a34-59b8-4a3e-9d4f-000000000001");
    const other = accountId("0d5c2a34-59b8-4a3e-9d4f-000000000002");
    await store.add([]);
    await store.add([
      { accountId: one, ...point(3000, 101) },
      { accountId: one, ...point(1000, 99, null) },
      { accountId: other, ...point(2000, 7) },
    ]);
    await store.add([
      { accountId: one, ...point(3000, 5) },
      { accountId: one, ...point(2000, 100) },
    ]);
    expect(await store.between(one, { after: 1000, upTo: 3000 })).toEqual([
      point(2000, 100),
      point(3000, 101),
    ]);
    expect(await store.lastAt(one, 1999)).toEqual(point(1000, 99, null));
    expect(await store.lastAt(one, 999)).toBeNull();
  });

  test("points of equity are thinned with age: minutes, then ten minutes, then hours", async () => {
    const store = createEquityStore(database());
    const settings = createSettingStore(database());
    const account = accountId(await createCountingNetwork(database()).open());
    const minutesFrom = (startMs: number) =>
      Array.from({ length: 2 * 60 }, (_, minute) => ({
        accountId: account,
        ...point(startMs + (minute + 1) * MINUTE_MS, minute),
      }));
    const starts = [NOW_MS - 20 * DAY_MS, NOW_MS - 5 * DAY_MS, NOW_MS - DAY_MS];
    for (const start of starts) await store.add(minutesFrom(start));
    let now = unixMs(NOW_MS + 5 * MINUTE_MS);
    const thinner = createEquityThinner({ store, settings, clock: { now: () => now } });
    const kept = async (startMs: number): Promise<readonly number[]> => {
      const range = { after: startMs, upTo: startMs + 2 * HOUR_MS };
      return (await store.between(account, range)).map(({ atMs }) => (atMs - startMs) / MINUTE_MS);
    };
    await thinner.tick();
    expect(await kept(NOW_MS - 20 * DAY_MS)).toEqual([60, 120]);
    expect(await kept(NOW_MS - 5 * DAY_MS)).toEqual([
      10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120,
    ]);
    expect(await kept(NOW_MS - DAY_MS)).toHaveLength(120);
    expect(await settings.get("equity.thinned")).toBe(String(NOW_MS));

    // A day and an hour later, the thinner reads only the points that have become old enough since.
    now = unixMs(NOW_MS + DAY_MS + HOUR_MS);
    await thinner.tick();
    expect(await kept(NOW_MS - DAY_MS)).toEqual([
      10,
      20,
      30,
      40,
      50,
      60,
      ...Array.from({ length: 60 }, (_, minute) => 61 + minute),
    ]);
    await thinner.tick();
    expect(await settings.get("equity.thinned")).toBe(String(NOW_MS + DAY_MS + HOUR_MS));
  });
});

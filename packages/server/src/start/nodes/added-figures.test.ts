import { pairId, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { systemChance } from "../../../../base/src/random.ts";
import type { NodeFigures } from "../../storage/node-figures.ts";
import { createManualTime } from "../../testing/manual-time.ts";
import { openTestDatabase } from "../../testing/open-test-database.ts";
import { mergeUnjudged, sumHolders } from "./added-figures.ts";
import { joinNodes } from "./node-membership.ts";

const [BTC, ETH] = [pairId("BTCUSD"), pairId("ETHUSD")];

/** The figures of a node with this many holders of BTCUSD, two of whom have waited for its price since `since`. */
const figures = (holders: number, since: number): NodeFigures => ({
  decides: true,
  holders: [[BTC, holders]],
  unjudged: [{ pair: BTC, reason: "stale", accounts: 2, sinceMs: unixMs(since) }],
  awaited: [],
  linesOfFuture: null,
});

test("a node adds the counts of the other live nodes to its own, and forgets those of one that left", async () => {
  await using stack = new AsyncDisposableStack();
  const real = stack.adopt(await openTestDatabase(), (one) => one.close());
  const { timer } = createManualTime(Date.UTC(2026, 2, 3, 12));
  const joined = () =>
    joinNodes({
      database: { ...real, kind: "postgres" },
      configuration: { release: "test", stateFormat: 1, catalogue: "test" },
      roles: ["engine"],
      hasBus: true,
      chance: systemChance,
      timer,
    });
  const [one, other] = [await joined(), await joined()];
  await one.heartbeat.run();
  expect(one.figuresOfOthers()).toEqual([]);
  other.report(() => figures(3, 2_000));
  await other.heartbeat.run();
  await one.heartbeat.run();
  const others = one.figuresOfOthers();
  expect(others).toEqual([figures(3, 2_000)]);
  const own = new Map([
    [BTC, 1],
    [ETH, 4],
  ]);
  expect(sumHolders(own, others)).toEqual(
    new Map([
      [BTC, 4],
      [ETH, 4],
    ]),
  );
  const mine = [{ pair: ETH, reason: "halted", accounts: 1, sinceMs: null }] as const;
  expect(
    mergeUnjudged([mine, figures(1, 1_000).unjudged, ...others.map((o) => o.unjudged)]),
  ).toEqual([{ pair: BTC, reason: "stale", accounts: 4, sinceMs: 1_000 }, ...mine]);
  await other.leave();
  await one.heartbeat.run();
  expect(one.figuresOfOthers()).toEqual([]);
});

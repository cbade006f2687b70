import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import type { RunningSandbox } from "../start/running-service.ts";
import { startSandbox } from "../start/start-sandbox.ts";
import { createSandboxClient, type SandboxClient } from "../testing/sandbox-client.ts";

/** A time in January 2026, such as `05T15:00`. The 5th is a Monday; New York trades from 14:30 to 21:00 UTC. */
const at = (time: string) => Date.parse(`2026-01-${time}:00Z`);

const running = new Set<RunningSandbox>();
afterEach(async () => {
  for (const sandbox of running) await sandbox.stop();
  running.clear();
});

interface Sandbox extends SandboxClient {
  readonly goTo: (time: string) => Promise<void>;
  readonly quote: (pair: string, bid: number) => Promise<unknown>;
  /** The status and the equity of the account, and the reason of its end. */
  readonly account: () => Promise<readonly unknown[]>;
  readonly quotes: () => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** `start` is a part of the nonces, so that two starts on one folder send no nonce twice. */
async function open(dataDir: string | null, start = "first"): Promise<Sandbox> {
  const sandbox = await startSandbox({
    port: 0,
    startMs: at("05T15:00"),
    seed: "7",
    clock: "frozen",
    dataDir,
    networkTimeoutMs: 15_000,
  });
  running.add(sandbox);
  let nowMs = at("05T15:00");
  const client = createSandboxClient(sandbox, () => nowMs);
  const state = await client.control("GET", "/state");
  nowMs = (state.body as { now: number }).now;
  let reads = 0;
  const data = async (endpoint: string) => {
    reads += 1;
    return (await client.get(endpoint, `${start}-${reads}`)).json() as { data: unknown };
  };
  return {
    ...client,
    async goTo(time) {
      nowMs = at(time);
      await client.control("POST", "/clock", { set: nowMs });
    },
    quote: async (pair, bid) =>
      (await client.control("POST", "/quotes", [{ pair, bid, ask: bid }])).body,
    async account() {
      const { data: account } = (await data("account")) as {
        data: {
          evaluation: { status: string };
          account: { currentEquity: number };
          elimination: { reason: string } | null;
        };
      };
      const { evaluation, elimination } = account;
      return [evaluation.status, account.account.currentEquity, elimination?.reason ?? null];
    },
    quotes: async () => (await data("quotes")).data,
    async stop() {
      running.delete(sandbox);
      await sandbox.stop();
    },
  };
}

const LONG = { execution_type: "MARKET", trade_pair: "AAPL", order_type: "LONG", quantity: 200 };

describe("a closed market ends no account [D10.closedMarkets]", () => {
  test("a quote before the opening moves no equity; the session's first one does, after a restart too", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "propgate-closed-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const first = await open(dataDir);
    await first.quote("AAPL", 200);
    expect((await first.order({ ...LONG, stop_loss: 190 })).status).toBe(200);
    // The fee is 0.01 % of 40,000.
    expect(await first.account()).toEqual(["evaluation", 99_996, null]);
    await first.goTo("06T14:29");
    // At 174 the loss would be 5,200. That is beyond the daily limit of 5,000, and 174 is below the stop.
    expect(await first.quote("AAPL", 174)).toEqual({
      now: at("06T14:29"),
      quotes: 0,
      ignored: [{ pair: "AAPL", reason: "marketClosed" }],
    });
    expect(await first.account()).toEqual(["evaluation", 99_996, null]);
    await first.stop();

    const second = await open(dataDir, "second");
    expect(await second.account()).toEqual(["evaluation", 99_996, null]);
    expect(await second.quotes()).toEqual([
      { tradePair: "AAPL", bid: 200, ask: 200, atMs: at("05T15:00"), isStale: true },
    ]);
    await second.goTo("06T14:30");
    expect(await second.account()).toEqual(["evaluation", 99_996, null]);
    expect(await second.quote("AAPL", 195)).toEqual({
      now: at("06T14:30"),
      quotes: 1,
      ignored: [],
    });
    expect(await second.account()).toEqual(["evaluation", 98_996, null]);
  });

  test("a breach by another pair closes it at the session's last quote", async () => {
    const { quote, order, goTo, account, get } = await open(null);
    await quote("AAPL", 200);
    await quote("BTCUSD", 50_000);
    await order(LONG);
    await order({ ...LONG, trade_pair: "BTCUSD", quantity: 2.9 });
    await goTo("05T20:59");
    await quote("AAPL", 190);
    await goTo("05T22:00");
    await quote("AAPL", 100);
    // Fees of 4 and 43.50 and losses of 2,000 and 3,190 are together beyond the limit of 5,000.
    await quote("BTCUSD", 48_900);
    expect((await account())[2]).toBe("FAILED_CHALLENGE_PERIOD_INTRADAY_DRAWDOWN");
    const { data } = (await get("trades")).json() as {
      data: readonly { tradePair: string; closePriceNumeric: number }[];
    };
    const closed = data.map(({ tradePair, closePriceNumeric }) => [tradePair, closePriceNumeric]);
    expect(Object.fromEntries(closed)).toEqual({ AAPL: 190, BTCUSD: 48_900 });
  });

  test("a pair whose first quote comes while its market is closed has none yet", async () => {
    const { quote, goTo, quotes } = await open(null);
    await goTo("10T12:00");
    expect(await quote("EURUSD", 1.1)).toMatchObject({ quotes: 0 });
    expect(await quotes()).toEqual([]);
    await goTo("11T22:00");
    expect(await quote("EURUSD", 1.1)).toMatchObject({ quotes: 1, ignored: [] });
  });
});

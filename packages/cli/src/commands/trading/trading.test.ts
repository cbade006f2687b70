import type { Account, EventsPage } from "@propgate/contract";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import { moneyText, percentText, signedMoneyText } from "../../render/figures.ts";
import { startCli, startCliHere } from "../../testing/background-cli.ts";
import { type CliSandbox, openCliSandbox } from "../../testing/cli-sandbox.ts";
import { runCli } from "../../testing/run-cli.ts";

const QUOTES = [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }] as const;
const BUY = ["order", "market", "BTCUSD", "long", "--quantity", "0.1", "--yes"] as const;

let sandbox: CliSandbox;

beforeAll(async () => {
  sandbox = await openCliSandbox();
  return () => sandbox.close();
});
// The sandbox's clock runs, and a quote is stale after a minute, so each test begins with fresh ones.
beforeEach(async () => {
  await sandbox.control("/quotes", QUOTES);
});

/** A sandbox of the test's own, whose account has no position, order or trade. */
async function untouched(): Promise<CliSandbox> {
  const own = await openCliSandbox();
  onTestFinished(() => own.close());
  await own.control("/quotes", QUOTES);
  return own;
}

const READS = ["account", "positions", "orders", "trades", "payouts", "instruments"] as const;

function widest(text: string): number {
  return Math.max(...text.split("\n").map((line) => line.length));
}

describe("reads", () => {
  test.each(READS)("%s fits 80 columns without colour, and is JSON and CSV too", async (name) => {
    const plain = await sandbox.run(name);
    expect([plain.code, plain.stderr]).toEqual([0, ""]);
    expect(widest(plain.stdout)).toBeLessThanOrEqual(80);
    expect(plain.stdout).not.toContain("\u001b");
    expect(await sandbox.json(name)).toBeTypeOf("object");
    const csv = await sandbox.run(name, "--csv");
    expect([csv.code, csv.stderr]).toEqual([0, ""]);
    for (const line of csv.stdout.split("\r\n")) expect(line).not.toContain("\n");
    const both = await sandbox.run(name, "--csv", "--json");
    expect(both.code).toBe(2);
  });

  test("lists --csv without rows are their headers", async () => {
    const empty = await untouched();
    for (const [name, header] of [
      ["positions", /^positionUuid,tradePair,.*,stopLoss,takeProfit,breachPriceAlone,isStale\r\n$/],
      ["orders", /^orderUuid,tradePair,.*,positionUuid.*\r\n$/],
      ["trades", /^id,tradePair,.*,closeTimeMs,.*,totalFees\r\n$/],
      ["payouts", /^id,periodStartMs,.*,createdAtMs\r\n$/],
    ] as const) {
      expect((await empty.run(name, "--csv")).stdout).toMatch(header);
    }
  });

  test("an account without a closed trade has no win rate, also while a position is open", async () => {
    const sandbox = await untouched();
    const before = await sandbox.run("account");
    expect(before.stdout).toMatch(/^trades +0, won --, held /m);
    await sandbox.json(...BUY);
    const open = await sandbox.run("account");
    expect(open.stdout).toMatch(/^trades +1, won --, held /m);
    await sandbox.json("order", "flat", "--yes");
    const closed = await sandbox.run("account");
    expect(closed.stdout).toMatch(/^trades +1, won 0\.00%, held /m);
  });

  test("reads with something open, resting and closed show it to the cent", async () => {
    const sandbox = await untouched();
    await sandbox.json(...BUY, "--stop", "49000");
    const positions = await sandbox.run("positions");
    expect(positions.stdout).toMatch(/BTC\/USD {2}LONG +0\.1 .*49,000/);
    expect(positions.stdout).toMatch(/open PnL {2}-\d+\.\d\d\n/);
    expect(widest(positions.stdout)).toBeLessThanOrEqual(80);
    const orders = await sandbox.run("orders");
    expect(orders.stdout).toMatch(/BRACKET/);
    expect(widest(orders.stdout)).toBeLessThanOrEqual(80);
    const flat = await sandbox.run("order", "flat", "--yes");
    expect([flat.code, flat.stdout.split("\n")[0]]).toEqual([0, "accepted"]);
    const trades = await sandbox.run("trades");
    expect(trades.stdout).toMatch(/^CLOSED +PAIR +SIDE +QUANTITY +ENTRY +CLOSE +PNL\n/);
    expect(widest(trades.stdout)).toBeLessThanOrEqual(80);
    const account = await sandbox.run("account");
    expect(account.stdout).toMatch(/^daily loss +[█░]{24} {2}\d+\.\d\d% of 5\.00%, /m);
  });

  test("the account shows today's profit, and each limit as if it were judged now [D12.limitNow] [D13.todayPnl]", async () => {
    const sandbox = await untouched();
    await sandbox.json("order", "market", "BTCUSD", "long", "--quantity", "1", "--yes");
    await sandbox.control("/quotes", [{ pair: "BTCUSD", bid: 49_000, ask: 49_010 }]);
    const { account, drawdownRules } = (await sandbox.json("account")) as Account;
    const [daily] = drawdownRules?.limits ?? [];
    expect(account.todayPnl).toBeLessThan(-1_000);
    const { stdout } = await sandbox.run("account");
    expect(stdout).toContain(signedMoneyText(account.todayPnl));
    const left = moneyText(daily?.remainingNow);
    expect(stdout).toContain(`${percentText(daily?.usedPctNow)} of 5.00%, ${left} left`);
    expect(stdout).toContain(`breach move ${percentText(daily?.breachMovePct)}`);
    expect(widest(stdout)).toBeLessThanOrEqual(80);
  });
});

describe("candles [D9.candles]", () => {
  test("the table, JSON and CSV show the pair's prices, to its tick in the table", async () => {
    await sandbox.control("/quotes", [{ pair: "EURUSD", bid: 1.1, ask: 1.1001 }]);
    const { code, stdout, stderr } = await sandbox.run("candles", "btc/usd", "--interval", "1d");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^START +OPEN +HIGH +LOW +CLOSE +QUOTES\n/);
    expect(stdout).toMatch(/00:00( +50,005\.00){4} +\d+\n/);
    expect(stdout).toMatch(/^mid closes {2}.\nThe last candle still changes\.\n$/m);
    expect(widest(stdout)).toBeLessThanOrEqual(80);
    const bids = await sandbox.run("candles", "BTCUSD", "--interval", "1d", "--side", "bid");
    expect(bids.stdout).toMatch(/00:00( +50,000\.00){4} /);
    expect(await sandbox.json("candles", "BTCUSD", "--interval", "1d")).toMatchObject([
      { mid: { open: 50_005 }, bid: { open: 50_000 }, ask: { open: 50_010 }, isComplete: false },
    ]);
    const csv = await sandbox.run("candles", "BTCUSD", "--csv", "--limit", "1");
    expect(csv.stdout).toMatch(
      /^startMs,bid\.open,.*,ask\.open,.*,mid\.close,quoteCount,isComplete\r\n\d+,50000,.*\r\n$/,
    );
    const none = await sandbox.run("candles", "ETHUSD");
    expect([none.code, none.stdout]).toEqual([0, "No candles.\n"]);
  });

  test.each([
    [["BTCUSD", "--limit", "0"], "--limit must be an integer between 1 and 1000"],
    [["BTCUSD", "--after", "noon"], "--after is not a time: noon"],
    [["BTC USD"], "<pair> must be one pair identifier"],
    [["BTCUSD", "--interval", "2m"], "Allowed choices are 1m, 5m, 15m, 1h, 1d"],
    [["XYZABC"], "'tradePair' names XYZABC, which is not a known pair"],
  ])("%j is refused with the option's name", async (given, words) => {
    const { code, stderr } = await sandbox.run("candles", ...given);
    expect(code).not.toBe(0);
    expect(stderr).toContain(words);
  });
});

describe("events list [D9.events]", () => {
  test("events list lists the events in order, and --after continues at the printed cursor", async () => {
    await sandbox.json(...BUY);
    const { code, stdout, stderr } = await sandbox.run("events", "list", "--limit", "1");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^# +AT +TYPE +BY +WHAT\n1 +\d{4}-.*account\.opened +operator\n/);
    const cursor = /--after (\S+)\n$/.exec(stdout)?.[1] ?? "";
    expect(cursor).toMatch(/^1-[0-9a-f]{32}$/);
    const next = await sandbox.json("events", "list", "--after", cursor, "--limit", "1");
    expect(next).toMatchObject({ items: [{ sequence: 2 }] });
    const csv = await sandbox.run("events", "list", "--limit", "1", "--csv");
    expect(csv.stdout).toMatch(
      /^sequence,type,atMs,cause\.by,cursor,.*\r\n1,account\.opened,\d+,operator,1-[0-9a-f]{32},/,
    );
  });

  test.each([
    [["--wait", "26"], "--wait must be whole seconds from 0 to 25"],
    [["--types", "order.fooled"], '--types names "order.fooled"'],
    [["--after", "noon"], "--after must be a cursor"],
    [["--after", "999999"], "'after' is ahead of the journal"],
  ])("%j is refused with the option's name", async (given, words) => {
    const { code, stderr } = await sandbox.run("events", "list", ...given);
    expect(code).not.toBe(0);
    expect(stderr).toContain(words);
  });
});

describe("events tail [D9.stream]", () => {
  const headNow = async () => {
    const page = await sandbox.json("events", "list", "--limit", "1");
    return (page as EventsPage).head;
  };

  test("events tail prints each event after the cursor and those that happen, one a line, until it is stopped", async () => {
    await sandbox.json(...BUY);
    const given = ["events", "tail", "--after", "0", "--json", "--proof"];
    const running = await startCli(given, { env: sandbox.env, until: '"sequence":2,' });
    await sandbox.json(...BUY);
    const printed = (): readonly { sequence: number; proof?: { hash: string } }[] =>
      running
        .said()
        .stdout.split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    const head = await headNow();
    await eventually(() => expect(printed().at(-1)?.sequence).toBe(head.sequence));
    expect(printed().map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: head.sequence }, (_, index) => index + 1),
    );
    expect(printed().at(-1)?.proof?.hash).toBe(head.hash);
    expect([await running.stop("SIGINT"), running.said().stderr]).toEqual([0, ""]);
  });

  test("events tail prints the figures of an event for a person", async () => {
    const { sequence } = await headNow();
    await sandbox.json(...BUY);
    const given = ["events", "tail", "--types", "order.filled", "--after", String(sequence)];
    const running = await startCliHere(given, { env: sandbox.env });
    expect(running.said().stdout).toMatch(
      /^\d+ {2}\d{4}-\S+ \S+.* order\.filled {2}key {2}LONG \S+ BTCUSD at [\d,.]+\n$/,
    );
    expect(await running.stop()).toBe(0);
  });

  test.each([
    [["--types", "order.fooled"], '--types names "order.fooled"'],
    [["--after", "noon"], "--after must be a cursor"],
    [["--json", "--proof", "--types", "order.filled"], "--proof must be 0 with 'types'"],
    [["--proof"], "--proof requires --json"],
    [["--csv"], "events tail has no --csv"],
    [["--after", "999999"], "history differs: 'after' is ahead of the journal"],
  ])("%j is refused with the option's name", async (given, words) => {
    const { code, stderr } = await sandbox.run("events", "tail", ...given);
    expect(code).not.toBe(0);
    expect(stderr).toContain(words);
  });
});

describe("fills and order show [D9.fills] [D9.orderLife]", () => {
  test("the newest fills, and the life of the order of one of them", async () => {
    await sandbox.json(...BUY);
    const { items } = (await sandbox.json("fills")) as { items: { data: { orderUuid: string } }[] };
    const id = items.at(-1)?.data.orderUuid ?? "";
    const { stdout } = await sandbox.run("fills", "--limit", "1", "--pair", "btc/usd");
    expect(stdout).toMatch(/^TIME +PAIR +SIDE +QUANTITY +PRICE +BY +PNL\n.* BTCUSD /);
    const shown = await sandbox.run("order", "show", id);
    expect(shown.stdout).toMatch(/^status +filled$/m);
    expect(shown.stdout).toMatch(/ order\.filled$/m);
    const unknown = await sandbox.run("order", "show", "nothing");
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("Order not found")]);
  });

  test("fills --since and candles --after take a date, a time with its zone, milliseconds and 0 [D13.optionTimes]", async () => {
    await sandbox.json(...BUY);
    const { items } = (await sandbox.json("fills")) as { items: readonly { atMs: number }[] };
    const atMs = items.at(-1)?.atMs ?? 0;
    const date = new Date(atMs).toISOString();
    const day = date.slice(0, "YYYY-MM-DD".length);
    for (const since of [String(atMs), date, day, "0"]) {
      const found = (await sandbox.json("fills", "--since", since)) as {
        items: readonly { atMs: number }[];
      };
      expect(found.items.map((one) => one.atMs)).toContain(atMs);
      const after = ["candles", "BTCUSD", "--interval", "1m", "--after", since] as const;
      expect(await sandbox.json(...after)).toBeInstanceOf(Array);
    }
    const later = new Date(atMs + 1).toISOString();
    expect(await sandbox.json("fills", "--since", later)).toMatchObject({ items: [] });
  });

  test("fills, events list and order show say that an order against a position has filled less than its size [D12.shortfall]", async () => {
    const sandbox = await untouched();
    await sandbox.json(...BUY);
    const sell = ["order", "market", "BTCUSD", "short", "--quantity", "0.3", "--yes"];
    const { stdout: answer } = await sandbox.run(...sell);
    expect(answer).toMatch(/^less than its size +0\.2, neverFlips$/m);
    const id = /^id +(\S+)$/m.exec(answer)?.[1] ?? "";
    const life = await sandbox.run("order", "show", id);
    expect(life.stdout).toMatch(/^less than its size +0\.2, neverFlips$/m);
    const fills = await sandbox.run("fills", "--limit", "1");
    expect(fills.stdout).toMatch(/ market, 0\.2 less /);
    expect(widest(fills.stdout)).toBeLessThanOrEqual(80);
    const events = await sandbox.run("events", "list", "--types", "order.filled");
    expect(events.stdout).toMatch(/SHORT 0\.1 BTCUSD at 50,000, 0\.2 less$/m);
  });

  test.each([
    [["--limit", "0"], "--limit must be an integer between 1 and 500"],
    [["--pair", "BTC USD"], "--pair must be one pair identifier"],
    [["--since", "now"], "--since is not a time: now"],
    [
      ["--since", "1767614400"],
      "--since must be a time in Unix milliseconds between 2000 and 2100; 1767614400 looks like seconds",
    ],
  ])("%j is refused with the option's name", async (given, words) => {
    const { code, stderr } = await sandbox.run("fills", ...given);
    expect(code).not.toBe(0);
    expect(stderr).toContain(words);
  });
});

describe("watch", () => {
  test("--once prints the account once", async () => {
    const { code, stdout } = await sandbox.run("watch", "--once");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^equity {2}\d/m);
    expect(widest(stdout)).toBeLessThanOrEqual(80);
  });

  test("watch without a terminal prints a line for each change, and ends with Ctrl-C", async () => {
    const sandbox = await untouched();
    const { env } = sandbox;
    const running = await startCli(["watch", "--every", "1"], { env, until: "positions 0" });
    await sandbox.json(...BUY);
    await eventually(() => {
      expect(running.said().stdout).toContain("positions 1");
    });
    expect(await running.stop("SIGINT")).toBe(0);
    const { stdout, stderr } = running.said();
    expect(stderr).toBe("");
    expect(stdout.trim().split("\n")).toHaveLength(2);
  });

  test.each([
    [["--every", "0.5"], "--every must be"],
    [["--csv"], "--csv requires --once"],
  ])("%j is refused", async (given, words) => {
    const { code, stderr } = await sandbox.run("watch", ...given);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});

describe("what goes wrong", () => {
  test("a read without any key ends with 2 and says what to do", async () => {
    const { code, stderr } = await runCli(["account"], {
      env: { XDG_CONFIG_HOME: sandbox.configHome },
    });
    expect(code).toBe(2);
    expect(stderr).toContain("npm run propgate -- profile add");
  });

  test("a read with a wrong secret ends with 1 and says where to look", async () => {
    const env = { ...sandbox.env, PROPGATE_SECRET: "sk_another" };
    const { code, stderr } = await runCli(["account"], { env });
    expect(code).toBe(1);
    expect(stderr).toContain("401: Bad signature");
    expect(stderr).toContain("npm run propgate -- doctor");
  });

  test.each(["account", "mcp"])("%s refuses a secret over two lines, unshown: 2", async (name) => {
    const env = { ...sandbox.env, PROPGATE_SECRET: `${sandbox.secret.slice(0, 20)}\nsecond` };
    const { code, stdout, stderr } = await runCli([name], { env });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("'secret' must have no spaces or line breaks");
    expect(stderr).not.toContain(sandbox.secret.slice(0, 20));
  });

  test("a command without a service names the address and ends with 3", async () => {
    const { code, stderr } = await sandbox.run("positions", "--url", "http://127.0.0.1:9");
    expect(code).toBe(3);
    expect(stderr).toContain("no answer from http://127.0.0.1:9: ");
    expect(stderr).not.toContain("fetch failed");
  });

  test("a URL with a path is refused, because a path would not be signed", async () => {
    const { code, stderr } = await sandbox.run("account", "--url", `${sandbox.baseUrl}/api`);
    expect(code).toBe(2);
    expect(stderr).toContain("more than a host and a port");
  });
});

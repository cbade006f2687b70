import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type CliSandbox, openCliSandbox } from "../../testing/cli-sandbox.ts";

let sandbox: CliSandbox;

beforeAll(async () => {
  sandbox = await openCliSandbox();
  return () => sandbox.close();
});
beforeEach(async () => {
  await sandbox.openAccount();
  await sandbox.control("/quotes", [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]);
});

interface Listed {
  readonly orderUuid: string;
  readonly [field: string]: unknown;
}

async function listed(): Promise<readonly Listed[]> {
  return (await sandbox.json("orders")) as readonly Listed[];
}

/** Sends an order and returns its output for a person. Fails unless the order is accepted. */
async function send(...given: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.run("order", ...given, "--yes");
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

const BUY = ["market", "BTCUSD", "long", "--quantity", "0.1"] as const;
const LIMIT = ["limit", "BTCUSD", "long", "--price", "45000", "--quantity", "0.2"] as const;

describe("a trailing stop", () => {
  test("a trailing stop is in the answer, in orders and in positions, and an edit changes its distance", async () => {
    await send(...BUY);
    const answer = await send("bracket", "BTCUSD", "--trailing-percent", "0.03");
    expect(answer).toMatch(/^leg +\S+ trails by 3\.00%$/m);
    const [leg] = await listed();
    const shown = await sandbox.run("orders");
    expect(shown.stdout).toMatch(
      /^BTC\/USD +LONG +BRACKET +all +-- +trails by 3\.00%, stop now [\d,.]+ +--$/m,
    );
    const positions = await sandbox.run("positions");
    expect(positions.stdout).toMatch(/48,500 +--\n/);
    expect(positions.stdout).toMatch(
      /^[0-9a-f]{8} {2}BTC\/USD {2}trails by 3\.00%, stop now [\d,.]+$/m,
    );

    // The id of a leg begins with the id of its order. Eight characters are enough here, because there is only one leg.
    const short = String(leg?.orderUuid).slice(0, 8);
    const edited = await send("edit", short, "--trailing-percent", "0.05");
    expect(edited).toMatch(/^leg +\S+ trails by 5\.00%$/m);
    expect(await listed()).toMatchObject([
      { orderUuid: leg?.orderUuid, trailingPercent: 0.05, trailingValue: null, stopLoss: null },
    ]);
    await send("edit", short, "--trailing-value", "1500", "--stop", "48000");
    expect(await listed()).toMatchObject([
      { trailingPercent: null, trailingValue: 1500, stopLoss: 48_000 },
    ]);
    expect((await sandbox.run("orders")).stdout).toContain("48,000, trails by 1,500");
    await send("edit", short, "--bracket-pct", "0.5", "--no-stop");
    expect(await listed()).toMatchObject([
      { trailingValue: 1500, bracketPct: 0.5, stopLoss: null },
    ]);
    await send("edit", short, "--quantity", "0.05", "--stop", "48000", "--no-trailing");
    expect(await listed()).toMatchObject([
      { trailingValue: null, bracketPct: null, quantity: 0.05, stopLoss: 48_000 },
    ]);
  });

  test("the trailing stop of a pending entry is listed with it, and survives an edit of the price", async () => {
    await send(...LIMIT, "--trailing-value", "900");
    const [order] = await listed();
    await send("edit", String(order?.orderUuid), "--price", "45500");
    expect(await listed()).toMatchObject([{ limitPrice: 45_500, trailingValue: 900 }]);
    await send("edit", String(order?.orderUuid), "--trailing-percent", "0.04");
    expect(await listed()).toMatchObject([{ trailingPercent: 0.04, trailingValue: null }]);
  });

  test("a trailing stop with two distances is rejected before anything is sent", async () => {
    const both = ["--trailing-percent", "0.03", "--trailing-value", "5"];
    for (const given of [
      ["bracket", "BTCUSD", ...both],
      [...LIMIT, ...both],
    ]) {
      const { code, stderr } = await sandbox.run("order", ...given, "--yes");
      expect([code, stderr.split("\n")[0]]).toEqual([
        2,
        "propgate: --trailing-percent and --trailing-value exclude each other",
      ]);
    }
  });
});

describe("several legs", () => {
  const LEGS = ["--leg", "stop=44000,share=0.5", "--leg", "trailing-percent=0.02,share=0.5"];

  test("several legs of an entry are listed with it, and survive an edit of its price", async () => {
    await send(...LIMIT, ...LEGS);
    const [order] = await listed();
    const shown = await sandbox.run("orders");
    expect(shown.stdout).toMatch(/^ {4}leg stop 44,000, for 50\.00% of the position$/m);
    expect(shown.stdout).toMatch(/^ {4}leg trails by 2\.00%, for 50\.00% of the position$/m);
    const id = String(order?.orderUuid);
    await send("edit", id, "--price", "45500");
    expect(await listed()).toMatchObject([
      {
        limitPrice: 45_500,
        bracketOrders: [
          { stopLoss: 44_000, bracketPct: 0.5 },
          { trailingPercent: 0.02, bracketPct: 0.5 },
        ],
      },
    ]);
    const which = await sandbox.run("order", "edit", id, "--stop", "43000", "--yes");
    expect([which.code, which.stderr.split("\n")[0]]).toEqual([
      2,
      "propgate: this order has 2 legs: --stop, --target and --trailing-… do not say which",
    ]);
    await send("edit", id, "--leg", "stop=43000");
    expect(await listed()).toMatchObject([{ bracketOrders: [{ stopLoss: 43_000 }] }]);
  });

  test("several legs are attached to a position, with a line for each in the answer", async () => {
    await send(...BUY);
    const answer = await send(
      ...["bracket", "BTCUSD", "--leg", "target=52000,share=0.5", "--leg", "target=54000"],
    );
    expect(answer).toMatch(/^leg +\S+ target 52,000, for 50\.00% of the position$/m);
    expect(answer).toMatch(/^leg +\S+ target 54,000$/m);
    const ids = (await listed()).map(({ orderUuid }) => orderUuid);
    expect(ids).toHaveLength(2);
    const short = ids[0]?.slice(0, 8) ?? "";
    const { code, stderr } = await sandbox.run("order", "cancel", short, "--dry-run");
    expect(code).toBe(2);
    expect(stderr).toContain(`${short} is too short to name one order\n  It may be one of: `);
    for (const id of ids) expect(stderr).toContain(id);
  });

  test.each([
    [["--leg", "stopp=1"], '--leg has no field "stopp"'],
    [["--leg", "stop=1,stop=2"], "--leg has stop twice"],
    [["--leg", "stop=x"], "--leg stop must be a number above 0"],
    [["--leg", "stop=49000=5"], "--leg stop must be a number above 0, not 49000=5"],
    [["--leg", "stop"], "--leg stop must be a number above 0"],
    [["--leg", "stop=44000,"], '--leg has no field ""'],
    [["--leg", "stop=1", "--target", "5"], "--leg and --target exclude each other"],
    [["--quantity", "2"], "option '--quantity <lots>' is given twice"],
  ])("%j is rejected before anything is sent", async (given, words) => {
    const { code, stderr } = await sandbox.run("order", ...LIMIT, ...given, "--yes");
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});

describe("reduce-only [D10.reduceOnly]", () => {
  test("reduce-only is sent, listed and kept by an edit until --no-reduce-only removes it", async () => {
    const rejected = await sandbox.run("order", ...LIMIT, "--reduce-only", "--yes");
    expect(rejected.code).toBe(1);
    expect(rejected.stdout).toMatch(/^code +nothingToReduce$/m);
    expect(rejected.stdout).toMatch(/^nonce +\S+$/m);

    await send("market", "BTCUSD", "long", "--quantity", "1");
    const part = ["BTCUSD", "short", "--quantity", "0.100004", "--reduce-only"];
    const done = await send("market", ...part);
    expect(done).toMatch(/^reduces only +yes$/m);
    expect(done).toMatch(/^less than its size +0\.000004, roundedToGrid$/m);
    const sell = ["BTCUSD", "short", "--quantity", "0.5", "--reduce-only"];
    expect(await send("limit", ...sell, "--price", "55000")).toMatch(/^reduces only +yes$/m);
    await send("stop-limit", ...sell, "--price", "48000", "--trigger", "48500", "--when", "below");
    expect(await listed()).toMatchObject([{ reduceOnly: true }, { reduceOnly: true }]);
    const shown = await sandbox.run("orders");
    expect(shown.stdout).toMatch(/^ {2}\S{36} {2}reduces only$/m);
    expect(shown.stdout).toMatch(/^ {2}\S{36} {2}waits for 48,500 or lower, reduces only$/m);

    const id = String((await listed()).find((one) => one.limitPrice === 55_000)?.orderUuid);
    await send("edit", id, "--price", "56000");
    expect((await listed()).find((one) => one.orderUuid === id)).toMatchObject({
      limitPrice: 56_000,
      reduceOnly: true,
    });
    await send("edit", id, "--no-reduce-only");
    expect((await listed()).find((one) => one.orderUuid === id)).toMatchObject({
      reduceOnly: false,
    });
  });
});

describe("the first characters of an id", () => {
  test("the first characters of an id name an order if they are unambiguous, also in --dry-run", async () => {
    await send(...LIMIT);
    const [order] = await listed();
    const id = String(order?.orderUuid);
    const dry = await sandbox.run("order", "cancel", id.slice(0, 8), "--dry-run");
    expect(dry.stdout).toContain(`"order_uuid":"${id}"`);
    await send("cancel", id.slice(0, 8));
    expect(await listed()).toEqual([]);
  });

  test("an unknown or too short id is rejected, also in --dry-run", async () => {
    await send(...LIMIT);
    const [order] = await listed();
    const short = String(order?.orderUuid).slice(0, 3);
    for (const command of ["cancel", "edit"]) {
      const price = command === "edit" ? ["--price", "44000"] : [];
      const gone = await sandbox.run("order", command, "zzzzzzzz", ...price, "--dry-run");
      expect([gone.code, gone.stderr.split("\n")[0]]).toEqual([
        1,
        "propgate: no pending order has the id zzzzzzzz: it was filled, cancelled or never placed",
      ]);
      const few = await sandbox.run("order", command, short, ...price, "--dry-run");
      expect([few.code, few.stderr.split("\n")[0]]).toEqual([
        2,
        `propgate: ${short} is too short to name one order`,
      ]);
    }
  });
});

describe("closing and cancelling in part [D10.lists]", () => {
  test("unknown ids are listed beside the cancelled ones", async () => {
    await send(...LIMIT);
    const [order] = await listed();
    const gone = "00000000-0000-4000-8000-000000000000";
    const answer = await send("cancel", String(order?.orderUuid), gone);
    expect(answer).toMatch(new RegExp(`^not found +${gone}$`, "m"));
  });

  test("flat --pair closes only that pair's positions [D10.flattenAll]", async () => {
    await sandbox.control("/quotes", [{ pair: "ETHUSD", bid: 3000, ask: 3001 }]);
    await send(...BUY);
    await send("market", "ETHUSD", "long", "--quantity", "1");
    const answer = await send("flat", "--pair", "ETHUSD");
    expect(answer).toMatch(/^closed +ETHUSD$/m);
    expect(await sandbox.json("positions")).toMatchObject([{ tradePair: "BTCUSD" }]);
  });
});

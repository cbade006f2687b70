import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type CliResult, runCli } from "../../testing/run-cli.ts";

/** Kraken's list of markets as its interface answers it, with one market. */
const MARKETS = {
  error: [],
  result: {
    XXBTZUSD: {
      altname: "XBTUSD",
      wsname: "XBT/USD",
      aclass_base: "currency",
      base: "XXBT",
      aclass_quote: "currency",
      quote: "ZUSD",
      lot: "unit",
      pair_decimals: 1,
      cost_decimals: 5,
      lot_decimals: 8,
      lot_multiplier: 1,
      leverage_buy: [],
      leverage_sell: [],
      fees: [[0, 0.4]],
      fees_maker: [[0, 0.25]],
      ordermin: "0.0001",
      costmin: "0.5",
      tick_size: "0.1",
      status: "online",
    },
  },
};

let server: Server;
let venue: string;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "propgate-cli-"));
  server = createServer((_, response) => response.end(JSON.stringify(MARKETS)));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a port");
  venue = `kraken=http://127.0.0.1:${address.port}`;
  return async () => {
    await new Promise((done) => server.close(done));
    await rm(folder, { recursive: true });
  };
});

const importing = (...given: readonly string[]): Promise<CliResult> =>
  runCli(["instruments", "import", ...given], { env: { PROPGATE_PRICE_URLS: venue } });

describe("propgate instruments import [D6.import]", () => {
  test("a proposal goes to a new file, its differences to the terminal", async () => {
    const path = join(folder, "firm.json");
    const options = ["--from", "ccxt:kraken", "--pairs", "btc/usd", "--out", path];
    const { code, stdout, stderr } = await importing(...options);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^CHANGE .*\ntick +BTCUSD +BTC\/USD +0\.01 +0\.1\n/);
    const written: { instruments: object[] } = JSON.parse(await readFile(path, "utf8"));
    expect(written.instruments[0]).toMatchObject({ id: "BTCUSD", tick: 0.1 });

    const again = await importing(...options);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain("exists already");
  });

  test("propgate instruments import without a file prints the proposal alone on standard output, so it can be piped", async () => {
    const { code, stdout, stderr } = await importing("--from", "ccxt:kraken", "--pairs", "BTCUSD");
    expect(code).toBe(0);
    const printed: { instruments: object[] } = JSON.parse(stdout);
    expect(printed.instruments[0]).toMatchObject({ id: "BTCUSD", tick: 0.1 });
    expect(stderr).toContain("BTC/USD");
  });

  test("--json has the differences and the catalogue", async () => {
    const given = ["--from", "ccxt:kraken", "--pairs", "BTCUSD", "--json"];
    const { stdout } = await importing(...given);
    expect(JSON.parse(stdout)).toMatchObject({
      differences: [{ what: "tick", pair: "BTCUSD", from: 0.01, to: 0.1 }],
      catalogue: { version: 1 },
    });
  });

  test.each([
    [["--from", "ccxt:moon"], 5, 'ccxt has no venue "moon"'],
    [["--from", "kraken"], 5, "ccxt:kraken"],
    [[], 2, "--from"],
    [["--from", "ccxt:kraken", "--pairs", "BTCUSD,"], 2, "--pairs contains an empty name"],
    [["--from", "ccxt:kraken", "--catalogue", "/no/such.json"], 5, "/no/such.json cannot be read"],
  ])("%j ends with code %d and names the mistake", async (given, code, message) => {
    const result = await importing(...given);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
  });
});

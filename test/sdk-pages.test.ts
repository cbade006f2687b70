/** Runs every program on the pages about the client on a live service, and compares its output with the page. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BracketLegRequest, createClient, type OrderRequest } from "@propgate/sdk";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BackgroundCli, startCli } from "../packages/cli/src/testing/background-cli.ts";
import { withoutPropgateVariables } from "../packages/cli/src/testing/run-cli.ts";
import { ROOT, readText } from "./source-tree.ts";

const PAGES = ["docs/guides/sdk.md", "packages/sdk/README.md"] as const;
const BOT = "examples/bot/bot.ts";
const BOT_LINES_MAX = 30;
const OPERATOR_TOKEN = "op_pages_of_the_client_0123456789";

/** The text that creates a client, for a block that creates none. */
const CLIENT = `
import { createClient } from "@propgate/sdk";
const { PROPGATE_BASE_URL: baseUrl, PROPGATE_KEY_ID: keyId, PROPGATE_SECRET: secret } = process.env;
const client = createClient({ baseUrl, keyId, secret });
`;

interface Program {
  readonly page: string;
  readonly code: string;
  /** The text block that follows and shows the output; null when there is none. */
  readonly prints: string | null;
}

function programsOf(page: string): readonly Program[] {
  const block = /```ts\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g;
  return [...readText(page).matchAll(block)].map(([, code = "", prints = null]) => ({
    page,
    code: code.includes("createClient(") ? code : CLIENT + code,
    prints,
  }));
}

describe("the pages about the client", () => {
  let folder = "";
  let data = "";
  let service: BackgroundCli;
  let baseUrl = "";
  /** Environment variables with the key of an account on which no other program trades. */
  let env: Record<string, string> = {};

  beforeAll(async () => {
    await mkdir(join(ROOT, ".propgate"), { recursive: true });
    // The folder is below the checkout, so that packages are found.
    folder = await mkdtemp(join(ROOT, ".propgate", "pages-"));
    data = await mkdtemp(join(tmpdir(), "propgate-pages-"));
    service = await startCli(["serve", "--json", "--port", "0", "--data", data], {
      env: { PROPGATE_OPERATOR_TOKEN: OPERATOR_TOKEN },
    });
    ({ baseUrl } = JSON.parse(service.firstLine) as { baseUrl: string });
    return async () => {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
      await rm(data, { recursive: true, force: true });
    };
  });

  const operate = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${baseUrl}/operator/v1${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` },
      body: JSON.stringify(body),
    });
    const { data } = (await response.json()) as { data: Record<string, unknown> };
    return data;
  };
  beforeEach(async () => {
    const { accountId } = await operate("/accounts", { size: 100_000 });
    const scopes = ["trade:read", "trade:place"];
    const { keyId, secret } = await operate("/keys", { accountId, scopes });
    env = {
      PROPGATE_BASE_URL: baseUrl,
      PROPGATE_KEY_ID: String(keyId),
      PROPGATE_SECRET: String(secret),
    };
  });

  function run(file: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
    const options = {
      cwd: ROOT,
      env: { ...withoutPropgateVariables(process.env), ...env, ...more },
    };
    const given = ["--conditions=@propgate/source", file];
    return new Promise((resolve, reject) => {
      execFile(process.execPath, given, options, (error, stdout, stderr) =>
        error === null
          ? resolve(stdout)
          : reject(new Error(`${stdout}${stderr}`, { cause: error })),
      );
    });
  }

  test.each(PAGES.flatMap(programsOf).map((one, at) => [one.page, at, one] as const))(
    "%s: program %d runs and prints the documented output",
    async (_page, at, { code, prints }) => {
      const file = join(folder, `${at}.ts`);
      await writeFile(file, code);
      const printed = await run(file);
      if (prints !== null) expect(printed).toBe(prints);
    },
  );

  test("every endpoint answers the strict client, and it recognises every leg", async () => {
    const client = createClient({
      baseUrl: env.PROPGATE_BASE_URL ?? "",
      keyId: env.PROPGATE_KEY_ID ?? "",
      secret: env.PROPGATE_SECRET ?? "",
      strict: true,
    });
    const pairs = (await client.instruments()).map(({ tradePair }) => tradePair);
    expect(pairs).toEqual(expect.arrayContaining(["BTCUSD", "ETHUSD"]));
    const { serverTimeMs, skewAllowedMs } = await client.time();
    expect(Math.abs(serverTimeMs - Date.now())).toBeLessThan(skewAllowedMs);
    expect(await client.health()).toMatchObject({ isWell: true });
    const [quote] = await client.quotes(["ETHUSD"]);
    const price = quote?.ask ?? 0;
    const onTick = (level: number): number => Number(level.toFixed(2));
    const entry = { trade_pair: "ETHUSD", order_type: "LONG", value: 1000 } as const;
    const legs: readonly BracketLegRequest[] = [
      { stop_loss: onTick(price * 0.87654321), take_profit: onTick(price * 1.23456789) },
      { trailing_percent: 0.0512345 },
      { trailing_value: onTick(price / 7) },
    ];
    const trades: readonly OrderRequest["trade"][] = [
      { ...entry, execution_type: "MARKET", bracket_orders: legs },
      {
        ...entry,
        execution_type: "LIMIT",
        limit_price: onTick(price * 0.95),
        bracket_orders: legs,
      },
      { ...entry, execution_type: "MARKET", trailing_stop: { trailing_percent: 0.05 } },
      { execution_type: "BRACKET", trade_pair: "ETHUSD", bracket_orders: legs },
      { execution_type: "BRACKET", trade_pair: "ETHUSD", stop_loss: onTick(price / 2) },
      { execution_type: "LIMIT_CANCEL", trade_pair: "ETHUSD", order_uuid: "ALL" },
    ];
    for (const trade of trades) {
      const outcome = await client.placeOrder({ trade });
      expect(outcome, JSON.stringify(trade)).toMatchObject({ fate: "accepted" });
      const { nonce } = outcome;
      expect(await client.receipt(nonce)).toMatchObject({ fate: "accepted", nonce });
      expect(await client.settle(nonce)).toMatchObject({ fate: "accepted", nonce });
    }
  });

  test("the bot of examples/ has at most thirty lines, as the guide says", () => {
    expect(readText(BOT).trimEnd().split("\n").length).toBeLessThanOrEqual(BOT_LINES_MAX);
  });

  test("the bot trades at a service as npm start starts it", async () => {
    const pair = { PAIR: "SOLUSD" };
    expect(await run(BOT, pair)).toMatch(/^bought \d\S+ SOLUSD at \d/);
    expect(await run(BOT, pair)).toMatch(/^holding \d\S+ SOLUSD, stop at \d/);
  });
});

import { beforeAll, expect, test } from "vitest";
import {
  openUnsentFiguresServer,
  type UnsentFiguresServer,
} from "../../../../server/src/testing/unsent-figures.ts";
import { type CliSandbox, openCliSandbox } from "../../testing/cli-sandbox.ts";
import { type CliResult, runCli } from "../../testing/run-cli.ts";

let sandbox: CliSandbox;
let network: UnsentFiguresServer;

beforeAll(async () => {
  sandbox = await openCliSandbox();
  await sandbox.control("/quotes", [
    { pair: "BTCUSD", bid: 50_000, ask: 50_010 },
    { pair: "ETHUSD", bid: 3_000, ask: 3_001 },
  ]);
  const long = ["long", "--quantity", "0.1", "--yes"] as const;
  await sandbox.json("order", "market", "BTCUSD", ...long);
  await sandbox.json("order", "flat", "--yes");
  await sandbox.json("order", "market", "ETHUSD", ...long);
  network = await openUnsentFiguresServer(sandbox.baseUrl);
  return async () => {
    await network.close();
    await sandbox.close();
  };
});

const run = (...given: readonly string[]): Promise<CliResult> =>
  runCli(given, { env: { ...sandbox.env, PROPGATE_BASE_URL: network.url } });

test.each([
  ["account", ["balance  "]],
  ["positions", ["ETH/USD"]],
  ["trades", ["BTC/USD"]],
  ["payouts", ["closed and not yet paid"]],
  ["instruments", ["BTC/USD"]],
  ["watch --once", ["equity"]],
])("%s shows a figure that the network did not send as --", async (command, parts) => {
  const { code, stdout, stderr } = await run(...command.split(" "));
  expect([code, stderr]).toEqual([0, ""]);
  for (const part of parts) expect(stdout).toContain(part);
  expect(stdout).toContain("--");
  expect(stdout).not.toMatch(/NaN|null|undefined|Infinity/);
});

test("the JSON of a figure that the network did not send is null, and CSV has an empty cell", async () => {
  const json = await run("account", "--json");
  expect(JSON.parse(json.stdout)).toMatchObject({ account: { currentBalance: null } });
  const csv = await run("trades", "--csv");
  expect(csv.stdout).not.toMatch(/NaN|null|undefined/);
});

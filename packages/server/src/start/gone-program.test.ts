import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@propgate/sdk";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { readSettings } from "../../../base/src/config.ts";
import { makeTemporaryFolder } from "../testing/temporary-folder.ts";
import { startService } from "./start-service.ts";

const OPERATOR_TOKEN = "op_gone_program_0123456789abcdef0123";
const PROGRAMS = new URL("../../../market/data/programs.json", import.meta.url);
const LONG = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.01,
} as const;
const READS = [
  "account",
  "positions",
  "pendingOrders",
  "trades",
  "payouts",
  "instruments",
  "quotes",
  "events",
  "orderHistory",
  "fills",
] as const;

interface Made {
  readonly accountId: string;
  readonly keyId: string;
  readonly secret: string;
}

test("an account of a program that the file has no longer is read and trades as before, and the program is still sold [D7.versions]", async () => {
  const dataDir = await makeTemporaryFolder();
  const folder = await makeTemporaryFolder();
  const own = JSON.parse(await readFile(PROGRAMS, "utf8")) as {
    readonly programs: readonly { readonly id: string; readonly version: number }[];
  };
  const [classic] = own.programs;
  const both = join(folder, "both.json");
  const gold = { ...classic, id: "gold", version: 1 };
  await writeFile(both, JSON.stringify({ ...own, programs: [...own.programs, gold] }));

  const before = await start(dataDir, both);
  const [sold, other] = [await before.open("gold"), await before.open("classic")];
  for (const key of [sold, other]) {
    const client = createClient({ ...key, baseUrl: before.baseUrl });
    await eventually(async () => expect((await client.quotes()).length).toBeGreaterThan(0));
    const placed = await client.placeOrder({ trade: { ...LONG, stop_loss: 1 } });
    expect(placed).toMatchObject({ fate: "accepted" });
  }
  await before.stop();

  const after = await start(dataDir, null);
  for (const key of [sold, other]) {
    const client = createClient({ ...key, baseUrl: after.baseUrl });
    for (const read of READS)
      expect([read, await client[read]()]).toEqual([read, expect.anything()]);
    expect((await client.positions()).length).toBe(1);
    await eventually(async () => {
      const placed = await client.placeOrder({ trade: LONG });
      expect(placed).toMatchObject({ fate: "accepted" });
    });
  }
  const at = `/accounts/${sold.accountId}`;
  expect(await after.operator(`/accounts?q=${sold.accountId}`)).toMatchObject({
    items: [{ programId: "gold", programVersion: 1 }],
  });
  expect(await after.operator("/programs/gold")).toMatchObject({ versions: [{ version: 1 }] });
  expect(await after.operator(`${at}/promote`, { phase: "challenge" })).toMatchObject({
    accountId: sold.accountId,
  });
  expect(await after.open("gold")).toMatchObject({ accountId: expect.any(String) });
});

async function start(dataDir: string, programsPath: string | null) {
  const given = { port: "0", dataDir, logLevel: "silent", operatorToken: OPERATOR_TOKEN };
  const reading = readSettings({}, programsPath === null ? given : { ...given, programsPath });
  if (!reading.ok) throw new Error(reading.problems.join("; "));
  const service = await startService(reading.settings);
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await service.stop();
    isStopped = true;
  };
  onTestFinished(stop);
  const operator = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${service.operatorUrl}/operator/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const answer = (await response.json()) as { readonly data: unknown };
    expect([path, response.status, answer]).toEqual([path, 200, expect.anything()]);
    return answer.data;
  };
  return {
    baseUrl: service.baseUrl,
    operator,
    stop,
    /** Opens an account of this program, and creates its key. */
    async open(program: string): Promise<Made> {
      const { accountId } = (await operator("/accounts", {
        size: 100_000,
        programId: program,
      })) as Made;
      const key = await operator("/keys", {
        accountId,
        label: "bot",
        scopes: ["trade:read", "trade:place"],
      });
      return { ...(key as Made), accountId };
    },
  };
}

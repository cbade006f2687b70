import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, resultOf } from "@propgate/sdk";
import { openServiceDatabaseWithoutMigration } from "@propgate/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { openWebhookReceiver } from "../../../server/src/testing/webhook-receiver.ts";
import { startCli, startCliHere } from "../testing/background-cli.ts";
import { runCli } from "../testing/run-cli.ts";

describe("propgate sandbox", () => {
  test("propgate sandbox prints one line of JSON with all that a caller needs, and trades at given prices", async () => {
    const start = "2026-01-05T12:00:00Z";
    const running = await startCli(["sandbox", "--port", "0", "--start", start, "--seed", "7"]);
    const ready = JSON.parse(running.firstLine) as Record<string, string>;
    expect(Object.keys(ready)).toEqual([
      "baseUrl",
      "controlUrl",
      "controlToken",
      "accountId",
      "keyId",
      "secret",
    ]);
    const { baseUrl = "", controlUrl = "", controlToken = "", keyId = "", secret = "" } = ready;
    const control = async (path: string, body: unknown): Promise<unknown> => {
      const response = await fetch(`${controlUrl}${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${controlToken}` },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(200);
      return response.json();
    };
    await control("/quotes", [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]);
    const now = (): number => Date.parse(start);
    const client = createClient({ baseUrl, keyId, secret, now });
    const trade = {
      execution_type: "MARKET",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      quantity: 0.1,
    } as const;
    const placed = resultOf(await client.placeOrder({ trade }));
    expect(placed.order).toMatchObject({ filled: true, quantity: 0.1 });
    expect(await control("/clock", { advance: 1000 })).toEqual({ now: Date.parse(start) + 1000 });
    expect(running.said().stdout.trim().split("\n")).toHaveLength(1);
    expect(await running.stop()).toBe(0);
  });

  test("the headers and texts of a sandbox have the configured names [D1.brand] [D1.network]", async () => {
    const start = "2026-01-05T12:00:00Z";
    const env = { PROPGATE_BRAND: "Acme", PROPGATE_NETWORK_NAME: "Foonet", PROPGATE_PORT: "" };
    const running = await startCliHere(["sandbox", "--start", start], { env });
    const { baseUrl = "", keyId = "", secret = "" } = JSON.parse(running.firstLine);
    const client = createClient({
      baseUrl,
      keyId,
      secret,
      brand: "Acme",
      now: () => Date.parse(start),
    });
    expect((await client.account()).accountSize).toBe(100_000);
    const openApi = await (await fetch(`${baseUrl}/api/v1/openapi.json`)).text();
    expect(openApi).toContain("X-Acme-Key-Id");
    expect(openApi).toContain("Foonet");
    expect(openApi).not.toContain("X-Service-");
  });

  test("a setting that a sandbox does not read is refused with the option to use [D8.sandboxSettings]", async () => {
    const env = { PROPGATE_PROGRAMS: "firm.json", PROPGATE_KEY_ID: "pk_1" };
    expect(await runCli(["sandbox"], { env })).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("PROPGATE_PROGRAMS is not read by a sandbox: use --programs"),
    });
  });

  test("a file of programs that is not there is refused by its name", async () => {
    const { code, stderr } = await runCli(["sandbox", "--programs", "/nowhere/firm.json"]);
    expect([code, stderr]).toEqual([5, "propgate: /nowhere/firm.json cannot be read\n"]);
  });

  test("the data folder of a service is refused, and left as it was", async () => {
    const data = await mkdtemp(join(tmpdir(), "propgate-service-"));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    const place = { databaseUrl: null, dataDir: data };
    await (await openServiceDatabaseWithoutMigration(place)).close();
    const before = await readdir(data);
    const { code, stderr } = await runCli(["sandbox", "--data", data]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`propgate: ${data} is the data folder of a service\n`),
    ]);
    expect(await readdir(data)).toEqual(before);
  });

  test("a brand that can be no header is refused by its flag [D1.brand]", async () => {
    const { code, stderr } = await runCli(["sandbox", "--brand", "a b"]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("--brand must be a word of 1 to 32 letters and digits"),
    ]);
  });

  test("propgate sandbox that was killed with -9 goes on where its folder stands, with what it has answered", async () => {
    const data = await mkdtemp(join(tmpdir(), "propgate-sandbox-"));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    const given = ["sandbox", "--port", "0", "--start", "2026-01-05T12:00:00Z", "--data", data];
    const now = (): number => Date.parse("2026-01-05T13:00:00Z");
    const run = async () => {
      const running = await startCli(given);
      const ready = JSON.parse(running.firstLine) as Record<string, string>;
      const { baseUrl = "", controlUrl = "", controlToken = "", keyId = "", secret = "" } = ready;
      const control = (path: string, body: unknown) =>
        fetch(`${controlUrl}${path}`, {
          method: "POST",
          headers: { Authorization: `Bearer ${controlToken}` },
          body: JSON.stringify(body),
        });
      return { running, control, client: createClient({ baseUrl, keyId, secret, now }) };
    };
    const before = await run();
    await before.control("/clock", { advance: 3_600_000 });
    await before.control("/quotes", [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]);
    const trade = {
      execution_type: "MARKET",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      quantity: 0.1,
    } as const;
    const placed = resultOf(await before.client.placeOrder({ trade }));
    expect(await before.running.stop("SIGKILL")).toBe(null);

    const after = await run();
    const [position] = await after.client.positions();
    expect(position).toMatchObject({ positionUuid: placed.order_uuid, netQuantity: 0.1 });
    expect((await after.control("/clock", { advance: 0 })).status).toBe(200);
    expect(before.running.said().stderr).not.toContain("--start");
    expect(after.running.said().stderr).toContain(
      `--start was not used: the sandbox in ${data} goes on at 2026-01-05T13:00:00.000Z`,
    );
    expect(await after.running.stop()).toBe(0);
  });

  test("propgate sandbox --network vanta trades on a linked account at the stand-in's prices", async () => {
    const running = await startCliHere(["sandbox", "--network", "vanta", "--operator"]);
    const ready = JSON.parse(running.firstLine) as Record<string, string>;
    const { baseUrl = "", controlUrl = "", controlToken = "" } = ready;
    const { linkedAccountId, linkedKeyId: keyId = "", linkedSecret: secret = "" } = ready;
    const receiver = await openWebhookReceiver();
    onTestFinished(() => receiver.close());
    await fetch(`${baseUrl}/operator/v1/webhooks`, {
      method: "POST",
      headers: { Authorization: `Bearer ${ready.operatorToken ?? ""}` },
      body: JSON.stringify({ url: receiver.url, from: "start", accountId: linkedAccountId }),
    });
    const control = async (path: string, body: unknown): Promise<unknown> => {
      const response = await fetch(`${controlUrl}${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${controlToken}` },
        body: JSON.stringify(body),
      });
      return response.json();
    };
    const quote = (price: number): Promise<unknown> =>
      control("/quotes", [{ pair: "BTCUSDC", bid: price, ask: price }]);
    expect(await quote(50_000)).toMatchObject({ quotes: 0, atValidator: 1 });
    let aheadMs = 0;
    const client = createClient({ baseUrl, keyId, secret, now: () => Date.now() + aheadMs });
    expect(await client.account()).toMatchObject({
      accountId: linkedAccountId,
      accountSize: 100_000,
    });
    const entry = { trade_pair: "BTCUSDC", order_type: "LONG", quantity: 0.5 } as const;
    const market = { execution_type: "MARKET", ...entry, stop_loss: 49_000 } as const;
    const placed = resultOf(await client.placeOrder({ trade: market }));
    expect(placed.order).toMatchObject({ filled: true, price: 50_000 });
    expect(await client.positions()).toMatchObject([{ netQuantity: 0.5, stopLoss: 49_000 }]);

    await quote(48_900);
    await control("/clock", { advance: 10_001 });
    aheadMs = 10_001;
    expect(await client.positions()).toEqual([]);
    expect(await client.trades()).toMatchObject([{ tradePair: "BTCUSDC", positionType: "LONG" }]);
    const events = client.events({ after: 0 }, { until: "head" });
    const seen: (readonly unknown[])[] = [];
    for await (const { type, cause, observed } of events) seen.push([type, cause.by, observed]);
    expect(events.verified).toBe(true);
    expect(seen).toEqual([
      ["account.opened", "operator", true],
      ["order.filled", "key", true],
      ["legs.attached", "key", true],
      ["order.filled", "validator", true],
      ["position.closed", "validator", true],
    ]);
    await eventually(() =>
      expect(receiver.received.map(({ sequence, type }) => [sequence, type])).toEqual(
        seen.map(([type], index) => [index + 1, type]),
      ),
    );
    const opened = (await control("/subaccounts", { size: 50_000 })) as Record<string, string>;
    expect(Object.keys(opened)).toEqual(["accountId", "subaccount"]);
    expect(await control("/quotes", [{ pair: "NOPE", bid: 1, ask: 1 }])).toEqual({
      error: "[0].pair: NOPE is not in the catalogue",
    });
    expect(await running.stop()).toBe(0);
  });

  test.each([
    [["--network", "vanta", "--clock", "frozen"], "--network vanta needs --clock real"],
    [["--network", "vanta", "--start", "2026-01-05T12:00:00Z"], "--network vanta takes no --start"],
    [["--network", "vanta", "--data", "/tmp/nowhere"], "--network vanta takes no --data"],
    [["--network", "other"], "embedded, vanta"],
    [["--start", "yesterday"], "--start is not a time"],
    [["--start", "1726000000"], "1726000000 looks like seconds"],
    [
      ["--start", "2150-01-01"],
      "--start must be a time in Unix milliseconds between 2000 and 2100",
    ],
    [["--clock", "slow"], "frozen, real"],
    [["--port", "-1"], "--port must be"],
  ])("propgate sandbox %j ends with 2, and what is wrong is named", async (given, words) => {
    const { code, stdout, stderr } = await runCli(["sandbox", ...given]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(words);
  });
});

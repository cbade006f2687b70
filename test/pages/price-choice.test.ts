import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@propgate/sdk";
import { readSettings, startService } from "@propgate/server";
import { beforeAll, describe, expect, test } from "vitest";
import { createDashboardClient } from "../../packages/server/src/testing/dashboard-client.ts";
import { coinbaseProtocol } from "../../packages/server/src/testing/venues/coinbase.ts";
import { krakenProtocol } from "../../packages/server/src/testing/venues/kraken.ts";
import { openLocalVenue } from "../../packages/server/src/testing/venues/local-venue.ts";
import { eventually } from "../eventually.ts";
import { accessibilityFaults, sidewaysOverflow } from "./accessibility.ts";
import { closeBrowser, hasBrowser, openVisit, PHONE, sessionOf } from "./browser.ts";
import { linkToken, PAGES_PASSWORD } from "./paged-service.ts";

describe.skipIf(!hasBrowser())("the choice of a price source in a browser [D13.farPrice]", () => {
  beforeAll(() => closeBrowser);

  test("the choice of a price source shows both prices and whom the new one reaches, and a far one needs a second yes", async () => {
    await using stack = new AsyncDisposableStack();
    const markets = ["BTC/USD"];
    const kraken = await openLocalVenue({ protocol: krakenProtocol, markets });
    stack.defer(() => kraken.close());
    const coinbase = await openLocalVenue({ protocol: coinbaseProtocol, markets });
    stack.defer(() => coinbase.close());
    const dataDir = await mkdtemp(join(tmpdir(), "propgate-choice-"));
    stack.defer(() => rm(dataDir, { recursive: true, force: true }));
    const reading = readSettings(
      {},
      {
        port: "0",
        dataDir,
        logLevel: "silent",
        prices: "crypto=kraken,coinbase",
        priceUrls: `kraken=${kraken.origin},coinbase=${coinbase.origin}`,
      },
    );
    if (!reading.ok) throw new Error(reading.problems.join("; "));
    const service = await startService(reading.settings);
    stack.defer(() => service.stop());
    const { firstKey, firstLinks, baseUrl } = service;
    if (firstKey === null) throw new Error("a first start makes a first key");
    const client = createClient({ baseUrl, keyId: firstKey.keyId, secret: firstKey.secret });
    const long = {
      execution_type: "MARKET",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      leverage: 0.1,
      stop_loss: 49_000,
    } as const;
    const origin = baseUrl.replace("//127.0.0.1", "//localhost");
    const operator = createDashboardClient({ port: Number(new URL(origin).port), origin });
    const token = linkToken(firstLinks.find(({ name }) => name === "operator")?.url ?? "");
    await operator.data("POST", "/link/use", { token, password: PAGES_PASSWORD });
    const visit = await openVisit(origin, PHONE, sessionOf(origin, operator.cookie()));
    stack.defer(() => visit.close());
    const { page } = visit;
    await page.goto("/console/prices");
    await page.getByRole("button", { name: "Sources of BTCUSD" }).click();
    // The table for wide windows is on the page too, but hidden.
    const pairs = page.getByRole("list", { name: "Prices by pair" });
    const quote = (price: number): void => {
      kraken.quote("BTC/USD", 50_000, 50_010);
      coinbase.quote("BTC/USD", price, price + 10);
    };
    await eventually(async () => {
      quote(50_000);
      expect(await pairs.getByText("in use").isVisible()).toBe(true);
    });
    expect(await client.placeOrder({ trade: long })).toMatchObject({ fate: "accepted" });
    await eventually(async () => {
      quote(45_000);
      expect(await pairs.getByText("differ by more than the limit").isVisible()).toBe(true);
      expect(await pairs.getByText("in use").count()).toBe(0);
    });
    await page.getByRole("button", { name: "Use coinbase for BTC/USD" }).click();
    const choosing = page.getByRole("dialog", { name: "Use coinbase for BTC/USD" });
    await eventually(async () => {
      quote(45_000);
      expect(await choosing.getByText("-10 %").isVisible()).toBe(true);
      expect(await choosing.getByText("1 in 1 account", { exact: true }).isVisible()).toBe(true);
    });
    const use = choosing.getByRole("button", { name: "Use", exact: true });
    expect(await use.isDisabled()).toBe(true);
    expect(await sidewaysOverflow(page)).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    quote(45_000);
    await choosing.getByRole("checkbox").check();
    await use.click();
    await choosing.waitFor({ state: "detached" });
    await eventually(async () => {
      quote(45_000);
      expect(await client.positions()).toEqual([]);
    });
    expect(visit.complaints).toEqual([]);
  });
});

import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../../packages/server/src/testing/harness.ts";
import {
  createOperatorClient,
  type OperatorClient,
} from "../../packages/server/src/testing/operator-client.ts";
import { closeBrowser, DESKTOP, hasBrowser, openVisit, sessionOf, type Visit } from "./browser.ts";
import { readPagesMount } from "./read-pages-mount.ts";

describe.skipIf(!hasBrowser())("an answer that is late, lost or old", () => {
  let service: Harness;
  let desk: OperatorClient;
  let visit: Visit;
  let page: Page;

  beforeAll(() => closeBrowser);
  beforeAll(async () => {
    service = await openHarness({ mount: await readPagesMount() });
    desk = createOperatorClient(service);
    return () => service.close();
  });
  beforeEach(async () => {
    const person = await service.signIn("operator");
    const url = `http://localhost:${service.port}`;
    visit = await openVisit(url, DESKTOP, sessionOf(url, person.cookie()));
    page = visit.page;
    return () => visit.close();
  });

  test("an account whose opening got no answer is opened once, however often the operator tries", async () => {
    await page.goto("/console/accounts");
    await page.getByRole("button", { name: "Open an account" }).click();
    const dialog = page.getByRole("dialog", { name: "Open an account" });
    await dialog.getByLabel("Owner id").fill("owner-of-a-lost-answer");
    let lost = 0;
    await page.route("**/dashboard/v1/operator/accounts", async (route) => {
      if (lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    const open = dialog.getByRole("button", { name: "Open account" });
    await open.click();
    await dialog.getByText("The service cannot be reached").waitFor();
    await open.click();
    await dialog.getByText("The account is open.").waitFor();
    const { items } = await desk.data("GET", "/accounts?ownerId=owner-of-a-lost-answer");
    expect([lost, items]).toEqual([1, [expect.anything()]]);
  });

  test("figures that cannot be loaded again are marked as old until they can", async () => {
    await page.goto("/console");
    await page.getByText("Up to date").waitFor();
    await page.route("**/dashboard/v1/operator/health", (route) => route.abort());
    await page.getByText("Not up to date: The service cannot be reached").waitFor();
    await page.getByText(/^ ?Loaded \d+ (s|min) ago\.$/).waitFor();
    await page.getByText("Up to date", { exact: true }).waitFor();
    await page.unroute("**/dashboard/v1/operator/health");
    await page.locator("[data-not-renewed]").waitFor({ state: "detached" });
  });

  test("the console's search opens no result of an earlier text", async () => {
    await page.goto("/console");
    const search = page.getByRole("combobox", { name: /^Search accounts/ });
    await search.fill(service.accountId.slice(0, 8));
    await page.getByRole("option", { name: service.accountId }).waitFor();
    await page.route("**/dashboard/v1/operator/search?*", () => undefined);
    await search.fill("another text");
    await search.press("Enter");
    await page.getByRole("option", { name: service.accountId }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console");
  });

  test("the console's search says that it lists only the first accounts, and opens all that match", async () => {
    for (let count = 1; count <= 9; count += 1) {
      await desk.data("POST", "/accounts", { size: 10_000, ownerId: `owner-of-many-${count}` });
    }
    await page.goto("/console");
    const search = page.getByRole("combobox", { name: /^Search accounts/ });
    await search.fill("owner-of-many");
    await page.getByRole("option", { name: "All matching accounts" }).click();
    await page.waitForURL("**/console/accounts?q=owner-of-many");
    await page.getByText("Accounts: 9 in all").waitFor();
  });

  test("the price panel shows no candles of another pair while those of its own are loading", async () => {
    await service.quote("BTCUSD", 50_000, 50_010);
    await service.quote("EURUSD", 1.1, 1.1001);
    for (const trade_pair of ["BTCUSD", "EURUSD"]) {
      const size = { order_type: "LONG", leverage: 0.2 };
      const { status } = await service.order({ execution_type: "MARKET", trade_pair, ...size });
      expect(status).toBe(200);
    }
    await page.goto(`/a/${service.accountId}`);
    const panel = page.getByRole("region", { name: "Price", exact: true });
    await panel.getByRole("button", { name: "BTC/USD" }).click();
    await panel.locator("[data-candles]").waitFor();
    await page.route("**/dashboard/v1/candles?tradePair=EURUSD*", () => undefined);
    await panel.getByRole("button", { name: "EUR/USD" }).click();
    await panel.getByText("EUR/USD, bid prices").waitFor();
    expect(await panel.locator("[data-candles]").count()).toBe(0);
  });

  test("a list whose answer was cut in its body is loaded again", async () => {
    await page.addInitScript(() => {
      const real = window.fetch;
      let count = 0;
      window.fetch = async (input, init) => {
        const response = await real(input, init);
        if (typeof input !== "string" || !input.endsWith("/trades")) return response;
        count += 1;
        if (count > 1) return response;
        const cut = new ReadableStream({ start: (body) => body.error(new TypeError("cut")) });
        return new Response(cut, response);
      };
    });
    await page.goto(`/a/${await service.newAccount()}/trades`);
    await page.getByText("No closed trades").waitFor();
    expect(visit.complaints).toEqual([]);
  });

  test("the pages of a closed account say so, and show no loss that is left", async () => {
    const closed = await service.newAccount();
    await desk.data("POST", `/accounts/${closed}/close`, {});
    await page.goto(`/a/${closed}`);
    await page.getByText("This account is closed.").waitFor();
    await page.getByRole("heading", { level: 1, name: "This account has ended" }).waitFor();
    await page.getByText("Over the life of the account equity went from").waitFor();
    for (const text of ["Left today", "its return is known at 00:00 UTC"])
      expect(await page.getByText(text).count()).toBe(0);
    expect(await page.title()).toBe("Overview · Propgate");
    await page.goto(`/a/${closed}/payouts`);
    await page.getByText("The account is closed. Closed weeks are still paid.").waitFor();
    expect(visit.complaints).toEqual([]);
  });
});

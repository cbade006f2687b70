import type { Account } from "@propgate/sdk";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { moneyText } from "../../packages/dashboard/src/format/numbers.ts";
import { type Harness, openHarness } from "../../packages/server/src/testing/harness.ts";
import { eventually } from "../eventually.ts";
import { closeBrowser, DESKTOP, hasBrowser, openVisit, sessionOf, type Visit } from "./browser.ts";
import { readPagesMount } from "./read-pages-mount.ts";

/**
 * The maximum order of one pair: 250,000 USD, so a fall of the price by 2 % is the loss of 5 % that ends the account.
 */
const BUY = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  leverage: 2.5,
} as const;
const PRICE = 50_000;
const STEP = 100;

describe.skipIf(!hasBrowser())("an account that runs into its limit, watched live", () => {
  let service: Harness;
  let visit: Visit;
  let page: Page;

  beforeAll(() => closeBrowser);
  beforeAll(async () => {
    service = await openHarness({ mount: await readPagesMount() });
    return () => service.close();
  });
  beforeAll(async () => {
    await service.quote("BTCUSD", PRICE, PRICE);
    const url = `http://localhost:${service.port}`;
    visit = await openVisit(url, DESKTOP, sessionOf(url, (await service.signIn("owner")).cookie()));
    page = visit.page;
    await page.goto(`/a/${service.accountId}`);
    return () => visit.close();
  });

  test("the bar fills, and the end arrives in words without the page being loaded again", async () => {
    await page.evaluate(() => document.body.setAttribute("data-loaded-once", "yes"));
    expect((await service.order(BUY)).status).toBe(200);
    const bar = page.getByRole("meter", { name: "Maximum loss limit, used" });
    const ended = page.getByRole("region", { name: "Account end" });
    const seen: string[] = [];
    for (let price = PRICE - STEP; ; price -= STEP) {
      const shown = await eventually(async () => {
        // Time passes while the test waits for the page, and a stale price would not be judged.
        await service.quote("BTCUSD", price, price);
        await service.time.pass(1_000);
        if (await ended.isVisible()) return null;
        // This read does not wait. Before the data arrives the page has no bar, and after the account has ended it has
        // none either.
        const [now] = await bar.evaluateAll((bars) =>
          bars.map(
            (one) => `${one.getAttribute("data-strain")} ${one.getAttribute("aria-valuenow")}`,
          ),
        );
        expect(now ?? seen.at(-1)).not.toBe(seen.at(-1));
        return now ?? null;
      });
      if (shown === null) break;
      seen.push(shown);
    }
    expect(seen.length).toBeGreaterThan(5);
    const strains = new Set(seen.map((one) => one.split(" ")[0]));
    expect([...strains]).toEqual(["ok", "notice", "warn", "danger"]);
    expect(await page.locator("body").getAttribute("data-loaded-once")).toBe("yes");

    // The page shows the reason and the figures of the API.
    const reply = await service.get("account");
    const { data } = reply.json() as { readonly data: Account };
    const { elimination, evaluation, account } = data;
    expect(evaluation.isEliminated).toBe(true);
    await ended.getByText(elimination?.reason ?? "no reason", { exact: true }).waitFor();
    const equity = page.locator('[data-field="account.currentEquity"]').first();
    await eventually(async () => {
      expect(await equity.textContent()).toBe(`${moneyText(account.currentEquity)} USD`);
    });
    expect(account.openPositions).toBe(0);
    expect(visit.complaints).toEqual([]);
  });
});

import { resultOf } from "@propgate/sdk";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { moneyText } from "../../packages/dashboard/src/format/numbers.ts";
import { eventually, until } from "../eventually.ts";
import { closeBrowser, DESK, hasBrowser, openVisit, type Visit } from "./browser.ts";
import { openPagedService, type PagedService } from "./paged-service.ts";

/** The fall takes 19 seconds to the limit, so every color of the bar stays for seconds. */
const SPEED = 500;
/** As much as one pair may have: two percent of the price are the five that end the account. */
const LEVERAGE = 2.5;

describe.skipIf(!hasBrowser())("an account that runs into its limit, watched live", () => {
  let service: PagedService;
  let visit: Visit;
  let page: Page;

  beforeAll(() => closeBrowser);
  beforeAll(async () => {
    service = await openPagedService(SPEED, "falling");
    return () => service.stop();
  });
  beforeAll(async () => {
    visit = await openVisit(service.pagesUrl, DESK, await service.signIn("owner"));
    page = visit.page;
    await page.goto(`/a/${service.accountId}`);
    return () => visit.close();
  });

  test("the bar fills, and the end arrives in words without the page being loaded again", async () => {
    await page.evaluate(() => document.body.setAttribute("data-loaded-once", "yes"));
    resultOf(
      await service.client.placeOrder({
        trade: {
          execution_type: "MARKET",
          trade_pair: "BTCUSD",
          order_type: "LONG",
          leverage: LEVERAGE,
        },
      }),
    );
    const bar = page.getByRole("meter", { name: "Maximum loss limit, used" });
    const seen = new Set<string>();
    const ended = page.getByRole("region", { name: "Account end" });
    await until(async () => {
      // Without a wait: the page that shows the end has no bar.
      const [used, strain] = await bar.evaluateAll(([shown]) => [
        shown?.getAttribute("aria-valuenow"),
        shown?.getAttribute("data-strain"),
      ]);
      if (used && strain) seen.add(`${strain} ${Math.round(Number(used))}`);
      return ended.isVisible();
    });
    const strains = new Set([...seen].map((one) => one.split(" ")[0]));
    expect(seen.size).toBeGreaterThan(5);
    expect([...strains]).toEqual(expect.arrayContaining(["ok", "notice"]));
    expect(await page.locator("body").getAttribute("data-loaded-once")).toBe("yes");

    // With the API's reason and figures.
    const { elimination, evaluation, account } = await service.client.account();
    expect(evaluation.isEliminated).toBe(true);
    const card = page.getByRole("region", { name: "Account end" });
    await card.getByText(elimination?.reason ?? "no reason", { exact: true }).waitFor();
    const equity = page.locator('[data-field="account.currentEquity"]').first();
    await eventually(async () => {
      expect(await equity.textContent()).toBe(`${moneyText(account.currentEquity)} USD`);
    });
    expect(account.openPositions).toBe(0);
    expect(visit.complaints).toEqual([]);
  });
});

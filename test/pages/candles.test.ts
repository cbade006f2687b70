import { AxeBuilder } from "@axe-core/playwright";
import { roundedPrice } from "@propgate/contract";
import { resultOf } from "@propgate/sdk";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  closeBrowser,
  DESK,
  DESK_LIGHT,
  hasBrowser,
  openVisit,
  PHONE,
  type Visit,
} from "./browser.ts";
import { openPagedService, type PagedService, signIn, useLink } from "./paged-service.ts";

const SPEED = 600;
const LOOKS = [
  ["dark", DESK],
  ["light", DESK_LIGHT],
  ["on a phone", PHONE],
] as const;

describe.skipIf(!hasBrowser())("the price charts of the pages [D9.candles]", () => {
  let service: PagedService;

  beforeAll(async () => {
    service = await openPagedService(SPEED);
    resultOf(
      await service.client.placeOrder({
        trade: {
          execution_type: "MARKET",
          trade_pair: "BTCUSD",
          order_type: "LONG",
          leverage: 0.5,
          stop_loss: 30_000,
          take_profit: 90_000,
        },
      }),
    );
    const visit = await openVisit(service.pagesUrl);
    await useLink(visit.page, service.link("owner"));
    await visit.close();
  });
  afterAll(async () => {
    await closeBrowser();
    await service.stop();
  });

  const open = async (path: string, look = DESK): Promise<Visit> => {
    const visit = await openVisit(service.pagesUrl, look);
    await signIn(visit.page, "owner");
    await visit.page.goto(`/a/${service.accountId}${path}`);
    return visit;
  };
  const caption = (page: Page) => page.locator("[data-candles]");
  const drawChart = async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: "Price chart of BTC/USD" }).click();
    await caption(page).waitFor();
  };

  test("positions read no candles until a chart is opened, and then what the API answers", async () => {
    const visit = await open("/positions");
    const { page } = visit;
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.getByRole("button", { name: "Price chart of BTC/USD" }).waitFor();
    expect(requests.filter((url) => url.includes("candles"))).toEqual([]);
    await drawChart(page);
    expect(requests.filter((url) => url.includes("/candles?"))).toHaveLength(1);
    await page.getByRole("button", { name: "1d", exact: true }).click();
    await expect
      .poll(async () => {
        const shown = (await caption(page).innerText()).replaceAll(",", "");
        const candles = await service.client.candles({ tradePair: "BTCUSD", interval: "1d" });
        const highest = Math.max(...candles.map(({ bid }) => bid.high));
        const open = candles[0]?.bid.open ?? 0;
        const texts = [open, highest].map((price) =>
          roundedPrice(price, { tick: 0.01 }).toFixed(2),
        );
        return shown.includes("of 1 day") && texts.every((text) => shown.includes(text));
      })
      .toBe(true);
    for (const line of [/^Entry$/, /^Stop$/, /^Target$/, /^Breach: daily loss, maximum loss$/]) {
      await page.getByRole("figure").getByText(line).waitFor();
    }
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  test.each(LOOKS)("an opened chart is sound %s: axe, width, complaints", async (_, look) => {
    const visit = await open("/positions", look);
    await drawChart(visit.page);
    await visit.page.getByRole("img", { name: /^Candles of BTC\/USD/ }).waitFor();
    const { violations } = await new AxeBuilder({ page: visit.page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    const sideways = await visit.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(Math.max(0, sideways)).toBe(0);
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  test("the overview draws the price of the open position", async () => {
    const visit = await open("");
    const panel = visit.page.getByRole("region", { name: "Price", exact: true });
    await panel.getByRole("img", { name: /^Candles of BTC\/USD/ }).waitFor();
    expect(await panel.locator("[data-candles]").innerText()).toMatch(/bid went from [\d,.]+ to/);
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  test("without a candle the chart says when the first one begins", async () => {
    const visit = await openVisit(service.pagesUrl, PHONE);
    await signIn(visit.page, "owner");
    await visit.page.route("**/candles?*", (route) => route.fulfill({ json: { data: [] } }));
    await visit.page.goto(`/a/${service.accountId}/positions`);
    await visit.page.getByRole("button", { name: "Price chart of BTC/USD" }).click();
    await visit.page.getByText("No candles yet").waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });
});

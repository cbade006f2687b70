import { roundPrice } from "@propgate/contract";
import { resultOf } from "@propgate/sdk";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { accessibilityFaults, sidewaysOverflow } from "./accessibility.ts";
import {
  closeBrowser,
  DESKTOP,
  DESKTOP_LIGHT,
  hasBrowser,
  openVisit,
  PHONE,
  type Session,
  type Visit,
} from "./browser.ts";
import { openPagedService, type PagedService } from "./paged-service.ts";

const SPEED = 60;
const LOOKS = [
  ["dark", DESKTOP, "all"],
  ["light", DESKTOP_LIGHT, "only color-contrast"],
  ["on a phone", PHONE, "all but color-contrast"],
] as const;

type Candles = Awaited<ReturnType<PagedService["client"]["candles"]>>;

/** The price at which the candles open, and their highest price. */
function pricesOf(candles: Candles = []): readonly [opened: number, highest: number] {
  const [first] = candles;
  if (first === undefined) throw new Error("there are no candles yet");
  return [first.bid.open, Math.max(...candles.map(({ bid }) => bid.high))];
}

describe.skipIf(!hasBrowser())("the price charts of the pages [D9.candles]", () => {
  let service: PagedService;
  let owner: Session;

  beforeAll(() => closeBrowser);
  beforeAll(async () => {
    service = await openPagedService(SPEED);
    return () => service.stop();
  });
  beforeAll(async () => {
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
    owner = await service.signIn("owner");
  });

  const open = async (path: string, look = DESKTOP): Promise<Visit> => {
    const visit = await openVisit(service.pagesUrl, look, owner);
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
    expect(new Set(requests.filter((url) => url.includes("/candles?"))).size).toBe(1);
    const days: Candles[] = [];
    page.on("response", (response) => {
      if (!response.url().includes("interval=1d")) return;
      // The last response may arrive while the page closes, and then it has no body.
      void response.json().then(
        ({ data }) => days.push(data),
        () => undefined,
      );
    });
    await page.getByRole("button", { name: "1d", exact: true }).click();
    // The price goes on changing, so the page must show its own last answer and not a later one.
    await eventually(async () => {
      const shown = (await caption(page).innerText()).replaceAll(",", "");
      expect(shown).toContain("of 1 day");
      for (const price of pricesOf(days.at(-1))) {
        expect(shown).toContain(roundPrice(price, { tick: 0.01 }).toFixed(2));
      }
    });
    const [opened, highest] = pricesOf(days.at(-1));
    const later = pricesOf(await service.client.candles({ tradePair: "BTCUSD", interval: "1d" }));
    expect(later[0]).toBe(opened);
    expect(later[1]).toBeGreaterThanOrEqual(highest);
    for (const line of [/^Entry$/, /^Stop$/, /^Target$/, /^Breach: daily loss, maximum loss$/]) {
      await page.getByRole("figure").getByText(line).waitFor();
    }
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  test.each(LOOKS)(
    "an opened chart is sound %s: axe, width, complaints",
    async (_, look, rules) => {
      const visit = await open("/positions", look);
      await drawChart(visit.page);
      await visit.page.getByRole("img", { name: /^Candles of BTC\/USD/ }).waitFor();
      expect(await accessibilityFaults(visit.page, rules)).toEqual([]);
      expect(await sidewaysOverflow(visit.page)).toBe(0);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    },
  );

  test("the overview draws the price of the open position", async () => {
    const visit = await open("");
    const panel = visit.page.getByRole("region", { name: "Price", exact: true });
    await panel.getByRole("img", { name: /^Candles of BTC\/USD/ }).waitFor();
    expect(await panel.locator("[data-candles]").innerText()).toMatch(/bid went from [\d,.]+ to/);
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  test("the chart says when the first candle begins while there is none", async () => {
    const visit = await openVisit(service.pagesUrl, PHONE, owner);
    await visit.page.route("**/candles?*", (route) => route.fulfill({ json: { data: [] } }));
    await visit.page.goto(`/a/${service.accountId}/positions`);
    await visit.page.getByRole("button", { name: "Price chart of BTC/USD" }).click();
    await visit.page.getByText("No candles yet").waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });
});

import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../../packages/server/src/testing/harness.ts";
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
  sessionOf,
} from "./browser.ts";
import { readPagesMount } from "./read-pages-mount.ts";

const BUY = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 1,
} as const;

describe.skipIf(!hasBrowser())("a page of an account near its loss limit [D13.limitNotice]", () => {
  let service: Harness;
  let url: string;
  let session: Session;

  beforeAll(() => closeBrowser);
  beforeEach(async () => {
    service = await openHarness({ mount: await readPagesMount() });
    url = `http://localhost:${service.port}`;
    session = sessionOf(url, (await service.signIn("owner")).cookie());
    return () => service.close();
  });

  test.each([
    ["a desk", DESKTOP],
    ["a desk in light", DESKTOP_LIGHT],
    ["a phone", PHONE],
  ])(
    "a page of an account near its loss limit says so on %s from one half, in a banner from three quarters, in red from nine tenths, and the title follows",
    async (_name, look) => {
      const visit = await openVisit(url, look, session);
      const { page } = visit;
      await service.quote("BTCUSD", 50_000, 50_000);
      expect((await service.order(BUY)).status).toBe(200);
      await page.goto("/");
      const notice = page.locator("[data-near-limit]");

      // The account holds 1 BTC, has paid a fee of 15 USD, and may lose 5,000 USD.
      await fallsTo(page, 47_515.5, "\u22122,499.50 USD · Overview · Propgate");
      expect(await notice.count()).toBe(0);
      await fallsTo(page, 47_515, "\u22122,500.00 USD · Overview · Propgate");
      expect(await notice.getAttribute("data-near-limit")).toBe("notice");
      expect(await notice.textContent()).toBe(
        "Daily loss limit: half used. 2,500.00 USD left. Breach price: BTCUSD 45,015.00000 (bid), 5.26% away.",
      );
      expect([await accessibilityFaults(page), await sidewaysOverflow(page)]).toEqual([[], 0]);
      await fallsTo(page, 46_265, "\u22123,750.00 USD · Overview · Propgate");
      expect(await notice.getAttribute("data-near-limit")).toBe("warn");
      expect(await notice.textContent()).toBe(
        "Daily loss limit: three quarters used. 1,250.00 USD left. Breach price: BTCUSD 45,015.00000 (bid), 2.70% away.",
      );
      await fallsTo(page, 45_437.7, "422.70 USD left · Overview · Propgate");
      expect(await notice.getAttribute("data-near-limit")).toBe("danger");
      expect(await notice.getByRole("alert").textContent()).toBe(
        "Daily loss limit: nearly used up.",
      );
      expect([await accessibilityFaults(page), await sidewaysOverflow(page)]).toEqual([[], 0]);

      // The panel of the limit has the same figures, with the used part beside them.
      const limit = page.getByRole("region", { name: "Daily loss limit" });
      await limit.getByText("4.58 of 5 % used", { exact: true }).waitFor();
      expect(await limit.innerText()).toMatch(/^Daily loss\nnearly used up\n422\.70 USD left\n/);

      // The notice is on every page of the account.
      await page.goto(`/a/${service.accountId}/orders`);
      await notice.getByText("422.70 USD left").waitFor();
      await eventually(async () => {
        expect(await page.title()).toBe("422.70 USD left · Orders · Propgate");
      });
      await fallsTo(page, 50_515, "+500.00 USD · Orders · Propgate");
      expect(await notice.count()).toBe(0);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    },
  );

  /** Quotes the price, and waits until the page has this title. */
  async function fallsTo(page: Page, price: number, title: string): Promise<void> {
    await service.quote("BTCUSD", price, price);
    await eventually(async () => {
      await service.time.pass(1_000);
      expect(await page.title()).toBe(title);
    });
  }
});

import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../../packages/server/src/testing/harness.ts";
import { accessibilityFaults, sidewaysOverflow } from "./accessibility.ts";
import {
  closeBrowser,
  DESKTOP,
  hasBrowser,
  openVisit,
  PHONE,
  type Session,
  sessionOf,
} from "./browser.ts";
import { readPagesMount } from "./read-pages-mount.ts";

const MARKET = { execution_type: "MARKET", trade_pair: "BTCUSD" } as const;

describe.skipIf(!hasBrowser())("the fills of a trade on the page [D12.shortfall]", () => {
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
    ["a phone", PHONE],
  ])(
    "the trades page and the journal say on %s that a fill is smaller than its order, and why",
    async (_name, look) => {
      await service.quote("BTCUSD", 50_000, 50_000);
      const buy = { ...MARKET, order_type: "LONG", quantity: 0.1 };
      const sell = { ...MARKET, order_type: "SHORT", quantity: 0.3 };
      for (const trade of [buy, sell]) expect((await service.order(trade)).status).toBe(200);
      const words =
        "0.2 lots less than its size: an order against a position never opens the other side";
      const visit = await openVisit(url, look, session);
      const { page } = visit;
      await page.goto(`/a/${service.accountId}/trades`);
      await page.getByRole("button", { name: "Fills of" }).filter({ visible: true }).click();
      await page.getByText(`(${words})`).filter({ visible: true }).waitFor();
      expect([await accessibilityFaults(page), await sidewaysOverflow(page)]).toEqual([[], 0]);
      await page.goto(`/a/${service.accountId}/journal`);
      await page.getByText(words).filter({ visible: true }).first().waitFor();
      expect(visit.complaints).toEqual([]);
      await visit.close();
    },
  );
});

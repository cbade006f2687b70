import { createClient } from "@propgate/sdk";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { openEarningTrader } from "../../packages/server/src/testing/earning-trader.ts";
import { type Harness, openHarness } from "../../packages/server/src/testing/harness.ts";
import { createOperatorClient } from "../../packages/server/src/testing/operator-client.ts";
import { eventually } from "../eventually.ts";
import { closeBrowser, hasBrowser, openVisit, sessionOf, type Visit } from "./browser.ts";
import { readPagesMount } from "./read-pages-mount.ts";
import { apiAnswers, differingValues, type ShownValue, shownValues } from "./shown-values.ts";

const DAY_MS = 86_400_000;
const LONG = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 1,
} as const;
const PAYMENT = {
  status: "paid",
  rail: "bank",
  provider: "house-bank",
  reference: "SEPA-7",
  paidAmount: 969.7,
} as const;

describe.skipIf(!hasBrowser())("the pages of an account that has earned [S1.dashboard]", () => {
  let service: Harness;
  let visit: Visit;
  let page: Page;

  beforeAll(() => closeBrowser);
  beforeAll(async () => {
    service = await openHarness({ mount: await readPagesMount() });
    return () => service.close();
  });
  beforeAll(async () => {
    visit = await openVisit(`http://localhost:${service.port}`);
    page = visit.page;
    return () => visit.close();
  });

  type Trader = Awaited<ReturnType<typeof openEarningTrader>>;

  /** Signs the owner in. When a test lets weeks pass, the earlier session ends. */
  const signIn = async (): Promise<void> => {
    const owner = await service.signIn("owner");
    await visit.become(sessionOf(`http://localhost:${service.port}`, owner.cookie()));
  };
  /** The values that a page shows, once all of them are those of the API. */
  const shownAndCompared = async (
    { accountId, signer }: Trader,
    path: string,
    prepare: () => Promise<void> = async () => undefined,
  ): Promise<readonly ShownValue[]> => {
    const client = createClient({ ...signer, baseUrl: `http://127.0.0.1:${service.port}` });
    await page.goto(`/a/${accountId}${path}`);
    await page.locator("[data-field]").first().waitFor();
    await prepare();
    let shown: readonly ShownValue[] = [];
    // The answers are read once: neither the time nor prices change meanwhile, and further reads would use up the key's
    // budget.
    const answers = await apiAnswers(client);
    await eventually(async () => {
      shown = await shownValues(page);
      expect([path, differingValues(shown, answers)]).toEqual([path, []]);
      expect(shown.length).toBeGreaterThan(1);
    });
    return shown;
  };
  const fieldsOf = (shown: readonly ShownValue[], beginning: string): readonly string[] =>
    [...new Set(shown.map(({ field }) => field))]
      .filter((field) => field.startsWith(beginning))
      .toSorted();
  const operator = () => createOperatorClient(service);
  /** Gives the account a position with a profit. */
  const trade = async ({ signer }: Trader): Promise<void> => {
    await service.quote("BTCUSD", 50_000, 50_000);
    expect((await service.order(LONG, { signer })).status).toBe(200);
    await service.quote("BTCUSD", 50_500, 50_500);
  };

  test("the pages show every item of the payouts, paid and unpaid, with the details of each", async () => {
    const trader = await openEarningTrader(service, 3);
    const { items } = await operator().data("GET", "/payouts");
    const [oldest, next] = (
      items as readonly { readonly id: string; readonly accountId: string }[]
    ).filter(({ accountId }) => accountId === trader.accountId);
    await operator().data("POST", `/payouts/${oldest?.id}`, PAYMENT);
    await operator().data("POST", `/payouts/${next?.id}`, { status: "processing", rail: "bank" });
    await trade(trader);
    await signIn();
    const shown = await shownAndCompared(trader, "/payouts", async () => {
      const closed = page.getByRole("button", { name: /^Calculation for / });
      await closed.first().waitFor();
      for (const week of await closed.all()) await week.click();
    });
    expect(fieldsOf(shown, "items")).toEqual([
      "items[].amount",
      "items[].id",
      "items[].paidAmount",
      "items[].paidAtMs",
      "items[].profitSplit",
      "items[].provider",
      "items[].rail",
      "items[].reference",
      "items[].requestedAtMs",
      "items[].status",
    ]);
    const statuses = shown.filter(({ field }) => field === "items[].status");
    // Each value is in the table and on the cards of a phone, both times in the row and in its details.
    expect(statuses.length).toBe(3 * 4);
    expect(new Set(statuses.map(({ exact, row }) => `${row} ${exact}`)).size).toBe(3);
    for (const path of ["", "/positions", "/trades"]) await shownAndCompared(trader, path);
    // The calendar ends with the account: its last day is named, and no month follows.
    await service.accounts.eliminate(trader.accountId, "INACTIVE");
    await page.goto(`/a/${trader.accountId}`);
    const returns = page.getByRole("region", { name: "Daily returns" });
    await returns.getByText(", the day on which the account ended").waitFor();
    expect(await returns.getByRole("button", { name: "Next month" }).isDisabled()).toBe(true);
    await returns.locator('[data-date="2026-01-28"]').click();
    await returns.getByText("2026-01-28: after the end of the account").waitFor();
  });

  test.each([
    ["in its transition", 0],
    ["in its challenge", 1],
    ["when funded", 2],
  ] as const)("the pages show the pro track %s", async (_, promotions) => {
    const trader = await openEarningTrader(service, 1);
    const at = `/accounts/${trader.accountId}`;
    await operator().data("POST", `${at}/offer-pro`, { proAccountSize: 200_000 });
    for (const phase of ["transition", "proChallenge"].slice(0, promotions)) {
      await operator().data("POST", `${at}/promote`, { phase });
    }
    if (promotions > 0) {
      await trade(trader);
      await service.pass(2 * DAY_MS);
      await service.quote("BTCUSD", 50_400, 50_400);
    }
    await signIn();
    const fields = fieldsOf(await shownAndCompared(trader, "/pro"), "proTrack");
    expect(fields).toEqual([
      "proTrack.maxDrawdownPercent",
      ...[0, 1, 2, 3].map((place) => `proTrack.objectives[${place}].value`),
      "proTrack.phase",
      "proTrack.proAccountSize",
      "proTrack.standardAccountSize",
      ...(promotions === 0 ? ["proTrack.transitionEndsAtMs"] : []),
    ]);
    if (promotions === 0) {
      // Without statistics no objective is called met or not met.
      const met = page.getByRole("main").getByText(/^-- of 4$|^[?○✓] /);
      const unknown = Array.from({ length: 4 }, () => "? unknown");
      expect(await met.allInnerTexts()).toEqual(["-- of 4", ...unknown]);
    }
    await shownAndCompared(trader, "");
  });
});

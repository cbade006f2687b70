import {
  ACCOUNT,
  type AccountStateView,
  type JournalEntry,
  type OperatorAccount,
  PAYOUTS,
  POSITION,
  type ServiceHealth,
  TRADE,
} from "@propgate/contract";
import { accountId, ownerId, unixMs } from "@propgate/core";
import { resultOf } from "@propgate/sdk";
import { linkedAccountItem } from "@propgate/wire";
import type { Page, Route } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { withoutUnsentFigures } from "../../packages/server/src/testing/unsent-figures.ts";
import { sidewaysOverflow } from "./accessibility.ts";
import {
  closeBrowser,
  DESKTOP,
  hasBrowser,
  openVisit,
  PHONE,
  type Session,
  type Visit,
  type WindowLook,
} from "./browser.ts";
import { openPagedService, type PagedService, type PersonName } from "./paged-service.ts";

const SINCE_MS = 1_641_168_000_000;
const REASON = "The validator does not send it";

/** The first line of the journal of a linked account. */
const OBSERVED_LINE: JournalEntry = {
  sequence: 1,
  atMs: SINCE_MS,
  type: "accountOpened",
  summary: "Linked to a subaccount of 100,000 USD",
  by: "operator",
  nonce: null,
  event: { type: "accountOpened", observed: true, dueMs: SINCE_MS, data: { size: 100_000 } },
  hash: "0".repeat(64),
};

const LOOKS = [
  ["on a desk", DESKTOP],
  ["on a phone", PHONE],
] as const;
const NOTHING_MADE_UP = /NaN|\bnull\b|undefined|Infinity|\$--/;

type Data = Record<string, unknown>;

/** Answers the page's call with a changed answer of the service. */
async function fulfillChanged(route: Route, change: (data: Data) => unknown): Promise<void> {
  const response = await route.fetch();
  const { data, ...answer } = (await response.json()) as { readonly data: Data };
  await route.fulfill({ response, json: { ...answer, data: change(data) } });
}

/** The state of an account whose validator sends only what it must. */
function bareState(data: Data): Data {
  return {
    ...data,
    network: "vanta" satisfies AccountStateView["network"],
    account: withoutUnsentFigures(data.account, ACCOUNT.json),
    positions: withoutUnsentFigures(data.positions, POSITION.json),
    markets: [],
  };
}

/** A fill that has only what a validator must send. */
function unsentFill({ sequence, atMs, orderUuid }: Data): Data {
  const figures = { price: null, slippage: null, quantity: null, value: null, fee: null };
  const unknown = { kind: null, effect: null, direction: null, realizedPnl: null };
  const notes = { bindingCap: null, shortfall: null, excess: null, rateAgeMs: null };
  return { sequence, atMs, orderUuid, ...figures, ...unknown, ...notes };
}

const PAYOUT = {
  id: "po_1",
  periodStartMs: SINCE_MS,
  periodEndMs: SINCE_MS + 7 * 86_400_000,
  amount: 320.5,
  currency: "USD",
  profitSplit: "80%",
  profitSplitPercent: 80,
  status: null,
  rail: null,
  provider: null,
  reference: null,
  alphaAmount: null,
  alphaDestination: null,
  requestedAtMs: null,
  paidAtMs: null,
  paidAmount: null,
  createdAtMs: SINCE_MS + 7 * 86_400_000,
};

/** Makes the account look to the pages as if it were on a validator. */
async function showAsLinked(page: Page): Promise<void> {
  const refuse = (route: Route): Promise<void> =>
    route.fulfill({ status: 404, json: { error: REASON, code: "not_offered" } });
  await page.route("**/dashboard/v1/accounts/*/live*", (route) => route.abort());
  await page.route("**/dashboard/v1/accounts/*/state", (route) => fulfillChanged(route, bareState));
  await page.route("**/dashboard/v1/accounts/*/trades", (route) =>
    fulfillChanged(route, (data) => ({
      ...data,
      trades: withoutUnsentFigures(data.trades, TRADE.json),
    })),
  );
  await page.route("**/dashboard/v1/accounts/*/payouts?*", (route) =>
    fulfillChanged(route, (data) => {
      const payouts = withoutUnsentFigures(data.payouts, PAYOUTS.json) as object;
      return { ...data, payouts: { ...payouts, items: [PAYOUT] } };
    }),
  );
  await page.route("**/dashboard/v1/accounts/*/trades/*/fills", (route) =>
    fulfillChanged(route, (data) => ({
      fills: (data.fills as readonly Data[]).map(unsentFill),
      carry: null,
    })),
  );
  await page.route("**/dashboard/v1/accounts/*/journal?*", (route) =>
    fulfillChanged(route, () => ({ entries: [OBSERVED_LINE], before: null })),
  );
  for (const name of ["cycles", "objectives"]) {
    await page.route(`**/dashboard/v1/accounts/*/${name}`, refuse);
  }
}

const HOST = { reachable: true, unreachableSinceMs: null, callsInFlight: 2, isPaused: false };
const NETWORK: ServiceHealth["network"] = {
  validator: HOST,
  gateway: { ...HOST, reachable: false, unreachableSinceMs: SINCE_MS, isPaused: true },
  keyRefusedSinceMs: null,
  linkedAccounts: 12,
  failingAccounts: 1,
  oldestReadingAgeMs: 8_000,
  ordersSending: 3,
  oldestSendingSinceMs: SINCE_MS,
};

const LINKED: OperatorAccount = {
  ...linkedAccountItem({
    network: "vanta",
    accountId: accountId("0d5c2a34-59b8-4a3e-9d4f-0000000000aa"),
    ownerId: ownerId("trader-1"),
    status: "active",
    version: 1,
    createdAtMs: unixMs(SINCE_MS),
    endedAtMs: null,
    lastOrderAtMs: null,
    lastActivityAtMs: null,
    readAtMs: null,
    isFailing: false,
  }),
  ownerName: null,
  externalId: null,
};

/** Makes the console see a validator and a linked account. */
async function showWithValidator(page: Page): Promise<void> {
  await page.route("**/dashboard/v1/operator/health", (route) =>
    fulfillChanged(route, (data) => ({ ...data, network: NETWORK })),
  );
  await page.route("**/dashboard/v1/operator/accounts?*", (route) =>
    fulfillChanged(route, (data) => ({ ...data, items: [...Object(data.items), LINKED] })),
  );
}

describe.skipIf(!hasBrowser())("pages of an account on a validator", () => {
  let service: PagedService;
  let sessions: Readonly<Record<PersonName, Session>>;

  beforeAll(() => closeBrowser);
  beforeAll(async () => {
    service = await openPagedService(1, "made");
    return () => service.stop();
  });
  beforeAll(async () => {
    const order = { execution_type: "MARKET", trade_pair: "BTCUSD", leverage: 0.5 } as const;
    const { client } = service;
    resultOf(await client.placeOrder({ trade: { ...order, order_type: "LONG" } }));
    resultOf(await client.placeOrder({ trade: { execution_type: "FLAT_ALL", order_uuid: "ALL" } }));
    const again = { ...order, order_type: "LONG", stop_loss: 30_000 } as const;
    resultOf(await client.placeOrder({ trade: again }));
    sessions = {
      owner: await service.signIn("owner"),
      operator: await service.signIn("operator"),
    };
  });

  const open = async (person: PersonName, look: WindowLook): Promise<Visit> => {
    const visit = await openVisit(service.pagesUrl, look, sessions[person]);
    await (person === "owner" ? showAsLinked(visit.page) : showWithValidator(visit.page));
    return visit;
  };

  const expectSound = async ({ page, complaints }: Visit): Promise<void> => {
    expect(await page.locator("main").innerText()).not.toMatch(NOTHING_MADE_UP);
    expect(await sidewaysOverflow(page)).toBe(0);
    expect(complaints).toEqual([]);
  };

  describe.each(LOOKS)("%s", (_, look) => {
    let visit: Visit;
    let page: Page;
    let consoleVisit: Visit;

    beforeAll(async () => {
      visit = await open("owner", look);
      page = visit.page;
      consoleVisit = await open("operator", look);
      return async () => {
        await visit.close();
        await consoleVisit.close();
      };
    });

    test.each([
      ["", "Limits"],
      ["/positions", "BTC/USD"],
      ["/orders", "Legs, 1"],
      ["/trades", "BTC/USD"],
      ["/payouts", "320.50"],
      ["/pro", "pro"],
      ["/keys", "API keys"],
    ])("the page '%s' shows what the network did not send as --", async (path, part) => {
      await page.goto(`/a/${service.accountId}${path}`);
      await page.getByText(part).first().waitFor({ state: "attached" });
      if (!["/orders", "/pro", "/keys"].includes(path)) {
        await page.getByText("--", { exact: true }).first().waitFor({ state: "attached" });
      }
      await expectSound(visit);
    });

    test("the journal shows what was read at the validator, and says that it was not decided here", async () => {
      await page.goto(`/a/${service.accountId}/journal`);
      await page.getByText(OBSERVED_LINE.summary).filter({ visible: true }).waitFor();
      const row = page.getByRole("button", { name: "Event 1", exact: true });
      await row.filter({ visible: true }).click();
      const observedNote = page.getByText("Read at the validator, not decided here.");
      await observedNote.filter({ visible: true }).waitFor();
      expect(await page.getByText("millionths of a dollar").count()).toBe(0);
      await page.getByText("Each line was read at the validator").waitFor();
      expect(await page.getByText("Each line was decided").count()).toBe(0);
      await expectSound(visit);
    });

    test("fills without figures are shown as --, and nothing is summed over them", async () => {
      await page.goto(`/a/${service.accountId}/trades`);
      await page.getByRole("button", { name: "Fills of" }).filter({ visible: true }).click();
      const row = page.getByText("-- --, --").filter({ visible: true });
      await row.first().waitFor();
      expect(await row.count()).toBe(2);
      const sums = page.getByText(/sends the result and the fees of the whole trade/);
      expect(await sums.filter({ visible: true }).innerText()).toContain("realized --, fees --");
      expect(await page.getByText("These sums").count()).toBe(0);
      await expectSound(visit);
    });

    test("no price chart of another market is drawn", async () => {
      await page.goto(`/a/${service.accountId}/positions`);
      await page.getByRole("button", { name: "Legs of BTC/USD" }).waitFor();
      expect(await page.getByRole("button", { name: /^Price chart/ }).count()).toBe(0);
      expect(await page.getByText("no price yet").count()).toBe(0);
    });

    test("the console shows the validator's health", async () => {
      const { page } = consoleVisit;
      await page.goto("/console");
      await page.getByText("unreachable", { exact: true }).waitFor();
      expect(await page.locator("main").innerText()).toContain("Without an outcome");
      await expectSound(consoleVisit);
    });

    test("the console offers for a linked account only to close it, and says why", async () => {
      const { page } = consoleVisit;
      await page.goto("/console/accounts");
      await page
        .getByRole("button", { name: `Manage ${LINKED.accountId}` })
        .filter({ visible: true })
        .click();
      const words = page.getByText(/The validator promotes, provisions and eliminates/);
      await words.filter({ visible: true }).waitFor();
      for (const name of ["Promote", "Provision", "Offer pro", "Eliminate"]) {
        expect(await page.getByRole("button", { name, exact: true }).count(), name).toBe(0);
      }
      await page
        .getByRole("button", { name: "Close", exact: true })
        .filter({ visible: true })
        .click();
      await page.getByText(/The link to the subaccount ends/).waitFor();
      await expectSound(consoleVisit);
    });

    test("a subaccount is linked by a form, which shows why the service refuses", async () => {
      const { page } = consoleVisit;
      await page.goto("/console/accounts");
      await page.getByRole("button", { name: "Link a subaccount" }).click();
      await page.getByRole("textbox", { name: "Subaccount" }).fill("0");
      await page.getByRole("textbox", { name: "Owner id", exact: true }).fill("trader-1");
      await page.getByRole("button", { name: "Link subaccount" }).click();
      await page.getByText("This service runs without a validator").waitFor();
      await expectSound(consoleVisit);
    });
  });
});

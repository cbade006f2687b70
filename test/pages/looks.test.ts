import { resultOf } from "@propgate/sdk";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type AxeRules,
  accessibilityFaults,
  cutPlaceholders,
  sidewaysOverflow,
} from "./accessibility.ts";
import {
  closeBrowser,
  DESKTOP,
  DESKTOP_LIGHT,
  hasBrowser,
  openVisit,
  PHONE,
  type Session,
  type Visit,
  type WindowLook,
} from "./browser.ts";
import { openPagedService, type PagedService, type PersonName } from "./paged-service.ts";

const ACCOUNT_PAGES = [
  "",
  "/positions",
  "/orders",
  "/trades",
  "/payouts",
  "/pro",
  "/journal",
  "/keys",
] as const;
const OWNER_PAGES = ["/security", "/debugger", "/docs/api"] as const;
const CONSOLE_PAGES = [
  "/console",
  "/console/accounts",
  "/console/people",
  "/console/payouts",
  "/console/programs",
  "/console/instruments",
  "/console/prices",
  "/console/audit",
] as const;

const ENDED_PAGES = ["", "/positions", "/journal"] as const;

interface Pages {
  readonly account: readonly string[];
  readonly ended: readonly string[];
  readonly owner: readonly string[];
  readonly console: readonly string[];
}

const EVERY: Pages = {
  account: ACCOUNT_PAGES,
  ended: ENDED_PAGES,
  owner: OWNER_PAGES,
  console: CONSOLE_PAGES,
};
/**
 * Pages that together have every part that pages are made of. Another look has other colours or columns, but no other
 * part.
 */
const PARTS: Pages = {
  account: ["", "/positions", "/payouts", "/keys"],
  ended: [""],
  owner: ["/security", "/debugger"],
  console: ["/console", "/console/accounts", "/console/prices"],
};
/**
 * The looks, each with its pages and the rules of axe that can give another result in it. The light look differs from
 * the dark one in its colours alone, and the phone differs in everything else.
 */
const LOOKS: readonly (readonly [name: string, look: WindowLook, pages: Pages, rules: AxeRules])[] =
  [
    ["dark", { ...DESKTOP, reducedMotion: true }, EVERY, "all"],
    ["light", { ...DESKTOP_LIGHT, reducedMotion: true }, PARTS, "only color-contrast"],
    ["on a phone", { ...PHONE, reducedMotion: true }, PARTS, "all but color-contrast"],
  ];

/**
 * The speed of the replayed prices. A minute of prices takes ten seconds, so charts have candles, and a page seldom
 * changes while it is checked.
 */
const REPLAY_SPEED = 6;
const SHIFT_MAX = 0.1;
/** The widths of windows in pixels, from a desktop to a phone. At none of them may the page scroll sideways. */
const WIDTHS = [1440, 1024, 768, 390] as const;
/** A reference of the maximum length, without a space at which it could wrap. */
const LONG_REFERENCE = `SEPA-${"0123456789".repeat(9)}-END`.slice(0, 100);
const LONG_OWNER = "owner-with-a-name-as-long-as-a-name-may-be-000000000000000000001";

describe.skipIf(!hasBrowser())("every page in every look", () => {
  let service: PagedService;
  let endedId: string;
  let sessions: Readonly<Record<PersonName, Session>>;

  beforeAll(() => closeBrowser);
  beforeAll(async () => {
    service = await openPagedService(REPLAY_SPEED);
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
    endedId = await addLongData(service);
    sessions = {
      owner: await service.signIn("owner"),
      operator: await service.signIn("operator"),
    };
  });

  describe.each(LOOKS)("%s", (_, look, pages, rules) => {
    let visit: Visit;
    beforeAll(async () => {
      visit = await openVisit(service.pagesUrl, look);
      await visit.page.addInitScript(startShiftSum);
      return () => visit.close();
    });

    const lookAt = async (path: string): Promise<void> => {
      await visit.page.goto(path);
      await expectSound(visit.page, look, rules);
    };

    test("the page /sign-in is sound", () => lookAt("/sign-in"));

    describe("the owner's pages", () => {
      beforeAll(() => visit.become(sessions.owner));

      test.each(pages.account)('the page of an account is sound: "%s"', (path) =>
        lookAt(`/a/${service.accountId}${path}`),
      );
      test.each(pages.ended)('the page of an ended account is sound: "%s"', (path) =>
        lookAt(`/a/${endedId}${path}`),
      );
      test.each(pages.owner)("the owner's page %s is sound", lookAt);
    });

    describe("the operator's pages", () => {
      beforeAll(() => visit.become(sessions.operator));

      test.each(pages.console)("the operator's page %s is sound", lookAt);
    });

    test("the browser never complained", () => {
      expect(visit.complaints).toEqual([]);
    });
  });

  test("nothing moves with reduced motion", async () => {
    const look = { ...DESKTOP, reducedMotion: true };
    const visit = await openVisit(service.pagesUrl, look, sessions.owner);
    await visit.page.goto(`/a/${service.accountId}`);
    await waitUntilLoaded(visit.page);
    const moving = await visit.page.evaluate(() =>
      [...document.querySelectorAll("*")]
        .map((element) => getComputedStyle(element))
        .filter(
          ({ animationName, transitionDuration }) =>
            animationName !== "none" || !/^0s(, 0s)*$/.test(transitionDuration),
        )
        .map(({ animationName, transitionProperty }) => `${animationName} ${transitionProperty}`),
    );
    expect(moving).toEqual([]);
    await visit.close();
  });

  test("every page of an account is reached by the keyboard alone", async () => {
    const visit = await openVisit(service.pagesUrl, DESKTOP, sessions.owner);
    await visit.page.goto(`/a/${service.accountId}`);
    await waitUntilLoaded(visit.page);
    await visit.page.keyboard.press("Control+k");
    await visit.page.getByRole("combobox", { name: "Page" }).fill("journ");
    await visit.page.keyboard.press("Enter");
    await visit.page.waitForURL(`**/a/${service.accountId}/journal`);
    expect(await visit.page.title()).toContain("Journal");
    await visit.close();
  });
});

/**
 * Adds a page of accounts of an owner with a long name, and a key with a long label. Also adds an account of the
 * signed-in owner that was ended for a reason of 100 characters. Resolves with the id of that account.
 */
async function addLongData(service: PagedService): Promise<string> {
  const { accountId } = service;
  for (let count = 0; count < 50; count += 1) {
    await service.operator("/accounts", { size: 1_000_000, ownerId: LONG_OWNER });
  }
  await service.operator("/keys", {
    accountId,
    scopes: ["trade:read"],
    label: LONG_REFERENCE,
  });
  const { items } = await service.operator(`/accounts?q=${accountId}`);
  const [{ ownerId }] = items as readonly [{ readonly ownerId: string }];
  const ended = await service.operator("/accounts", { size: 50_000, ownerId });
  await service.operator(`/accounts/${String(ended.accountId)}/eliminate`, {
    reason: LONG_REFERENCE,
  });
  return String(ended.accountId);
}

/**
 * Checks that axe finds no fault, that the page does not scroll sideways and cuts no placeholder, and that its layout
 * did not shift while it loaded.
 */
async function expectSound(page: Page, look: WindowLook, rules: AxeRules): Promise<void> {
  await waitUntilLoaded(page);
  expect(await accessibilityFaults(page, rules)).toEqual([]);
  expect(await shiftOf(page)).toBeLessThan(SHIFT_MAX);
  const widths = rules === "all" ? WIDTHS : [look.width];
  for (const width of widths) {
    await page.setViewportSize({ width, height: look.height });
    expect([width, await sidewaysOverflow(page), await cutPlaceholders(page)]).toEqual([
      width,
      0,
      [],
    ]);
  }
  await page.setViewportSize({ width: look.width, height: look.height });
}

/**
 * Waits until the page has its heading and has loaded everything: axe and the measurements need the page as a person
 * sees it.
 */
async function waitUntilLoaded(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
  await page.waitForFunction(() => document.querySelector('[aria-label="Loading"]') === null);
}

/** Runs in the page. Sums its layout shifts, as browsers measure them, from its first element on. */
function startShiftSum(): void {
  let sum = 0;
  const add = (entries: readonly PerformanceEntry[]): void => {
    for (const entry of entries) {
      const value: unknown = Reflect.get(entry, "value");
      if (typeof value === "number") sum += value;
    }
  };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  Reflect.set(window, "layoutShifts", () => {
    add(observer.takeRecords());
    return sum;
  });
}

/**
 * The sum of the page's layout shifts. It waits for one more frame, because a frame reports its shifts after it was
 * drawn.
 */
function shiftOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const shifts: unknown = Reflect.get(window, "layoutShifts");
    if (typeof shifts !== "function") throw new Error("the page does not sum its shifts");
    return Number(shifts());
  });
}

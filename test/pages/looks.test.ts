import { AxeBuilder } from "@axe-core/playwright";
import { resultOf } from "@propgate/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  closeBrowser,
  DESK,
  DESK_LIGHT,
  hasBrowser,
  type Look,
  openVisit,
  PHONE,
  type Visit,
} from "./browser.ts";
import { openPagedService, type PagedService, signIn, useLink } from "./paged-service.ts";

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
/** They have every part that pages are made of: another look has other colours or columns, but no other part. */
const PARTS: Pages = {
  account: ["", "/positions", "/payouts", "/keys"],
  ended: [""],
  owner: ["/security", "/debugger"],
  console: ["/console", "/console/accounts", "/console/prices"],
};
const LOOKS: readonly (readonly [name: string, look: Look, pages: Pages])[] = [
  ["dark", DESK, EVERY],
  ["light", DESK_LIGHT, PARTS],
  ["on a phone", { ...PHONE, reducedMotion: true }, PARTS],
];

/**
 * The element that marks a complete page; axe and the measurements need the page that a person
 * sees.
 */
const SHIFT_MAX = 0.1;
/** Also between a desk and a phone nothing scrolls sideways. */
const WIDTHS = [1440, 1024, 768, 390] as const;
/** As long as a bank makes it, without a space to break at. */
const LONG_REFERENCE = `SEPA-${"0123456789".repeat(9)}-END`.slice(0, 100);
const LONG_OWNER = "owner-with-a-name-as-long-as-a-name-may-be-000000000000000000001";

describe.skipIf(!hasBrowser())("every page in every look", () => {
  let service: PagedService;
  let endedId: string;

  beforeAll(async () => {
    service = await openPagedService(60);
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
    for (const person of ["owner", "operator"] as const) {
      const visit = await openVisit(service.pagesUrl);
      await useLink(visit.page, service.link(person));
      await visit.close();
    }
  });
  afterAll(async () => {
    await closeBrowser();
    await service.stop();
  });

  describe.each(LOOKS)("%s", (_, look, pages) => {
    let visit: Visit;
    beforeAll(async () => {
      visit = await openVisit(service.pagesUrl, look);
    });
    afterAll(async () => {
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("/sign-in", () => lookAt(visit, "/sign-in", look));

    test.each(pages.account)("an account's %s", async (path) => {
      await asPerson(visit, "owner");
      await lookAt(visit, `/a/${service.accountId}${path}`, look);
    });
    test.each(pages.ended)("an ended account's %s", async (path) => {
      await asPerson(visit, "owner");
      await lookAt(visit, `/a/${endedId}${path}`, look);
    });
    test.each(pages.owner)("%s", (path) => lookAt(visit, path, look));

    test.each(pages.console)("%s", async (path) => {
      await asPerson(visit, "operator");
      await lookAt(visit, path, look);
    });
  });

  test("with reduced motion nothing moves", async () => {
    const visit = await openVisit(service.pagesUrl, { ...DESK, reducedMotion: true });
    await asPerson(visit, "owner");
    await visit.page.goto(`/a/${service.accountId}`);
    await settled(visit);
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
    const visit = await openVisit(service.pagesUrl);
    await asPerson(visit, "owner");
    await visit.page.goto(`/a/${service.accountId}`);
    await settled(visit);
    await visit.page.keyboard.press("Control+k");
    await visit.page.getByRole("combobox", { name: "Page" }).fill("journ");
    await visit.page.keyboard.press("Enter");
    await visit.page.waitForURL(`**/a/${service.accountId}/journal`);
    expect(await visit.page.title()).toContain("Journal");
    await visit.close();
  });
});

/**
 * A page of accounts of a long owner, a key with a long label, and an account of the signed-in owner
 * that was ended for a reason as long as a payment reference. Resolves with that account's id.
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

/** The session of another person is left behind. */
async function asPerson(visit: Visit, name: "owner" | "operator"): Promise<void> {
  const shown = visit.page.getByRole("button", { name, exact: true });
  if (await shown.isVisible().catch(() => false)) return;
  await visit.context.clearCookies();
  await signIn(visit.page, name);
}

/** No finding of axe, no sideways scrolling, no layout shift while the page loads. */
async function lookAt(visit: Visit, path: string, look: Look): Promise<void> {
  const { page } = visit;
  await page.setViewportSize({ width: look.width, height: look.height });
  await page.goto(path);
  await settled(visit);
  const axe = new AxeBuilder({ page });
  // The light look differs from the dark one in its colours alone, the phone in everything else.
  if (look === DESK_LIGHT) axe.withRules("color-contrast");
  else if (look !== DESK) axe.disableRules("color-contrast");
  const { violations } = await axe.analyze();
  const faults = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html).slice(0, 3)]);
  expect(faults).toEqual([]);
  expect(await shiftOf(visit)).toBeLessThan(SHIFT_MAX);
  for (const tried of look === DESK ? WIDTHS : [look.width]) {
    await page.setViewportSize({ width: tried, height: look.height });
    const sideways = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect([tried, Math.max(0, sideways)]).toEqual([tried, 0]);
  }
}

async function settled({ page }: Visit): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
  await expect.poll(() => page.locator('[aria-label="Loading"]').count()).toBe(0);
}

/** The sum of layout shifts, as browsers measure it. */
function shiftOf({ page }: Visit): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let shift = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const value: unknown = Reflect.get(entry, "value");
            if (typeof value === "number") shift += value;
          }
        });
        observer.observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve(shift), 100);
      }),
  );
}

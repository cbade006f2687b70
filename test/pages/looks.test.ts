import { AxeBuilder } from "@axe-core/playwright";
import { resultOf } from "@propgate/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  DESK,
  DESK_LIGHT,
  hasBrowser,
  type Look,
  openVisit,
  PHONE,
  type Visit,
} from "./browser.ts";
import { openPagedService, type PagedService, signIn, useLink } from "./paged-service.ts";

const LOOKS: readonly (readonly [name: string, look: Look])[] = [
  ["dark", DESK],
  ["light", DESK_LIGHT],
  ["on a phone", { ...PHONE, reducedMotion: true }],
];

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
  "/console/audit",
] as const;

/** What stands on the page when it is there: axe and the ruler look at what a person sees. */
const SHIFT_MAX = 0.1;

describe.skipIf(!hasBrowser())("every page, as anybody may need it", () => {
  let service: PagedService;

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
    for (const person of ["owner", "operator"] as const) {
      const visit = await openVisit(service.pagesUrl);
      await useLink(visit.page, service.link(person));
      await visit.close();
    }
  });
  afterAll(() => service.stop());

  describe.each(LOOKS)("%s", (_, look) => {
    let visit: Visit;
    beforeAll(async () => {
      visit = await openVisit(service.pagesUrl, look);
    });
    afterAll(async () => {
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("/sign-in", () => lookAt(visit, "/sign-in"));

    test.each(ACCOUNT_PAGES)("an account's %s", async (path) => {
      await asPerson(visit, "owner");
      await lookAt(visit, `/a/${service.accountId}${path}`);
    });
    test.each(OWNER_PAGES)("%s", (path) => lookAt(visit, path));

    test.each(CONSOLE_PAGES)("%s", async (path) => {
      await asPerson(visit, "operator");
      await lookAt(visit, path);
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

/** The session of another person is left behind. */
async function asPerson(visit: Visit, name: "owner" | "operator"): Promise<void> {
  const shown = visit.page.getByRole("button", { name, exact: true });
  if (await shown.isVisible().catch(() => false)) return;
  await visit.context.clearCookies();
  await signIn(visit.page, name);
}

/** No fault that axe knows, nothing that scrolls sideways, nothing that jumps while it loads. */
async function lookAt(visit: Visit, path: string): Promise<void> {
  const { page } = visit;
  await page.goto(path);
  await settled(visit);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const faults = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html).slice(0, 3)]);
  expect(faults).toEqual([]);
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways).toBeLessThanOrEqual(0);
  expect(await shiftOf(visit)).toBeLessThan(SHIFT_MAX);
}

async function settled({ page }: Visit): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
  await expect.poll(() => page.locator('[aria-label="Loading"]').count()).toBe(0);
}

/** How much stood somewhere else before, as browsers measure it. */
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

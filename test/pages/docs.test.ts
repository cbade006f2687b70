/** The documentation in a browser: each part of a page dark, light and on a phone, and the effects of its scripts. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { type AxeRules, sidewaysOverflow } from "./accessibility.ts";
import {
  closeBrowser,
  DESKTOP,
  DESKTOP_LIGHT,
  hasBrowser,
  openVisit,
  PHONE,
  type Visit,
  type WindowLook,
} from "./browser.ts";
import {
  CHECKED_DOC_PATHS,
  DOC_PATHS_WITH_EVERY_PART,
  type DocsSite,
  expectAccessible,
  openDocsSite,
} from "./docs-site.ts";

/**
 * The looks, each with the rules of axe that can give another result in it. The light look differs from the dark one in
 * its colours alone, and the phone differs in everything else.
 */
const LOOKS: readonly (readonly [name: string, look: WindowLook, rules: AxeRules])[] = [
  ["dark", DESKTOP, "all"],
  ["light", DESKTOP_LIGHT, "only color-contrast"],
  ["on a phone", PHONE, "all but color-contrast"],
];
/** The pages that the tests of the looks above do not visit. */
const OTHERS = CHECKED_DOC_PATHS.filter((path) => !DOC_PATHS_WITH_EVERY_PART.includes(path));

describe.skipIf(!hasBrowser())("the documentation", () => {
  let site: DocsSite;

  beforeAll(() => closeBrowser);
  beforeAll(async () => {
    site = await openDocsSite();
    return () => site.stop();
  });

  describe.each(LOOKS)("%s", (_, look, rules) => {
    let visit: Visit;
    beforeAll(async () => {
      visit = await openVisit(site.url, look);
      return () => visit.close();
    });

    test.each(DOC_PATHS_WITH_EVERY_PART)("the page %s is accessible", (path) =>
      expectAccessible(visit.page, path, rules),
    );

    test("the browser never complained", () => {
      expect(visit.complaints).toEqual([]);
    });
  });

  describe("what the scripts of a page do", () => {
    let visit: Visit;
    let page: Page;
    beforeAll(async () => {
      visit = await openVisit(site.url);
      page = visit.page;
      return () => visit.close();
    });

    test("a heading is found and gone to by the keyboard alone", async () => {
      await page.goto("/docs/guides/start");
      await page.keyboard.press("/");
      await page.keyboard.type("trailing stop");
      await page.getByRole("status").getByRole("link").first().waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/docs/guides/order-types#trailing-stop");
    });

    test("a search without results says so", async () => {
      await page.goto("/docs");
      await page.getByRole("searchbox").fill("zebra crossing");
      await page.getByText("No page contains these words.").waitFor();
    });

    test.each([
      ["429", "/docs/guides/"],
      ["commission", "/docs/domain/execution#fees"],
      ["docker", "/docs/guides/self-host"],
      ["dead man", "/docs/guides/"],
      ["drawdown", "/docs/domain/"],
      ["lot size", "/docs/guides/instruments"],
      ["trailing stop", "/docs/guides/"],
      ["weekend", "/docs/guides/what-this-is-not#terms-that-it-cannot-sell"],
    ])(
      "the search for %s leads to the text that has it, never to a decision",
      async (word, target) => {
        await page.goto("/docs");
        await page.getByRole("searchbox").fill(word);
        const [first] = await hrefsOf(page);
        expect(first).toContain(target);
        await page.locator(`.found a[href="${first}"]`).click();
        await page.waitForURL(`**${first}`);
      },
    );

    test("a block of code is copied exactly", async () => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.goto("/docs/guides/start");
      await page.getByRole("button", { name: "Copy" }).first().click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("npm ci && npm start");
    });

    test("the text is alone on paper", async () => {
      await page.goto("/docs/domain/drawdown");
      await page.emulateMedia({ media: "print" });
      expect(await page.getByRole("navigation").count()).toBe(0);
      expect(await page.getByRole("searchbox").count()).toBe(0);
      expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
      await page.emulateMedia({ media: "screen" });
    });

    test("a theme that was chosen is kept, before anything is drawn", async () => {
      const ground = () =>
        page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
      await page.goto("/docs");
      expect(await ground()).toBe("dark");
      await page.getByRole("button", { name: "Change to light" }).click();
      await page.goto("/docs/guides/start");
      expect(await ground()).toBe("light");
      await page.getByRole("button", { name: "Change to dark" }).waitFor();
    });

    test("the browser never complained", () => {
      expect(visit.complaints).toEqual([]);
    });
  });

  describe("on a phone", () => {
    let page: Page;
    beforeAll(async () => {
      const visit = await openVisit(site.url, PHONE);
      page = visit.page;
      return () => visit.close();
    });

    test.each(OTHERS)("%s does not scroll sideways", async (path) => {
      await page.goto(path);
      expect(await sidewaysOverflow(page)).toBe(0);
    });

    test("every page is reached by the menu, without scripts too", async () => {
      await page.route("**/*.js", (route) => route.abort());
      await page.goto("/docs");
      const pages = page.getByRole("navigation", { name: "Pages" });
      expect(await pages.isVisible()).toBe(false);
      await page.getByRole("link", { name: "Menu" }).click();
      await pages.getByRole("link", { name: "The loss limits" }).click();
      await page.waitForURL("**/docs/domain/drawdown");
      expect(await pages.isVisible()).toBe(false);
    });
  });
});

/** The targets of the search results, once there is one. */
async function hrefsOf(page: Page): Promise<readonly string[]> {
  const links = page.locator(".found a");
  await links.first().waitFor();
  return links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
}

/** The documentation in a browser: each part of a page dark, light and on a phone, and what its scripts do. */
import type { Page } from "playwright-core";
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
import { type DocsSite, expectAccessible, openDocs, overflow, PARTS, PATHS } from "./docs-site.ts";

const LOOKS: readonly (readonly [name: string, look: Look])[] = [
  ["dark", DESK],
  ["light", DESK_LIGHT],
  ["on a phone", PHONE],
];

describe.skipIf(!hasBrowser())("the documentation", () => {
  let site: DocsSite;

  beforeAll(async () => {
    site = await openDocs();
  });
  afterAll(async () => {
    await closeBrowser();
    await site.stop();
  });

  describe.each(LOOKS)("%s", (_, look) => {
    let visit: Visit;
    beforeAll(async () => {
      visit = await openVisit(site.url, look);
    });
    afterAll(async () => {
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test.each(PARTS)("%s", (path) => expectAccessible(visit.page, path));
  });

  test("no page scrolls sideways on a phone", async () => {
    await visited(async (page) => {
      const wide: string[] = [];
      for (const path of PATHS) {
        await page.goto(path);
        if ((await overflow(page)) > 0) wide.push(path);
      }
      expect(wide).toEqual([]);
    }, PHONE);
  });

  test("a heading is found and gone to by the keyboard alone", async () => {
    await visited(async (page) => {
      await page.goto("/docs/guides/start");
      await page.keyboard.press("/");
      await page.keyboard.type("trailing stop");
      await page.getByRole("status").getByRole("link").first().waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/docs/guides/order-types#trailing-stop");
    });
  });

  test("a search without results says so", async () => {
    await visited(async (page) => {
      await page.goto("/docs");
      await page.getByRole("searchbox").fill("zebra crossing");
      await page.getByText("No title or heading contains these words.").waitFor();
    });
  });

  test("a block of code is copied exactly", async () => {
    await visited(async (page) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.goto("/docs/guides/start");
      await page.getByRole("button", { name: "Copy" }).first().click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("npm ci && npm start");
    });
  });

  test("a theme that was chosen is kept, before anything is drawn", async () => {
    await visited(async (page) => {
      const ground = () =>
        page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
      await page.goto("/docs");
      expect(await ground()).toBe("dark");
      await page.getByRole("button", { name: "Change to light" }).click();
      await page.goto("/docs/guides/start");
      expect(await ground()).toBe("light");
      await page.getByRole("button", { name: "Change to dark" }).waitFor();
    });
  });

  test("on a phone every page is reached by the menu, without scripts too", async () => {
    await visited(async (page) => {
      await page.route("**/*.js", (route) => route.abort());
      await page.goto("/docs");
      const pages = page.getByRole("navigation", { name: "Pages" });
      expect(await pages.isVisible()).toBe(false);
      await page.getByRole("link", { name: "Menu" }).click();
      await pages.getByRole("link", { name: "The loss limits" }).click();
      await page.waitForURL("**/docs/domain/drawdown");
      expect(await pages.isVisible()).toBe(false);
    }, PHONE);
  });

  test("on paper there is the text alone", async () => {
    await visited(async (page) => {
      await page.goto("/docs/domain/drawdown");
      await page.emulateMedia({ media: "print" });
      expect(await page.getByRole("navigation").count()).toBe(0);
      expect(await page.getByRole("searchbox").count()).toBe(0);
      expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
    });
  });

  async function visited(what: (page: Page) => Promise<void>, look: Look = DESK): Promise<void> {
    const visit = await openVisit(site.url, look);
    await what(visit.page);
    await visit.close();
  }
});

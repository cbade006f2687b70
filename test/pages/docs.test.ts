/** The documentation in a browser: every page dark, light and on a phone, and what its scripts do. */
import { AxeBuilder } from "@axe-core/playwright";
import fastify, { type FastifyInstance } from "fastify";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  addPageFiles,
  builtPages,
  readPageFiles,
} from "../../packages/server/src/calls/pages/page-files.ts";
import { docPages } from "../../tools/docs-site/navigation.ts";
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

/** Decisions and the specification are made of the same parts, and the longest pages cost axe most. */
const PATHS = [...docPages().values()]
  .map(({ path }) => path)
  .filter((path) => !/^\/docs\/(adr|spec)\/|\/(dependencies|cli|database|reliability)$/.test(path));
/** They have every part that pages are made of: in another look parts may differ, but no page. */
const PARTS = [
  "/docs",
  "/docs/guides/start",
  "/docs/guides/order-types",
  "/docs/domain/payouts",
  "/docs/reference/errors",
];
const LOOKS: readonly (readonly [name: string, look: Look, paths: readonly string[]])[] = [
  ["dark", DESK, PATHS],
  ["light", DESK_LIGHT, PARTS],
  ["on a phone", PHONE, PARTS],
];

describe.skipIf(!hasBrowser())("the documentation", () => {
  let app: FastifyInstance;
  let url = "";

  beforeAll(async () => {
    const files = await readPageFiles(builtPages());
    if (files === null) throw new Error("the pages are not built");
    app = fastify();
    addPageFiles(app, files);
    url = await app.listen({ port: 0, host: "127.0.0.1" });
  });
  afterAll(async () => {
    await closeBrowser();
    await app.close();
  });

  describe.each(LOOKS)("%s", (_, look, paths) => {
    let visit: Visit;
    beforeAll(async () => {
      visit = await openVisit(url, look);
    });
    afterAll(async () => {
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test.each(paths)("%s", async (path) => {
      const { page } = visit;
      await page.goto(path);
      // Contrast takes axe longest, and all pages have the colours of these.
      const axe = new AxeBuilder({ page });
      if (!PARTS.includes(path)) axe.disableRules("color-contrast");
      const { violations } = await axe.analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      expect(await sideways(page)).toBeLessThanOrEqual(0);
    });
  });

  test("no page scrolls sideways on a phone", async () => {
    await visited(async (page) => {
      const wide: string[] = [];
      for (const path of PATHS) {
        await page.goto(path);
        if ((await sideways(page)) > 0) wide.push(path);
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
    const visit = await openVisit(url, look);
    await what(visit.page);
    await visit.close();
  }
});

function sideways(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeBrowser, hasBrowser, openVisit, type Visit } from "./browser.ts";
import { type DocsSite, expectAccessible, openDocs, PATHS } from "./docs-site.ts";

describe.skipIf(!hasBrowser())("every page of the documentation is accessible", () => {
  let site: DocsSite;
  let visit: Visit;

  beforeAll(async () => {
    site = await openDocs();
    visit = await openVisit(site.url);
  });
  afterAll(async () => {
    expect(visit.complaints).toEqual([]);
    await visit.close();
    await closeBrowser();
    await site.stop();
  });

  test.each(PATHS)("%s", (path) => expectAccessible(visit.page, path));
});

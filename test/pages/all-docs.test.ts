import { beforeAll, describe, expect, test } from "vitest";
import { closeBrowser, hasBrowser, openVisit, type Visit } from "./browser.ts";
import { CHECKED_DOC_PATHS, type DocsSite, expectAccessible, openDocsSite } from "./docs-site.ts";

describe.skipIf(!hasBrowser())("every page of the documentation is accessible", () => {
  let site: DocsSite;
  let visit: Visit;

  beforeAll(async () => {
    site = await openDocsSite();
    visit = await openVisit(site.url);
    return async () => {
      await visit.close();
      await closeBrowser();
      await site.stop();
      expect(visit.complaints).toEqual([]);
    };
  });

  test.each(CHECKED_DOC_PATHS)("the page %s is accessible", (path) =>
    expectAccessible(visit.page, path),
  );
});

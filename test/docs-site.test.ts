/**
 * Tests the built documentation site: each document has a page, each link leads somewhere, no script or style is
 * inline, and the search index has every page.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { buildDocsSite, type SiteFile } from "../tools/docs-site/docs-site.ts";
import { docGroups, docPageOf, docPages } from "../tools/docs-site/navigation.ts";
import { headingAnchor, renderPage } from "../tools/docs-site/render-page.ts";

/** Addresses in the pages that the service answers outside of the site. */
const SERVED_ELSEWHERE = new Set([
  "/",
  "/docs/api",
  "/debugger",
  "/api/v1/openapi.json",
  "/operator/v1/openapi.json",
]);

let files: readonly SiteFile[] = [];
let documents: ReadonlyMap<string, string> = new Map();

beforeAll(async () => {
  files = await buildDocsSite();
  documents = new Map(
    files
      .filter(({ path }) => path.endsWith(".html"))
      .map(({ path, content }) => [`/${path.replace(/(\/index)?\.html$/, "")}`, String(content)]),
  );
});

const all = (html: string, pattern: RegExp): readonly string[] =>
  [...html.matchAll(pattern)].map(([, found = ""]) => found);

describe("the documentation's site", () => {
  test("the site has a page for every file of docs, and one page of all decisions", () => {
    const paths = [...docPages().values()].map(({ path }) => path);
    expect(paths).toContain("/docs");
    expect([...documents.keys()].toSorted()).toEqual([...paths, "/docs/adr"].toSorted());
  });

  test("every link of the site leads to a page and an anchor", () => {
    const assets = new Set(files.map(({ path }) => `/${path}`));
    const broken = [...documents].flatMap(([at, html]) =>
      all(html, /(?:href|src|data-search)="([^"]*)"/g)
        .filter((to) => !/^(https?|mailto):/.test(to))
        .filter((to) => {
          const [path = "", id] = to.split("#");
          const target = documents.get(path === "" ? at : path);
          if (target === undefined) return !SERVED_ELSEWHERE.has(path) && !assets.has(path);
          return id !== undefined && !target.includes(`id="${decodeURIComponent(id)}"`);
        })
        .map((to) => `${at} → ${to}`),
    );
    expect(broken).toEqual([]);
  });

  test("no page has inline scripts or styles, which its policy forbids", () => {
    const inline = [...documents].filter(([, html]) =>
      /<style|\sstyle="|\son[a-z]+="|<script(?![^>]* src=)/.test(html),
    );
    expect(inline.map(([path]) => path)).toEqual([]);
  });

  test("each page has one title and unique ids", () => {
    for (const [path, html] of documents) {
      const ids = all(html, /\sid="([^"]*)"/g);
      expect([path, all(html, /<(h1)\b/g).length]).toEqual([path, 1]);
      expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    }
  });

  test("the search index has every page with its headings and their words, the decisions last", () => {
    const index = files.find(({ path }) => path.includes("site-search"));
    const pages = JSON.parse(String(index?.content)) as {
      path: string;
      sections: [string, string, string][];
    }[];
    expect(pages.map(({ path }) => path).toSorted()).toEqual([...documents.keys()].toSorted());
    const errors = pages.find(({ path }) => path === "/docs/reference/errors");
    expect(errors?.sections).toContainEqual([
      "by-endpoint",
      "By endpoint",
      expect.stringContaining("429"),
    ]);
    const isDecision = pages.map(({ path }) => path.startsWith("/docs/adr/"));
    expect(isDecision.lastIndexOf(false)).toBeLessThan(isDecision.indexOf(true));
  });

  test("a new guide appears in the navigation without being listed", () => {
    const added = docPageOf("docs/guides/brand-new.md", "# Brand new\n\nText.\n");
    const groups = docGroups(new Map([...docPages(), [added.source, added]]));
    expect(groups.find(({ title }) => title === "Start")?.pages).toContain(added);
    const shown = groups.flatMap(({ pages }) => pages);
    expect(new Set(shown).size).toBe(shown.length);
  });

  test("HTML in a page stays text, and no link runs anything", () => {
    const page = docPageOf(
      "docs/x.md",
      "# X\n\n<script>alert(1)</script> [a](javascript:alert(1))\n",
    );
    const { html } = renderPage(page, new Map());
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toMatch(/<script|href="javascript/);
  });

  test("a file of the repository is named, not linked", () => {
    const page = docPageOf(
      "docs/guides/x.md",
      "# X\n\n[story](../../packages/core/a.txt) [x](x.md#y)\n",
    );
    const { html } = renderPage(page, new Map([[page.source, page]]));
    expect(html).toContain('<span class="file" title="packages/core/a.txt">story</span>');
    expect(html).toContain('<a href="/docs/guides/x#y">x</a>');
  });

  test.each([
    ["`propgate serve`", "propgate-serve"],
    ["What is checked, and why?", "what-is-checked-and-why"],
    ["GET /api/v1/time", "get-apiv1time"],
  ])("%s has the anchor #%s", (text, slug) => expect(headingAnchor(text)).toBe(slug));
});

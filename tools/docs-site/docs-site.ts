/**
 * The documentation site: the documents of `docs/` as HTML pages with their assets, which the service serves at
 * `/docs`. The pages have no inline styles or scripts.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ROOT, readText } from "../../test/source-tree.ts";
import {
  DECISIONS_SOURCE,
  type DocGroup,
  type DocPage,
  docGroups,
  docPageOf,
  docPages,
  isDecision,
} from "./navigation.ts";
import { pageFrame, type SiteAssets } from "./page-frame.ts";
import { type RenderedPage, renderPage } from "./render-page.ts";

export interface SiteFile {
  /** The path relative to the folder of the built pages, such as `docs/guides/start.html`. */
  readonly path: string;
  readonly content: string | Buffer;
}

const SOURCES = "packages/dashboard/site";
/** Only the assets of the documentation have this prefix; the other pages keep theirs in the same folder. */
const ASSET_NAME = /^site-/;

/** Writes the site into the folder of the built pages, and replaces the previous site there. */
export async function writeDocsSite(folder: string): Promise<void> {
  const files = await buildDocsSite();
  await rm(join(folder, "docs"), { recursive: true, force: true });
  await mkdir(join(folder, "assets"), { recursive: true });
  const old = (await readdir(join(folder, "assets"))).filter((name) => ASSET_NAME.test(name));
  await Promise.all(old.map((name) => rm(join(folder, "assets", name))));
  for (const { path, content } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** All files of the site: a page for each document, and the assets. */
export async function buildDocsSite(): Promise<readonly SiteFile[]> {
  const pages = withDecisions(docPages());
  const groups = docGroups(pages);
  const rendered = new Map(
    [...pages.values()].map((page) => [page, renderPage(page, pages)] as const),
  );
  const { assets, files } = await siteAssets(searchIndex(rendered, groups));
  const documents = [...rendered].map(([page, one]) => ({
    path: `${page.path === "/docs" ? "docs/index" : page.path.slice(1)}.html`,
    content: pageFrame({ page, rendered: one, groups, assets }),
  }));
  return [...documents, ...files];
}

function withDecisions(pages: ReadonlyMap<string, DocPage>): ReadonlyMap<string, DocPage> {
  const lines = [...pages.values()]
    .filter(isDecision)
    .map(({ source, title }) => `- [${title}](${source.split("/").at(-1)})`);
  const markdown = `# Decisions\n\nEach decision, its reasons, and the alternatives that were rejected.\n\n${lines.join("\n")}\n`;
  return new Map([...pages, [DECISIONS_SOURCE, docPageOf(DECISIONS_SOURCE, markdown)]]);
}

/**
 * The search index as JSON: path, title and sections of every page, in reading order. A section is the id and the text
 * of its heading, and its words; the section of the title has an empty id. The pages of no group, which are the home
 * page and the decisions, come last, without words.
 */
function searchIndex(
  rendered: ReadonlyMap<DocPage, RenderedPage>,
  groups: readonly DocGroup[],
): string {
  const inOrder = groups.flatMap(({ pages }) => pages);
  const placeOf = (page: DocPage): number => {
    const place = inOrder.indexOf(page);
    return place === -1 ? inOrder.length : place;
  };
  const pages = [...rendered].toSorted(([one], [other]) => placeOf(one) - placeOf(other));
  return JSON.stringify(
    pages.map(([page, { headings }]) => ({
      path: page.path,
      title: page.title,
      sections: headings.map(({ level, id, text, words }) => [
        level === 1 ? "" : id,
        text,
        inOrder.includes(page) ? words : "",
      ]),
    })),
  );
}

/**
 * The assets that every page uses: their addresses and their files. Each name contains a hash of the content, so
 * browsers may cache the file without end.
 */
async function siteAssets(
  index: string,
): Promise<{ readonly assets: SiteAssets; readonly files: readonly SiteFile[] }> {
  const files: SiteFile[] = [];
  const add = (name: string, extension: string, content: string | Buffer): string => {
    const hash = createHash("sha256").update(content).digest("base64url").slice(0, 10);
    const path = `assets/site-${name}-${hash}.${extension}`;
    files.push({ path, content });
    return `/${path}`;
  };
  const { resolve } = createRequire(join(ROOT, "packages/dashboard/package.json"));
  const inter = resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2");
  const font = add("inter", "woff2", await readFile(inter));
  const style = readText(`${SOURCES}/site.css`)
    .replace("/* tokens */", colourVariables())
    .replace("{{font}}", font);
  const assets: SiteAssets = {
    font,
    style: add("style", "css", style),
    theme: add("theme", "js", await scriptOf("theme.ts")),
    script: add("page", "js", await scriptOf("page.ts")),
    search: add("search", "json", index),
    icon: add("icon", "svg", readText("packages/dashboard/src/icon.svg")),
  };
  return { assets, files };
}

/**
 * The colours of the owner's pages as CSS: dark by default, light when the system prefers light. The theme that a
 * reader chose has precedence over both.
 */
function colourVariables(): string {
  const css = readText("packages/dashboard/src/pages.css");
  const bodyOf = (theme: string): string => {
    const body = new RegExp(`\\[data-theme="${theme}"\\] \\{([^}]*)\\}`).exec(css)?.[1];
    if (body === undefined) throw new Error(`pages.css has no colours of the ${theme} theme`);
    return body;
  };
  const [dark, light] = [bodyOf("dark"), bodyOf("light")];
  return [
    `:root, [data-theme="dark"] {${dark}}`,
    `@media (prefers-color-scheme: light) { :root:not([data-theme="dark"]) {${light}} }`,
    `[data-theme="light"] {${light}}`,
  ].join("\n");
}

async function scriptOf(name: string): Promise<string> {
  const { minify, transformWithOxc } = await import("vite");
  const { code } = await transformWithOxc(readText(`${SOURCES}/${name}`), name, {
    sourcemap: false,
  });
  return (await minify(name.replace(".ts", ".js"), code)).code;
}

/** The frame around a page: head, navigation, contents, and links to the previous and next page. */
import type { DocGroup, DocPage } from "./navigation.ts";
import type { Heading, RenderedPage } from "./render-page.ts";

/** The addresses of the files that every page uses. */
export interface SiteAssets {
  readonly style: string;
  readonly font: string;
  readonly theme: string;
  readonly script: string;
  readonly search: string;
  readonly icon: string;
}

export interface FramedPage {
  readonly page: DocPage;
  readonly rendered: RenderedPage;
  readonly groups: readonly DocGroup[];
  readonly assets: SiteAssets;
}

/** Links of the navigation that lead outside the documentation. */
const MORE = [
  { href: "/docs/api", title: "API reference" },
  { href: "/debugger", title: "Signature debugger" },
  { href: "/api/v1/openapi.json", title: "OpenAPI file" },
] as const;

/** The whole HTML document of a page. */
export function pageFrame({ page, rendered, groups, assets }: FramedPage): string {
  const isHome = page.path === "/docs";
  const title = isHome ? "Propgate documentation" : `${page.title} · Propgate documentation`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="description" content="${escapeHtml(rendered.opening)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="preload" as="font" type="font/woff2" href="${assets.font}" crossorigin>
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.theme}"></script>
<script type="module" src="${assets.script}"></script>
</head>
<body data-search="${assets.search}">
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="menu" href="#pages">Menu</a>
<a class="brand" href="/docs"><strong>Propgate</strong> documentation</a>
<form class="search" role="search" hidden>
<input type="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off" spellcheck="false">
<div class="found" role="status"></div>
</form>
<button class="theme" type="button" hidden></button>
<a class="sign-in" href="/">Dashboard</a>
</header>
<div class="columns">
${navigation(groups, page)}
<main id="content" tabindex="-1">
<article>
${rendered.html}${isHome ? cards(groups) : ""}</article>
${isHome ? "" : pager(groups, page)}
</main>
${contents(rendered.headings)}
</div>
</body>
</html>
`;
}

function navigation(groups: readonly DocGroup[], current: DocPage): string {
  const sections = groups.map(({ title, pages }) => {
    const lines = pages.map(({ path, title: name }) => ({ href: path, title: name }));
    const all = title === "Reference" ? [...lines, ...MORE] : lines;
    return `<h2>${title}</h2>\n<ul>\n${all.map((line) => navigationLine(line, current)).join("\n")}\n</ul>`;
  });
  return `<nav id="pages" class="pages" aria-label="Pages">
<a class="close" href="#content">Close</a>
${sections.join("\n")}
</nav>`;
}

function navigationLine(
  { href, title }: { readonly href: string; readonly title: string },
  current: DocPage,
): string {
  const mark = href === current.path ? ' aria-current="page"' : "";
  return `<li><a href="${href}"${mark}>${escapeHtml(title)}</a></li>`;
}

/** The contents of a page as links to its headings of the second and third level; empty with fewer than two. */
function contents(headings: readonly Heading[]): string {
  const parts = headings.filter(({ level }) => level === 2 || level === 3);
  if (parts.length < 2) return "";
  const lines = parts.map(
    ({ level, id, text }) =>
      `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page">
<h2>On this page</h2>
<ul>
${lines.join("\n")}
</ul>
</nav>`;
}

function pager(groups: readonly DocGroup[], current: DocPage): string {
  const order = groups.flatMap(({ pages }) => pages);
  const at = order.findIndex(({ path }) => path === current.path);
  if (at === -1) return '<p class="pager"><a href="/docs/adr">All decisions</a></p>';
  const link = (page: DocPage | undefined, word: string, rel: string): string =>
    page === undefined
      ? ""
      : `<a rel="${rel}" href="${page.path}"><span>${word}</span> ${escapeHtml(page.title)}</a>`;
  return `<nav class="pager" aria-label="Previous and next page">
${link(order[at - 1], "Previous", "prev")}
${link(order[at + 1], "Next", "next")}
</nav>`;
}

function cards(groups: readonly DocGroup[]): string {
  return groups
    .map(
      ({ title, pages }) => `<section class="card">
<h2 id="${title.toLowerCase()}">${title}</h2>
<ul>
${pages.map((page) => `<li><a href="${page.path}">${escapeHtml(page.title)}</a></li>`).join("\n")}
</ul>
</section>`,
    )
    .join("\n");
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** A page's markdown as HTML, with the data for its contents and for the search. */
import { posix } from "node:path";
import markdownIt, { type MarkdownIt, type RendererRule, type Token } from "markdown-it";
import { readText } from "../../test/source-tree.ts";
import { linkTarget } from "./links.ts";
import type { DocPage } from "./navigation.ts";

export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
  /** The words between this heading and the next one, each once and in lower case, for the search. */
  readonly words: string;
}

export interface RenderedPage {
  readonly html: string;
  readonly headings: readonly Heading[];
  /** The first sentence of the page, as plain text. */
  readonly opening: string;
}

/**
 * Renders the markdown of a page as HTML. HTML in the markdown stays text, so a page contains only what markdown can
 * express.
 */
export function renderPage(page: DocPage, pages: ReadonlyMap<string, DocPage>): RenderedPage {
  const markdown = markdownIt({ html: false });
  const tokens = markdown.parse(page.markdown, {});
  const headings = identifyHeadings(tokens);
  rewriteLinks(tokens, page, pages);
  addRules(markdown, page);
  const opening = tokens.find(
    ({ type, content }) => type === "inline" && !content.startsWith(page.title) && content !== "",
  );
  return {
    html: markdown.renderer.render(tokens, markdown.options, {}),
    headings,
    opening: firstSentence(textOf(opening)),
  };
}

/**
 * Gives each heading the id that GitHub gives it, so that an anchor means the same in both places. Returns the
 * headings.
 */
function identifyHeadings(tokens: readonly Token[]): readonly Heading[] {
  const seen = new Map<string, number>();
  const words = wordsBelow(tokens);
  return tokens.flatMap((token, at) => {
    if (token.type !== "heading_open") return [];
    const text = textOf(tokens[at + 1]);
    const slug = headingAnchor(text);
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    const id = times === 0 ? slug : `${slug}-${times}`;
    token.attrSet("id", id);
    token.meta = { text };
    return [{ level: Number(token.tag.slice(1)), id, text, words: words.get(token) ?? "" }];
  });
}

/** The words of each section, by the token of its heading. */
function wordsBelow(tokens: readonly Token[]): ReadonlyMap<Token, string> {
  const sections = new Map<Token, Set<string>>();
  let section = new Set<string>();
  for (const token of tokens) {
    if (token.type === "heading_open") {
      section = new Set();
      sections.set(token, section);
      continue;
    }
    const text = token.type === "inline" ? textOf(token) : token.content;
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []) section.add(word);
  }
  return new Map([...sections].map(([heading, words]) => [heading, [...words].join(" ")]));
}

/** The anchor that GitHub makes of the text of a heading. */
export function headingAnchor(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

function textOf(token: Token | undefined): string {
  return (token?.children ?? [])
    .map(({ type, content }) => (type === "softbreak" ? " " : content))
    .join("");
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
}

/**
 * Links between pages get the addresses of the site. A link to a file that the site does not have becomes a `span` with
 * the file's path as its title.
 */
function rewriteLinks(
  tokens: readonly Token[],
  page: DocPage,
  pages: ReadonlyMap<string, DocPage>,
): void {
  for (const { children } of tokens) {
    let tag = "a";
    for (const token of children ?? []) {
      if (token.type === "link_open") tag = rewriteLink(token, page, pages);
      if (token.type === "link_close") token.tag = tag;
    }
  }
}

/** Rewrites the opening token of a link. Returns the tag that the link has then: `a`, or `span` for a file. */
function rewriteLink(token: Token, page: DocPage, pages: ReadonlyMap<string, DocPage>): string {
  const target = linkTarget(String(token.attrGet("href")), page.source, pages);
  if (target.kind === "file") {
    token.tag = "span";
    token.attrs = [
      ["class", "file"],
      ["title", target.file],
    ];
  } else {
    token.attrSet("href", target.href);
    if (/^https?:/.test(target.href)) token.attrSet("rel", "noreferrer");
  }
  return token.tag;
}

function addRules(markdown: MarkdownIt, page: DocPage): void {
  const { rules } = markdown.renderer;
  const { escapeHtml } = markdown.utils;
  const fence: RendererRule = (tokens, at) => {
    const content = tokens[at]?.content ?? "";
    const language = tokens[at]?.info.split(" ")[0] ?? "";
    const name = language === "" ? "" : ` data-language="${escapeHtml(language)}"`;
    return `<div class="code"${name}><pre tabindex="0"><code>${escapeHtml(content)}</code></pre></div>\n`;
  };
  rules.fence = fence;
  rules.code_block = fence;
  rules.code_inline = (tokens, at) =>
    `<code>${breakable(tokens[at]?.content ?? "")
      .map(escapeHtml)
      .join("<wbr>")}</code>`;
  rules.table_open = () =>
    '<div class="table" role="group" aria-label="Table" tabindex="0"><table>\n';
  rules.table_close = () => "</table></div>\n";
  // An empty column heading becomes an ordinary cell, because screen readers announce such a heading as a blank.
  rules.th_open = (tokens, at) => (tokens[at + 1]?.content === "" ? "<td>" : '<th scope="col">');
  rules.th_close = (tokens, at) => (tokens[at - 1]?.content === "" ? "</td>\n" : "</th>\n");
  rules.heading_close = (tokens, at) => {
    const open = tokens[at - 2];
    if (open === undefined || open.tag === "h1") return "</h1>\n";
    const about = escapeHtml(String(open.meta?.text));
    return ` <a class="anchor" href="#${open.attrGet("id")}" aria-label="Link to ${about}">#</a></${open.tag}>\n`;
  };
  rules.image = (tokens, at) => {
    const token = tokens[at];
    const source = posix.join(posix.dirname(page.source), String(token?.attrGet("src")));
    return pictureOf(source, escapeHtml(token?.content ?? ""));
  };
}

/** Splits a long name at the positions where it may wrap: after a dot, slash or underscore, and before a capital. */
function breakable(code: string): readonly string[] {
  return code.split(/(?<=[\w\])][./_])(?=\w)|(?<=[a-z])(?=[A-Z])/);
}

/**
 * The drawing as inline SVG without its `<style>`. The page's content security policy blocks inline styles, and the
 * site's style follows the chosen theme.
 */
function pictureOf(source: string, about: string): string {
  if (!source.endsWith(".svg")) throw new Error(`${source}: only drawings are part of the site`);
  const drawing = readText(source)
    .replace(/<\?xml[^>]*\?>/, "")
    .replace(/<style>[\s\S]*?<\/style>/, "")
    .replace(/<title>[\s\S]*?<\/title>/, "")
    .replace("<svg ", `<svg class="picture" role="img" aria-label="${about}" `);
  return `<span class="figure">${drawing.trim()}</span>`;
}

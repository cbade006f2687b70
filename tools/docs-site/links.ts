import { posix } from "node:path";
import type { DocPage } from "./navigation.ts";

/**
 * The addresses of links whose target is not a page: files that the service serves elsewhere, the README, and folders.
 */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["docs/reference/openapi.json", "/api/v1/openapi.json"],
  ["docs/reference/operator-openapi.json", "/operator/v1/openapi.json"],
  ["README.md", "/docs"],
  ["docs", "/docs"],
  ["docs/adr", "/docs/adr"],
]);

export type LinkTarget =
  | { readonly kind: "page" | "elsewhere"; readonly href: string }
  /** The link leads to a file of the repository that is not part of the site. */
  | { readonly kind: "file"; readonly file: string };

/** The target of a link on the site. `href` is the link as written in the document `from`. */
export function linkTarget(
  href: string,
  from: string,
  pages: ReadonlyMap<string, DocPage>,
): LinkTarget {
  if (/^[a-z]+:/.test(href) || href.startsWith("/")) return { kind: "elsewhere", href };
  const [path = "", anchor] = href.split("#");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (path === "") return { kind: "page", href: hash };
  const file = posix.join(posix.dirname(from), path).replace(/\/$/, "");
  const page = pages.get(file);
  if (page !== undefined) return { kind: "page", href: `${page.path}${hash}` };
  const elsewhere = ELSEWHERE.get(file);
  return elsewhere === undefined
    ? { kind: "file", file }
    : { kind: "elsewhere", href: `${elsewhere}${hash}` };
}

/** The target of a page's link within the site. */
import { posix } from "node:path";
import type { DocPage } from "./navigation.ts";

/** Sources that the service serves at an address outside the pages. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["docs/reference/openapi.json", "/api/v1/openapi.json"],
  ["docs/reference/operator-openapi.json", "/operator/v1/openapi.json"],
  ["README.md", "/docs"],
  ["docs", "/docs"],
  ["docs/adr", "/docs/adr"],
]);

export type LinkTarget =
  | { readonly kind: "page" | "elsewhere"; readonly href: string }
  /** A file of the repository, which the site does not have. */
  | { readonly kind: "file"; readonly file: string };

/** `href` as written in the source `from`. */
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

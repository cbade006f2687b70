/** The pages of the documentation, their groups and their reading order. */
import { filesBelow, readText } from "../../test/source-tree.ts";

/** A document of `docs/` as a page of the site. */
export interface DocPage {
  /** The path in the repository, such as `docs/guides/start.md`. */
  readonly source: string;
  /** The address on the site, such as `/docs/guides/start`. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
}

/** A group of the navigation with its pages in reading order. */
export interface DocGroup {
  readonly title: string;
  readonly pages: readonly DocPage[];
}

export const HOME_SOURCE = "docs/README.md";
/**
 * The source of the page that lists the decisions. The decisions are in no group: they are many, and each is read on
 * its own.
 */
export const DECISIONS_SOURCE = "docs/adr/README.md";
const DECISION = /^docs\/adr\/\d{4}-.*\.md$/;
/** The line of a generated page that tells editors not to edit it. The site does not show it. */
const ORIGIN = /^Generated from .* do not edit\.\n\n/m;
const TEMPLATE = "docs/adr/0000-template.md";

/**
 * The groups. `order` lists the pages of a group. A page that no group lists comes at the end of the group that has its
 * folder in `folders`.
 */
const GROUPS: readonly {
  readonly title: string;
  readonly folders: readonly string[];
  readonly order: readonly string[];
}[] = [
  {
    title: "Start",
    folders: ["guides"],
    order: [
      "guides/start",
      "guides/what-this-is-not",
      "guides/sign-a-request",
      "guides/after-a-timeout",
      "guides/sdk",
      "guides/events",
      "guides/webhooks",
      "guides/cli",
      "guides/sandbox",
      "guides/sandbox-recipes",
      "guides/mcp",
      "guides/ccxt",
    ],
  },
  {
    title: "Trade",
    folders: [],
    order: ["guides/order-types", "domain/execution", "domain/sessions"],
  },
  {
    title: "Rules",
    folders: ["domain"],
    order: [
      "domain/drawdown",
      "domain/evaluation",
      "domain/pro-track",
      "domain/payouts",
      "domain/clock-work",
      "domain/glossary",
    ],
  },
  {
    title: "Operate",
    folders: [],
    order: [
      "guides/self-host",
      "guides/scale",
      "guides/instruments",
      "guides/remove-a-pair",
      "guides/live-prices",
      "guides/push-prices",
      "guides/corporate-actions",
      "guides/recorded-prices",
      "guides/operate",
      "guides/programs",
      "guides/operator-api",
      "guides/vanta",
      "guides/upgrade",
      "guides/security",
      "guides/proofs",
      "guides/simulate",
    ],
  },
  {
    title: "Reference",
    folders: ["reference", "spec", "adr"],
    order: [
      "reference/endpoints",
      "reference/operator-endpoints",
      "reference/events",
      "reference/errors",
      "reference/limits",
      "reference/cli",
      "reference/configuration",
      "reference/metrics",
      "reference/database",
      "reference/reliability",
      "reference/capacity",
      "reference/performance",
      "reference/dependencies",
      "spec/specification",
      "spec/open-points",
      "spec/rules",
    ],
  },
];

/** Every page of `docs/` except the template of a decision, by its source. */
export function docPages(): ReadonlyMap<string, DocPage> {
  const sources = filesBelow("docs").filter((path) => path.endsWith(".md") && path !== TEMPLATE);
  return new Map(sources.map((source) => [source, docPageOf(source, readText(source))]));
}

/** The page of a document. Its title is the text of the first `# ` line; throws when there is none. */
export function docPageOf(source: string, markdown: string): DocPage {
  const path = `/${source.replace(/\.md$/, "").replace(/\/README$/, "")}`;
  const title = /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll("`", "");
  if (title === undefined) throw new Error(`${source} has no title: its first line is \`# …\``);
  return { source, path, title, markdown: markdown.replace(ORIGIN, "") };
}

/** The groups of the navigation with their pages. The home page and the decisions are in no group. */
export function docGroups(pages: ReadonlyMap<string, DocPage>): readonly DocGroup[] {
  const shown = [...pages.values()].filter(
    (page) => page.source !== HOME_SOURCE && !isDecision(page),
  );
  const byName = new Map(shown.map((page) => [nameOf(page), page] as const));
  const listed = new Set(GROUPS.flatMap(({ order }) => order));
  return GROUPS.map(({ title, folders, order }) => ({
    title,
    pages: [
      ...order.flatMap((name) => byName.get(name) ?? []),
      ...shown.filter(
        (page) => !listed.has(nameOf(page)) && folders.includes(nameOf(page).replace(/\/.*$/, "")),
      ),
    ],
  }));
}

/** The source of a page without `docs/` and `.md`, such as `guides/start`. */
function nameOf({ source }: DocPage): string {
  return source.replace(/^docs\//, "").replace(/\.md$/, "");
}

export function isDecision({ source }: DocPage): boolean {
  return DECISION.test(source);
}

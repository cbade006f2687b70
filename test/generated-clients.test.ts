/** Tests clients that generators make from the served OpenAPI document: they compile and work. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import { OPENAPI_PATH, REQUEST_EXAMPLES } from "@propgate/contract";
import type { RunningSandbox } from "@propgate/server";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { startSandbox } from "../packages/server/src/start/start-sandbox.ts";
import { createControlClient } from "../packages/server/src/testing/control-client.ts";
import { RIGHT_TRADES, WRONG_TRADES } from "./generated-clients/orders.ts";
import { ROOT, readText } from "./source-tree.ts";

const START = Date.UTC(2026, 0, 5, 12);
const COMPILER = join(ROOT, "node_modules/.bin/tsc");
/** The tsconfig of the generated clients. */
const SETTINGS = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: "ES2023",
    lib: ["ES2023", "DOM", "DOM.Iterable"],
    types: ["node"],
    module: "ESNext",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
  },
  include: ["**/*.ts"],
};

/** The name of each generator, and the declaration of `Body`, its type of an order's body. */
const GENERATORS = [
  [
    "openapi-typescript",
    'import type { components } from "./schema.d.ts";\ntype Body = components["schemas"]["OrderRequest"];',
  ],
  ["@hey-api/openapi-ts", 'import type { OrderRequest as Body } from "./hey/types.gen.ts";'],
] as const;

const RIGHT: readonly (readonly [name: string, body: object])[] = [
  ...Object.entries(REQUEST_EXAMPLES),
  ...Object.entries(RIGHT_TRADES).map(([name, trade]) => [name, { trade }] as const),
];
const WRONG = Object.entries(WRONG_TRADES).map(([name, trade]) => [name, { trade }] as const);

const fileOf = (generator: string, name: string): string =>
  `${generator.replaceAll(/\W/g, "")}-${name}.ts`;

describe("clients generated from the served document [D10.openapi]", () => {
  let folder = "";
  let sandbox: RunningSandbox;
  /** One message of the compiler for each file with an error, by the name of the file. */
  let complaints: ReadonlyMap<string, string>;

  beforeAll(async () => {
    await mkdir(join(ROOT, ".propgate"), { recursive: true });
    // The folder is below the checkout, so that packages are found.
    folder = await mkdtemp(join(ROOT, ".propgate", "clients-"));
    sandbox = await startSandbox({
      port: 0,
      startMs: START,
      seed: "7",
      clock: "frozen",
      dataDir: null,
      networkTimeoutMs: 15_000,
    });
    const quotes = [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }];
    expect((await createControlClient(sandbox)("POST", "/quotes", quotes)).status).toBe(200);
    await generate(await served());
    await Promise.all([...bodyFiles(), ...programFiles()].map(([name, text]) => write(name, text)));
    await write("tsconfig.json", JSON.stringify(SETTINGS));
    complaints = await compiled();
    return async () => {
      await sandbox.stop();
      await rm(folder, { recursive: true, force: true });
    };
  });

  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

  async function served(): Promise<OpenAPI3> {
    const response = await fetch(`${sandbox.ready.baseUrl}${OPENAPI_PATH}`);
    return (await response.json()) as OpenAPI3;
  }

  async function generate(document: OpenAPI3): Promise<void> {
    await write("schema.d.ts", astToString(await openapiTS(document, { silent: true })));
    await createClient({
      input: { ...document },
      output: { path: join(folder, "hey"), module: { extension: ".ts" } },
      plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
      logs: { level: "silent" },
    });
  }

  function compiled(): Promise<ReadonlyMap<string, string>> {
    return new Promise((resolve) => {
      execFile(COMPILER, ["-p", folder, "--pretty", "false"], { cwd: folder }, (_, stdout) => {
        const lines = stdout.split("\n").filter((line) => /^\S.*error TS/.test(line));
        resolve(new Map(lines.map((line) => [line.split("(")[0] ?? line, line])));
      });
    });
  }

  /** Runs a program with the key of a new account. Resolves with the JSON that it prints. */
  async function run(file: string): Promise<unknown> {
    const control = createControlClient(sandbox);
    const { body: account } = await control("POST", "/accounts", { size: 100_000 });
    const { accountId } = account as { accountId: string };
    const scopes = ["trade:read", "trade:place"];
    const { body: key } = await control("POST", "/keys", { accountId, scopes });
    const { keyId, secret } = key as { keyId: string; secret: string };
    const env = { BASE_URL: sandbox.ready.baseUrl, KEY_ID: keyId, SECRET: secret };
    const options = { cwd: folder, env };
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [join(folder, file)], options, (error, stdout, stderr) =>
        error === null
          ? resolve(JSON.parse(stdout))
          : reject(new Error(`${stdout}${stderr}`, { cause: error })),
      );
    });
  }

  test("the compiler accepts the generated files and the programs that use them", () => {
    const bodies = new Set(bodyFiles().map(([name]) => name));
    expect([...complaints].filter(([file]) => !bodies.has(file))).toEqual([]);
  });

  test("no schema becomes unknown, and no operation requires a header", async () => {
    const document = await served();
    const types = astToString(await openapiTS(document, { silent: true }));
    const schemas = types.slice(types.indexOf("    schemas: {"), types.indexOf("    responses: {"));
    expect(schemas.length).toBeGreaterThan(10_000);
    const hey = await readFile(join(folder, "hey/types.gen.ts"), "utf8");
    for (const text of [schemas, hey]) {
      expect(codeOf(text).filter(isLoose)).toEqual([]);
    }
    expect(codeOf(hey).filter((line) => /^\s*headers\b/.test(line))).toEqual([]);
  });

  describe.each(GENERATORS)("%s", (generator) => {
    test.each(RIGHT)("a generated client compiles %s", (name) => {
      expect(complaints.get(fileOf(generator, name))).toBeUndefined();
    });

    test.each(WRONG)("the generated types reject %s", (name) => {
      expect(complaints.get(fileOf(generator, name))).toMatch(/is not assignable|is missing/);
    });
  });

  test("openapi-fetch calls every endpoint, signed by one middleware", async () => {
    expect(await run("openapi-fetch.ts")).toEqual({
      market: "filled",
      limit: "resting",
      edit: "edited",
      stopLimit: "resting",
      bracket: "resting",
      legEdit: "edited",
      cancel: "cancelled",
      cancelAll: "cancelled",
      flat: "filled",
      again: "filled",
      flatten: "flattened",
      refused: "'order_uuid' gone is not a pending order",
      // The pending orders are the limit order, the stop-limit order, and both legs of the position.
      resting: 4,
      preview: 0.1,
      account: "evaluation",
      positions: 0,
      trades: ["CLOSED", "CLOSED"],
      payouts: "not_applicable",
      instruments: true,
      quote: 50_000,
      receipt: "unseen",
      otherAccount: [403, "This API key is only valid for a different account"],
    });
  });

  test("@hey-api/openapi-ts calls the service, signed by one interceptor", async () => {
    expect(await run("hey-api.ts")).toEqual({
      account: "evaluation",
      preview: 0.1,
      placed: "filled",
      closed: "flattened",
      refused: "'order_uuid' gone is not a pending order",
      receipt: "unseen",
    });
  });
});

function bodyFiles(): readonly (readonly [name: string, text: string])[] {
  return GENERATORS.flatMap(([generator, type]) =>
    [...RIGHT, ...WRONG].map(
      ([name, body]) =>
        [
          fileOf(generator, name),
          `${type}\nexport const body: Body = ${JSON.stringify(body)};\n`,
        ] as const,
    ),
  );
}

function programFiles(): readonly (readonly [name: string, text: string])[] {
  return ["openapi-fetch", "hey-api"].map(
    (name) => [`${name}.ts`, readText(`test/generated-clients/${name}.txt`)] as const,
  );
}

/** Whether a line has the type `unknown` or `any`. `"unknown"` as a word of the API is not a type. */
function isLoose(line: string): boolean {
  return /\b(unknown|any)\b/.test(line.replace(/"[^"]*"|'[^']*'/g, ""));
}

/** The lines of a source that are not comments. */
function codeOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => !/^\s*(\/\*\*|\*)/.test(line));
}

/**
 * Packs the packages in a fresh checkout without earlier builds. The check of the types builds the packages there, lint
 * needs these builds and finds nothing, and `npm pack` packs them. The client is installed without a registry and
 * places an order at a sandbox that runs from the packed command.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { withoutPropgateVariables } from "../packages/cli/src/testing/run-cli.ts";
import { findOlderNode } from "./find-older-node.ts";
import { makeFreshCheckout } from "./fresh-checkout.ts";
import { ROOMS, ROOT } from "./source-tree.ts";

/** The packages in the order of their dependencies. */
const PACKAGES = [
  "contract",
  "sdk",
  "operator",
  "ccxt",
  "core",
  "dashboard",
  ...ROOMS,
  "stand-in",
  "cli",
] as const;
const INSTALLED = ["contract", "sdk", "operator", "ccxt"] as const;

const PROGRAM = `
  import { createClient } from "@propgate/sdk";
  const { baseUrl, keyId, secret } = JSON.parse(process.argv[2]);
  const client = createClient({ baseUrl, keyId, secret, strict: true });
  const { accountSize } = await client.account();
  const trade = {
    execution_type: "LIMIT",
    trade_pair: "BTCUSD",
    order_type: "LONG",
    limit_price: 40000,
    quantity: 0.1,
  };
  const { fate } = await client.placeOrder({ trade });
  console.log(JSON.stringify({ accountSize, fate, resting: (await client.pendingOrders()).length }));
`;

const TYPED_PROGRAM = `
  import { RejectedError, createClient, type Client, type OrderRequest } from "@propgate/sdk";
  import { createOperator, type Operator } from "@propgate/operator";
  import { ORDER_RESULT } from "@propgate/contract";
  import { propgateIn } from "@propgate/ccxt";
  const sized = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" } as const;
  const order: OrderRequest = { trade: { ...sized, quantity: 0.1 } };
  // @ts-expect-error: the size is missing.
  const wrong: OrderRequest = { trade: sized };
  export async function trade(client: Client): Promise<number> {
    const { accountSize } = await client.account();
    const { fate } = await client.placeOrder(accountSize > 0 ? order : wrong);
    return fate === "accepted" ? accountSize : 0;
  }
  export const all: readonly unknown[] = [RejectedError, createClient, createOperator, ORDER_RESULT, propgateIn];
  export type Made = Operator;
`;

/**
 * The kinds of users' projects, each with compiler and settings: TypeScript 7, and TypeScript 6 for the oldest kind of
 * module resolution.
 */
const COMPILERS = [
  ["commonjs", "@typescript/native/bin/tsc", "--module node16"],
  ["module", "@typescript/native/bin/tsc", "--module node16"],
  ["commonjs", "@typescript/native/bin/tsc", "--module nodenext"],
  ["module", "@typescript/native/bin/tsc", "--module esnext --moduleResolution bundler"],
  [
    "commonjs",
    "typescript/bin/tsc6",
    "--module commonjs --moduleResolution node10 --ignoreDeprecations 6.0",
  ],
] as const;

/**
 * Programs of bots with the output of each: one loads ccxt as an ES module, one as a CommonJS module, and one has no
 * ccxt.
 */
const CCXT_PROGRAMS = [
  [
    "esm.mjs",
    `import ccxt from "ccxt";
    import { propgateIn } from "@propgate/ccxt";
    const Propgate = propgateIn(ccxt);
    console.log(new Propgate() instanceof ccxt.Exchange);`,
    "true",
  ],
  [
    "common.cjs",
    `const ccxt = require("ccxt");
    const { propgateIn } = require("@propgate/ccxt");
    const Propgate = propgateIn(ccxt);
    console.log(new Propgate() instanceof ccxt.Exchange);`,
    "true",
  ],
  [
    "without.mjs",
    `import { propgateIn } from "@propgate/ccxt";
    try { propgateIn(undefined); } catch (error) { console.log(error.message.slice(-72)); }`,
    'npm install ccxt@4.5, import ccxt from "ccxt", propgateIn(ccxt)',
  ],
] as const;

function run(command: string, given: readonly string[], cwd: string): Promise<string> {
  const options = { cwd, env: withoutPropgateVariables(process.env) };
  return new Promise((resolve, reject) => {
    execFile(command, [...given], options, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`${stdout}${stderr}`, { cause: error })),
    );
  });
}

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, "packages", name, "package.json"), "utf8")) as Manifest;
}

const tarball = (name: string): string => `propgate-${name}-${manifestOf(name).version}.tgz`;

/** A Node that is too old for the service; null when there is none. The clients must also run on it. */
const OLDER_NODE = findOlderNode("the packed clients");

describe("packages packed in a fresh checkout", () => {
  let folder = "";
  let checkout = "";
  let lint: Promise<string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "propgate-packed-"));
    checkout = await makeFreshCheckout();
    // The check also compiles tests, tools and pages. It builds the packages, so packing has nothing left to compile.
    await run("npm", ["run", "--silent", "types"], checkout);
    lint = run("npm", ["run", "--silent", "lint"], checkout);
    // A failure of lint is ignored here, because the test of lint below reports it.
    lint.catch(() => undefined);
    const pack = (names: readonly string[], ...options: readonly string[]) => {
      const workspaces = names.map((name) => `--workspace=@propgate/${name}`);
      return run(
        "npm",
        ["pack", ...options, "--pack-destination", folder, ...workspaces],
        checkout,
      );
    };
    const built = PACKAGES.filter((name) => name !== "dashboard");
    await pack(built, "--ignore-scripts=false");
    // The pages are not built here: they have a test of their own, and a sandbox needs no pages.
    await pack(["dashboard"], "--ignore-scripts");
    const dependencies = Object.fromEntries(
      INSTALLED.map((name) => [`@propgate/${name}`, `file:${tarball(name)}`]),
    );
    const manifest = JSON.stringify({ name: "empty", private: true, type: "module", dependencies });
    await writeFile(join(folder, "package.json"), manifest);
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund"], folder);
    return async () => {
      await lint.catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
      await rm(checkout, { recursive: true, force: true });
    };
  });

  /** Installs a packed package as npm would, with its dependencies and nothing else of this checkout. */
  async function place(name: string): Promise<void> {
    const target = join(folder, "node_modules/@propgate", name);
    mkdirSync(target, { recursive: true });
    const packed = join(folder, tarball(name));
    await run("tar", ["-xzf", packed, "-C", target, "--strip-components=1"], folder);
    for (const one of Object.keys(manifestOf(name).dependencies ?? {})) {
      const link = join(folder, "node_modules", one);
      if (one.startsWith("@propgate/") || existsSync(link)) continue;
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(ROOT, "node_modules", one), link);
    }
  }

  test("npm run lint finds nothing", () => lint);

  test("the client trades at a sandbox of the packed command, which then judges the journal", async () => {
    for (const name of PACKAGES.slice(INSTALLED.length)) await place(name);
    const command = join(folder, "node_modules/@propgate/cli/bin/propgate.js");
    const data = join(folder, "box");
    const start = ["--start", "2026-01-05T12:00:00Z"];
    const given = ["sandbox", ...start, "--data", join(data, "database")];
    const sandbox = spawn(process.execPath, [command, ...given], {
      cwd: folder,
      // The sandbox runs without the preload of the tests, so it runs `initdb` for its new database.
      env: { ...withoutPropgateVariables(process.env), NODE_OPTIONS: "" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const closed = once(sandbox, "close");
    onTestFinished(async () => {
      sandbox.kill("SIGKILL");
      await closed;
    });
    let stderr = "";
    sandbox.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const ended = closed.then(() => Promise.reject(new Error(`the sandbox ended: ${stderr}`)));
    const [line] = await Promise.race([once(createInterface(sandbox.stdout), "line"), ended]);
    await writeFile(join(folder, "program.js"), PROGRAM);
    const nodes = [process.execPath, ...(OLDER_NODE === null ? [] : [OLDER_NODE])];
    for (const [index, node] of nodes.entries()) {
      const printed = JSON.parse(await run(node, ["program.js", String(line)], folder));
      expect(printed).toEqual({ accountSize: 100_000, fate: "accepted", resting: index + 1 });
    }
    ended.catch(() => undefined);

    sandbox.kill("SIGTERM");
    await closed;
    const { accountId } = JSON.parse(String(line));
    const file = join(folder, "journal.jsonl");
    const propgate = (...words: string[]) => run(process.execPath, [command, ...words], folder);
    await propgate("journal", "export", accountId, "--offline", "--data", data, "--out", file);
    await rm(data, { recursive: true });
    const judged = JSON.parse(await propgate("rejudge", file, "--json"));
    expect(judged).toMatchObject({ different: null, otherVersions: [] });
    expect(judged.judged).toBeGreaterThan(nodes.length);
  });

  test.each(COMPILERS)(
    "a project of type %s finds the types of the clients with %s and %s",
    async (type, compiler, options) => {
      const project = await mkdtemp(join(folder, "typed-"));
      await writeFile(join(project, "package.json"), JSON.stringify({ type }));
      await writeFile(join(project, "user.ts"), TYPED_PROGRAM);
      const strict = "--noEmit --strict --skipLibCheck --target es2023 --lib es2023,dom";
      const given = [...strict.split(" "), ...options.split(" "), "user.ts"];
      await run(process.execPath, [join(ROOT, "node_modules", compiler), ...given], project);
    },
  );

  test.each(CCXT_PROGRAMS)("the exchange of ccxt runs %s", async (file, program, printed) => {
    const link = join(folder, "node_modules/ccxt");
    if (!existsSync(link)) symlinkSync(join(ROOT, "node_modules/ccxt"), link);
    await writeFile(join(folder, file), program);
    expect(await run(process.execPath, [file], folder)).toContain(printed);
    if (OLDER_NODE !== null) expect(await run(OLDER_NODE, [file], folder)).toContain(printed);
  });

  test.each(PACKAGES)(
    "the package %s contains its code, its licence and a README, and no test",
    async (name) => {
      const listed = (await run("tar", ["-tzf", tarball(name)], folder)).split("\n");
      expect(listed.filter((path) => /\.test\.|\/src\/testing\//.test(path))).toEqual([]);
      for (const file of ["LICENSE", "README.md"]) expect(listed).toContain(`package/${file}`);
      // The dashboard has no such entry: its pages have a test of their own.
      const entry = name === "cli" ? "package/dist/main.js" : "package/dist/index.js";
      if (name !== "dashboard") expect(listed).toContain(entry);
      expect(await readFile(join(checkout, "packages", name, "LICENSE"), "utf8")).toBe(
        await readFile(join(ROOT, "LICENSE"), "utf8"),
      );
    },
  );
});

/**
 * Checks every block of the documentation. A block that a reader may paste is run on a live service, or compared with
 * the command line, the contract or a tested program. A block that no check covers fails.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type BackgroundCli, startCliHere } from "../packages/cli/src/testing/background-cli.ts";
import { runCli, withoutPropgateVariables } from "../packages/cli/src/testing/run-cli.ts";
import { freePort } from "./environment/free-port.ts";
import {
  CHECKED_LANGUAGES,
  type CodeBlock,
  codeBlocksOf,
  isTestedProgram,
  jsonProblem,
  pagesWithSnippets,
  shellProblems,
  snippetProgram,
} from "./snippets.ts";
import { ROOT } from "./source-tree.ts";
import { SANDBOX_GUIDES, shellScriptOf, stepOutputs, withWildcards } from "./walkthrough.ts";

/** Pages whose blocks `test/walkthrough.test.ts` runs. */
const PAGES_OF_WALKTHROUGH: readonly string[] = SANDBOX_GUIDES;
/** A page whose programs `packages/ccxt/src/guide.test.ts` runs. */
const CCXT_PAGE = "docs/guides/ccxt.md";
/** A page whose programs `test/sdk-pages.test.ts` runs. */
const SDK_PAGE = "docs/guides/sdk.md";
/** A page whose blocks need a service that accepts pushed prices. */
const PUSH_PRICES_PAGE = "docs/guides/push-prices.md";
const SERVE = ["serve", "--json", "--show-secrets", "--port", "0"] as const;

/** The output of a service that is ready, with its address and the first key. */
interface Summary {
  readonly baseUrl: string;
  readonly firstKey: { readonly keyId: string; readonly secret: string };
}

type Settings = Readonly<Record<string, string>>;

const CODE_BLOCKS = pagesWithSnippets().flatMap(codeBlocksOf);
const nameOf = ({ page, line, language }: CodeBlock): string => `${page}:${line} ${language}`;
const isShell = ({ language }: CodeBlock): boolean => ["sh", "bash"].includes(language);
const isProgram = ({ language }: CodeBlock): boolean =>
  ["ts", "typescript", "js", "python"].includes(language);
const isCommands = (fence: CodeBlock): boolean => shellProblems(fence.code).length === 0;

/**
 * Pages with a shell block whose output the page shows. Of the shell blocks of these pages, those with an output are
 * run, and those that `shellProblems` cannot judge.
 */
const SHELL_PAGES = new Set(
  CODE_BLOCKS.filter((fence) => isShell(fence) && fence.prints !== null).map(({ page }) => page),
);
const isRun = (fence: CodeBlock): boolean =>
  !PAGES_OF_WALKTHROUGH.includes(fence.page) &&
  ((isShell(fence) &&
    SHELL_PAGES.has(fence.page) &&
    (fence.prints !== null || !isCommands(fence))) ||
    (isProgram(fence) && ![CCXT_PAGE, SDK_PAGE].includes(fence.page) && !isTestedProgram(fence)));
/**
 * JSON blocks that are the output of a block that runs, by page and text. The run of that block compares the output.
 */
const PRINTED_JSON = new Set(
  CODE_BLOCKS.filter((fence) => isRun(fence) || PAGES_OF_WALKTHROUGH.includes(fence.page)).map(
    ({ page, prints }) => `${page}\n${prints?.code}`,
  ),
);

describe("the blocks of the documentation", () => {
  test("the documentation has blocks to check", () => {
    expect(CODE_BLOCKS.length).toBeGreaterThan(80);
    expect(CODE_BLOCKS.filter(isRun).length).toBeGreaterThan(5);
  });

  const shells = CODE_BLOCKS.filter(
    (one) => isShell(one) && !PAGES_OF_WALKTHROUGH.includes(one.page) && !isRun(one),
  );
  test.each(shells.map((fence) => [nameOf(fence), fence] as const))(
    "%s: each line is an existing command, or its page is run",
    (_, { page, code }) => {
      // `test/walkthrough.test.ts` runs the steps in the README.
      const isWalk = page === "README.md" && code.includes("examples/curl/");
      expect(isWalk ? [] : shellProblems(code)).toEqual([]);
    },
  );

  const jsons = CODE_BLOCKS.filter(
    ({ language, page, code }) => language === "json" && !PRINTED_JSON.has(`${page}\n${code}`),
  );
  test.each(jsons.map((fence) => [nameOf(fence), fence] as const))(
    "%s: the JSON is a valid order or an answer of the contract",
    (_, { code }) => expect(jsonProblem(code)).toBeNull(),
  );

  test("every block is of a language that these tests check", () => {
    const known: readonly string[] = [...CHECKED_LANGUAGES, "text", "sql", ""];
    expect(CODE_BLOCKS.filter(({ language }) => !known.includes(language)).map(nameOf)).toEqual([]);
  });

  const pages = [...new Set(CODE_BLOCKS.filter(isRun).map(({ page }) => page))];
  let folder = "";
  let service: BackgroundCli;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "propgate-snippets-"));
    service = await startCliHere([...SERVE, "--data", join(folder, "data")]);
    return async () => {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    };
  });

  /** The environment of a reader: the address of the shared service, and a key of a new account for this page alone. */
  async function newReader(): Promise<Settings> {
    const { baseUrl } = JSON.parse(service.firstLine) as Summary;
    const at = ["--url", baseUrl, "--data", join(folder, "data"), "--json"];
    const made = async (...given: readonly string[]): Promise<Record<string, string>> =>
      JSON.parse((await runCli(["operator", ...given, ...at])).stdout);
    const { accountId = "" } = await made("accounts", "open", "--size", "100000");
    const { keyId = "", secret = "" } = await made("keys", "create", "--account", accountId);
    const token = await readFile(join(folder, "data", "operator.token"), "utf8");
    const settings = settingsOf({ baseUrl, firstKey: { keyId, secret } });
    return { ...settings, PROPGATE_OPERATOR_TOKEN: token.trim() };
  }

  /** The environment of a reader whose service accepts pushed prices. */
  async function pushingReader(): Promise<Settings> {
    const settings = await pushSettings();
    const given = [...SERVE, "--data", join(folder, "pushed")];
    const { firstLine } = await startCliHere(given, { env: settings });
    return { ...settings, ...settingsOf(JSON.parse(firstLine) as Summary) };
  }

  test.each(pages)("%s: its commands print the documented output", async (page) => {
    const env = await (page === PUSH_PRICES_PAGE ? pushingReader() : newReader());
    const fences = CODE_BLOCKS.filter((fence) => fence.page === page && isRun(fence));
    const shell = fences.filter(isShell);
    if (shell.length > 0) {
      const stdout = await run(
        ["sh", "-c", shellScriptOf(shell.map(({ code }) => pastedCode(code)))],
        env,
      );
      const printed = stepOutputs(stdout);
      expect(printed).toHaveLength(shell.length);
      for (const [at, fence] of shell.entries()) expectPrinted(fence, printed[at] ?? "");
    }
    for (const fence of fences.filter(isProgram)) {
      expectPrinted(fence, await runProgram(fence, env));
    }
  });
});

describe("the checks of the blocks", () => {
  test.each([
    ["npm run nothing", "no script nothing"],
    ["npm run prove -- nothing --kills 3", "no proof nothing"],
    ["npm run prove -- kills --cuts 3", "no --cuts of kills"],
    ["npm run propgate -- sign --nonsense", "no --nonsense"],
    ["propgate nonsense", "no command nonsense"],
    ["curl http://example.com", "nothing checks curl http://example.com"],
    ["sh examples/nowhere.sh", "no file examples/nowhere.sh"],
    ["npm install @propgate/nothing", "no package @propgate/nothing"],
    ["npm install ./propgate-nothing-0.1.0.tgz", "no package @propgate/nothing"],
    ["npm pack -w @propgate/nothing", "no package @propgate/nothing"],
    [
      "node --conditions=x examples/bot/bot.ts",
      "the reader's own node may be too old for node --conditions=x examples/bot/bot.ts",
    ],
  ])("the checks find the command %s", (line, problem) =>
    expect(shellProblems(line)).toContain(problem),
  );

  test.each([
    '{ "trade": { "execution_type": "MARKET", "trade_pair": "BTCUSD", "order_type": "LONG" } }',
    '{ "trade": { "execution_type": "FLAT_ALL", "quantity": 1 } }',
    '{ "success": true, "data": { "positions": 1 } }',
    '{ "type": "order.filled", "cursor": "1", "data": {} }',
    '{ "anything": 1 }',
  ])("the checks find the JSON %s", (code) => expect(jsonProblem(code)).not.toBeNull());
});

/** The code without the `export` lines that contain a placeholder for the reader. */
function pastedCode(code: string): string {
  return code
    .split("\n")
    .filter((line) => !/^export .*…/.test(line))
    .join("\n")
    .trim();
}

/** The settings of a service that accepts pushed prices. The blocks get them too, with the address of the listener. */
async function pushSettings(): Promise<Record<string, string>> {
  const port = await freePort();
  return {
    PROPGATE_PRICES: "push",
    PROPGATE_PUSH_LISTEN: `127.0.0.1:${port}`,
    PROPGATE_PUSH_TOKEN: "a-token-of-at-least-24-characters",
    PROPGATE_PUSH_URL: `http://127.0.0.1:${port}`,
  };
}

function settingsOf({ baseUrl, firstKey }: Summary): Settings {
  return {
    PROPGATE_BASE_URL: baseUrl,
    PROPGATE_KEY_ID: firstKey.keyId,
    PROPGATE_SECRET: firstKey.secret,
  };
}

/** Runs a program in a folder below the checkout, so that packages are found. Resolves with its output. */
async function runProgram(
  fence: CodeBlock,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  await mkdir(join(ROOT, ".propgate"), { recursive: true });
  const folder = await mkdtemp(join(ROOT, ".propgate", "snippet-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const isPython = fence.language === "python";
  const file = join(folder, isPython ? "snippet.py" : "snippet.ts");
  const host = (env.PROPGATE_BASE_URL ?? "").replace("http://", "");
  const code = isPython ? fence.code : snippetProgram(fence);
  await writeFile(file, code.replaceAll("127.0.0.1:8787", host));
  const command = isPython ? ["python3"] : [process.execPath, "--conditions=@propgate/source"];
  return run([...command, file], env);
}

function run(
  [program = "", ...given]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const options = { cwd: ROOT, env: { ...withoutPropgateVariables(process.env), ...env } };
  return new Promise((resolve, reject) => {
    execFile(program, given, options, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`${stdout}${stderr}`, { cause: error })),
    );
  });
}

function expectPrinted({ prints, code }: CodeBlock, printed: string): void {
  if (prints === null) return;
  if (prints.language === "text") expect(printed.trim(), code).toBe(prints.code.trim());
  else expect(JSON.parse(printed), code).toMatchObject(withWildcards(JSON.parse(prints.code)));
}

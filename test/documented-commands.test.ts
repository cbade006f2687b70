/**
 * Runs the commands of the guides on a live service, with their placeholders filled in. A command that neither this
 * test nor another one runs must be in a list, with the reason.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startCliHere } from "../packages/cli/src/testing/background-cli.ts";
import { type CliResult, runCli } from "../packages/cli/src/testing/run-cli.ts";
import { codeBlocksOf, logicalLines, pagesWithSnippets } from "./snippets.ts";
import { SANDBOX_GUIDES } from "./walkthrough.ts";

/** Pages whose blocks other tests run: `test/walkthrough.test.ts` and `test/snippets.test.ts`. */
const RUN_ELSEWHERE: ReadonlySet<string> = new Set([
  "README.md",
  "docs/guides/after-a-timeout.md",
  "docs/guides/push-prices.md",
  "docs/guides/sign-a-request.md",
  "docs/guides/start.md",
  ...SANDBOX_GUIDES,
]);

/** Patterns of commands that this test does not run, each with the reason. The first pattern that matches counts. */
const NOT_RUN: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /^npm ci|npm start\b/,
    "README's are in .ci/run; the others need venues, databases, NATS or TLS",
  ],
  [/^npm (pack|install) /, "test/packed.test.ts packs and installs"],
  [/^npm run prove /, "a proof takes minutes to hours; test/docs.test.ts checks its options"],
  [/^npm run bench /, "a measurement needs the machine for itself"],
  [
    /^(createdb|psql) /,
    "programs of PostgreSQL; proofs/nodes/least-privileges.test.ts has the roles",
  ],
  [/^(?!propgate |npm |for |[A-Z_]+=)/, "a program of examples/; test/signers runs each"],
  [/ restore confirm$/, "the data must come from a restore"],
  [
    / migrate\b| restore | --database \$n/,
    "needs an empty or another database; commands/backup.test.ts",
  ],
  [/ payouts (record|get) PAYOUT/, "needs a closed week; account-life.test.ts lets one pass"],
  [/ prices (use|record|replay|export|verify) /, "needs venues or a recording; prices.test.ts"],
  [/ instruments import --from ccxt/, "asks a venue"],
  [/ accounts link --subaccount/, "needs a validator; test/e2e/networks has the stand-in"],
  [/ funding (set|withdraw) /, "needs a perpetual and a time of the guide; funding-calls.test.ts"],
  [/ corporate-actions (split|dividend) /, "its moment passes; corporate-actions.test.ts"],
  [
    /^propgate (mcp|watch|events (tail|forward))\b/,
    "goes on until it is stopped; mcp.test.ts, trading.test.ts, events-forward.test.ts",
  ],
  [/^propgate profile /, "asks for a secret in a terminal; profile.test.ts"],
  [
    /^propgate (settle|verify|completion) /,
    "needs an earlier order, a file or a shell; tests of the same names",
  ],
  [/^propgate events list --after /, "the cursor of another account"],
  [
    /^propgate events (replay|verify --file) /,
    "needs a receiver or a file; events-forward.test.ts, events-verify.test.ts",
  ],
  [/^propgate order edit LEG_ID /, "its leg is one of three; the line before it edits too"],
  [/ catalogue check firm\.json| bulk --file /, "the reader's own file"],
  [
    / webhooks \w+ wh_/,
    "the webhook of another installation; operator-webhook.test.ts makes its own",
  ],
];

/** A command on a page, as one line. */
interface Line {
  readonly page: string;
  readonly text: string;
}

const LINES: readonly Line[] = pagesWithSnippets()
  .filter((page) => !RUN_ELSEWHERE.has(page))
  .flatMap(codeBlocksOf)
  .filter(({ language }) => ["sh", "bash"].includes(language))
  .flatMap(({ page, code }) => logicalLines(code).map((text) => ({ page, text })));
const reasonOf = ({ text }: Line): string | undefined =>
  NOT_RUN.find(([pattern]) => pattern.test(text))?.[1];
const RUN = LINES.filter((line) => reasonOf(line) === undefined);

/** Commands of another page that must run first, by the page that needs them. */
const COMMANDS_BEFORE: ReadonlyMap<string, readonly (readonly string[])[]> = new Map([
  ["docs/guides/security.md", [["operator", "people", "add", "ann", "--owner", "OWNER-ID"]]],
]);

function wordsOf(text: string): readonly string[] {
  const command = text.replace(/^npm run (?:--silent )?/, "").replace(/^propgate (?:-- )?/, "");
  return [...command.replace(/\s>\s.*$/, "").matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? "",
  );
}

describe("the commands of the guides", () => {
  let folder = "";
  let env: Readonly<Record<string, string>> = {};
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "propgate-documented-"));
    const data = join(folder, "data");
    const service = await startCliHere([
      "serve",
      "--json",
      "--show-secrets",
      "--port",
      "0",
      "--data",
      data,
    ]);
    const { baseUrl, firstKey } = JSON.parse(service.firstLine) as {
      readonly baseUrl: string;
      readonly firstKey: { readonly keyId: string; readonly secret: string };
    };
    env = {
      PROPGATE_BASE_URL: baseUrl,
      PROPGATE_KEY_ID: firstKey.keyId,
      PROPGATE_SECRET: firstKey.secret,
      PROPGATE_DATA_DIR: data,
    };
    return async () => {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    };
  });

  const ours = (words: readonly string[]): Promise<CliResult> => {
    const isOperators = ["operator", "backup", "journal"].includes(words[0] ?? "");
    return runCli(
      isOperators && !words.includes("check")
        ? [...words, "--url", env.PROPGATE_BASE_URL ?? ""]
        : words,
      { env: { ...env } },
    );
  };
  test("the guides have commands to run, and no reason is for a command that is gone", () => {
    expect(RUN.length).toBeGreaterThan(30);
    const idle = NOT_RUN.filter(([pattern]) => !LINES.some(({ text }) => pattern.test(text)));
    expect(idle.map(([pattern]) => String(pattern))).toEqual([]);
  });

  test.each([...new Set(RUN.map(({ page }) => page))])(
    "%s: each command succeeds",
    async (page) => {
      for (const words of COMMANDS_BEFORE.get(page) ?? []) await ours(await filled(words, page));
      for (const { text } of RUN.filter((line) => line.page === page)) {
        const { code, stdout, stderr } = await ours(await filled(wordsOf(text), page));
        expect([text, code, code === 0 ? "" : stdout + stderr]).toEqual([text, 0, ""]);
        const [, file] = />\s*(\S+)$/.exec(text) ?? [];
        if (file !== undefined) await writeFile(join(folder, file), editedProgram(stdout));
      }
    },
  );

  /**
   * The words with their placeholders replaced as a reader would do it. An order gets `--yes`, because there is no
   * terminal that asks for confirmation.
   */
  async function filled(words: readonly string[], page: string): Promise<readonly string[]> {
    const read: string[] = [];
    for (const word of words) read.push(await filledWord(word, page));
    const isConfirmed =
      words[0] !== "order" || words.includes("--yes") || words.includes("--dry-run");
    return isConfirmed ? read : [...read, "--yes"];
  }

  async function filledWord(word: string, page: string): Promise<string> {
    if (/\.(backup|json|csv)$/.test(word)) return join(folder, word);
    if (word === "ann") return `ann of ${page}`;
    if (word === "ID") return (await newAccount()).accountId ?? "";
    if (word === "OWNER-ID") return `owner-of-${page.replaceAll("/", ".")}`;
    if (word === "ORDER_ID") return restingOrder();
    return word;
  }

  const newAccount = async (): Promise<Record<string, string>> =>
    JSON.parse((await ours(["operator", "accounts", "open", "--size", "100000", "--json"])).stdout);

  /** The id of the LIMIT order that the page has placed. */
  async function restingOrder(): Promise<string> {
    const orders: readonly { orderUuid: string; executionType: string }[] = JSON.parse(
      (await ours(["orders", "--json"])).stdout,
    );
    return orders.find(({ executionType }) => executionType === "LIMIT")?.orderUuid ?? "";
  }
});

/** A program after the edit that the guide describes: its version is greater by one. */
function editedProgram(text: string): string {
  return text.replace(
    /("version":\s*)(\d+)/,
    (_, name: string, version: string) => `${name}${Number(version) + 1}`,
  );
}

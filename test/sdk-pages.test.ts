/** Every program on the pages about the client is run on a live service, and prints what they say. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BackgroundCli, startCli } from "../packages/cli/src/testing/background-cli.ts";
import { withoutOurs } from "../packages/cli/src/testing/run-cli.ts";
import { ROOT, readText } from "./source-tree.ts";

const PAGES = ["docs/guides/sdk.md", "packages/sdk/README.md"] as const;
const BOT = "examples/bot/bot.ts";
const BOT_LINES_MAX = 30;

/** What a block stands on that makes no client of its own. */
const CLIENT = `
import { createClient } from "@propgate/sdk";
const { PROPGATE_BASE_URL: baseUrl, PROPGATE_KEY_ID: keyId, PROPGATE_SECRET: secret } = process.env;
const client = createClient({ baseUrl, keyId, secret });
`;

interface Program {
  readonly page: string;
  readonly code: string;
  /** Null without a text behind it. */
  readonly prints: string | null;
}

function programsOf(page: string): readonly Program[] {
  const block = /```ts\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g;
  return [...readText(page).matchAll(block)].map(([, code = "", prints = null]) => ({
    page,
    code: code.includes("createClient(") ? code : CLIENT + code,
    prints,
  }));
}

describe("the pages about the client", () => {
  let folder = "";
  let data = "";
  let service: BackgroundCli;
  let env: Record<string, string> = {};

  beforeAll(async () => {
    await mkdir(join(ROOT, ".propgate"), { recursive: true });
    // Below the checkout, so that the packages are found.
    folder = await mkdtemp(join(ROOT, ".propgate", "pages-"));
    data = await mkdtemp(join(tmpdir(), "propgate-pages-"));
    service = await startCli(["serve", "--json", "--port", "0", "--data", data]);
    const { baseUrl, firstKey } = JSON.parse(service.firstLine) as {
      baseUrl: string;
      firstKey: { keyId: string; secret: string };
    };
    env = {
      PROPGATE_BASE_URL: baseUrl,
      PROPGATE_KEY_ID: firstKey.keyId,
      PROPGATE_SECRET: firstKey.secret,
    };
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(data, { recursive: true, force: true });
  });

  function run(file: string): Promise<string> {
    const options = { cwd: ROOT, env: { ...withoutOurs(process.env), ...env } };
    const given = ["--conditions=@propgate/source", file];
    return new Promise((resolve, reject) => {
      execFile(process.execPath, given, options, (error, stdout, stderr) =>
        error === null
          ? resolve(stdout)
          : reject(new Error(`${stdout}${stderr}`, { cause: error })),
      );
    });
  }

  test.each(PAGES.flatMap(programsOf).map((one, at) => [one.page, at, one] as const))(
    "%s: program %d runs and prints what it says",
    async (_page, at, { code, prints }) => {
      const file = join(folder, `${at}.ts`);
      await writeFile(file, code);
      const printed = await run(file);
      if (prints !== null) expect(printed).toBe(prints);
    },
  );

  test("README.md shows the bot as it is, in at most 30 lines", () => {
    const bot = readText(BOT);
    expect(readText("README.md")).toContain(`\`\`\`ts\n${bot}\`\`\``);
    expect(bot.trimEnd().split("\n").length).toBeLessThanOrEqual(BOT_LINES_MAX);
  });

  test("the bot trades at a service as npm start starts it", async () => {
    expect(await run(BOT)).toMatch(/^(bought|holding) \S+ BTCUSD/);
    expect(await run(BOT)).toMatch(/^holding \S+ BTCUSD, stop at \d/);
  });
});

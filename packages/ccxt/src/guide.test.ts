import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { startCli } from "../../cli/src/testing/background-cli.ts";
import { withoutOurs } from "../../cli/src/testing/run-cli.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const guide = await readFile(join(ROOT, "docs/guides/ccxt.md"), "utf8");
const [before = "", after = ""] = [...guide.matchAll(/```js\n([\s\S]*?)```/g)].map(
  ([, code]) => code,
);

describe("the guide's bot", () => {
  test("is the same before and after, but for its constructor", () => {
    const bodyOf = (code: string): string => code.slice(code.indexOf("const { ask, bid }"));
    expect(bodyOf(before)).toContain("createOrder");
    expect(bodyOf(after)).toBe(bodyOf(before));
  });

  test("trades on a service as it starts", async () => {
    const data = await mkdtemp(join(tmpdir(), "propgate-ccxt-"));
    onTestFinished(() => rm(data, { recursive: true }));
    const service = await startCli(["serve", "--json", "--port", "0", "--data", data]);
    onTestFinished(async () => void (await service.stop()));
    const { baseUrl, firstKey } = JSON.parse(service.firstLine) as {
      baseUrl: string;
      firstKey: { keyId: string; secret: string };
    };
    const given = ["--conditions=@propgate/source", "--input-type=module", "--eval", after];
    const { stdout } = await promisify(execFile)(process.execPath, given, {
      cwd: ROOT,
      env: {
        ...withoutOurs(process.env),
        PROPGATE_BASE_URL: baseUrl,
        PROPGATE_KEY_ID: firstKey.keyId,
        PROPGATE_SECRET: firstKey.secret,
      },
    });
    expect(stdout).toMatch(/^closed: buy (0\.\d+) of \1 BTC\/USD:USD\n$/);
  });
});

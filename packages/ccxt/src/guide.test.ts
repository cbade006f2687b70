import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openTextCuttingProxy } from "../../../proofs/faults/text-cutting-proxy.ts";
import { type BackgroundCli, startCli } from "../../cli/src/testing/background-cli.ts";
import { withoutPropgateVariables } from "../../cli/src/testing/run-cli.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const guide = await readFile(join(ROOT, "docs/guides/ccxt.md"), "utf8");
const [before = "", after = "", atMostOnce = ""] = [...guide.matchAll(/```js\n([\s\S]*?)```/g)].map(
  ([, code]) => code,
);
const readme = await readFile(join(ROOT, "packages/ccxt/README.md"), "utf8");
const [, watching = ""] = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code);

describe("the guide's programs", () => {
  let data = "";
  let service: BackgroundCli;
  let env: Record<string, string> = {};
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), "propgate-ccxt-"));
    service = await startCli(["serve", "--json", "--show-secrets", "--port", "0", "--data", data]);
    const { baseUrl, firstKey } = JSON.parse(service.firstLine) as {
      baseUrl: string;
      firstKey: { keyId: string; secret: string };
    };
    env = {
      ...withoutPropgateVariables(process.env),
      PROPGATE_BASE_URL: baseUrl,
      PROPGATE_KEY_ID: firstKey.keyId,
      PROPGATE_SECRET: firstKey.secret,
    };
    return async () => {
      await service.stop();
      await rm(data, { recursive: true });
    };
  });

  async function run(code: string, over: Readonly<Record<string, string>> = {}): Promise<string> {
    const given = ["--conditions=@propgate/source", "--input-type=module", "--eval", code];
    const options = { cwd: ROOT, env: { ...env, ...over } };
    return (await promisify(execFile)(process.execPath, given, options)).stdout;
  }

  test("the bot differs before and after only in its constructor", () => {
    const bodyOf = (code: string): string => code.slice(code.indexOf("const { ask, bid }"));
    expect(bodyOf(before)).toContain("createOrder");
    expect(bodyOf(after)).toBe(bodyOf(before));
  });

  test("the guide's bot trades on a newly started service", async () => {
    expect(await run(after)).toMatch(/^closed: buy (0\.\d+) of \1 BTC\/USD:USD\n$/);
  });

  test("the README's bot waits for its fill without polling", async () => {
    const opening = after.slice(0, after.indexOf("const [symbol, money]"));
    expect(await run(`${opening}\n${watching}`)).toMatch(/^closed \d+(\.\d+)?\n$/);
  });

  test.each(["beforeIt", "behindIt"] as const)(
    "the loop places one order when the line is cut %s",
    async (cut) => {
      const proxy = await openTextCuttingProxy(env.PROPGATE_BASE_URL ?? "");
      onTestFinished(() => proxy.close());
      // The proxy finds the order by the nonce in the headers of its request.
      proxy.cutAt(`grid-${cut}`, cut);
      const opening = after.slice(0, after.indexOf("const { ask, bid }"));
      const own = atMostOnce.replace("grid-7-2026-01-05", `grid-${cut}`);
      const prelude = `${opening}
        const { bid } = await exchange.fetchTicker(symbol);
        await exchange.cancelAllOrders();
        let order; const amount = 0.01; const price = bid * 0.9;`;
      const result = "console.log(order.status, (await exchange.fetchOpenOrders()).length);";
      const url = new URL(proxy.url).origin;
      const text = await run(`${prelude}\n${own}\n${result}`, { PROPGATE_BASE_URL: url });
      expect(text).toBe("open 1\n");
      expect(proxy.wasCut).toBe(true);
    },
  );
});

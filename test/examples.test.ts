/**
 * The programs of `examples/`. Each signer gives every known signature and is understood by the real
 * service, a query, a UTF-8 body from a file and an order included.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type BackgroundCli, startCli } from "../packages/cli/src/testing/background-cli.ts";
import { withoutOurs } from "../packages/cli/src/testing/run-cli.ts";
import { ROOT, readText } from "./source-tree.ts";

interface Vector {
  readonly name: string;
  readonly secret: string;
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: string;
  readonly canonical: string;
  readonly signature: string;
}

const VECTORS = JSON.parse(
  readText("packages/contract/fixtures/signature-vectors.json"),
) as readonly Vector[];

const SIGNERS = [
  { signer: "shell", command: ["sh", "examples/curl/propgate-curl.sh"] },
  { signer: "python", command: ["python3", "examples/python/propgate_sign.py"] },
  { signer: "typescript", command: [process.execPath, "examples/typescript/sign.ts"] },
] as const;

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(
  command: readonly string[],
  given: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const [program = "", ...before] = command;
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env: { ...withoutOurs(process.env), ...env } };
    execFile(program, [...before, ...given], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
    });
  });
}

describe.each(SIGNERS)("the $signer signer", ({ command }) => {
  test.each(VECTORS)("gives the known signature [S5.canonical]: $name", async (vector) => {
    const { method, target, body, canonical, signature } = vector;
    const { stdout } = await run(command, ["--print", method, target, body], {
      PROPGATE_SECRET: vector.secret,
      PROPGATE_TIMESTAMP: vector.timestamp,
      PROPGATE_NONCE: vector.nonce,
    });
    expect(stdout).toBe(`${canonical}\n---\n${signature}\n`);
  });

  test("without a secret it says what to set and sends nothing", async () => {
    const { code, stdout, stderr } = await run(command, ["GET", "/api/v1/trading/account"], {});
    expect(code).not.toBe(0);
    expect(stdout).toBe("");
    expect(stderr).toContain("PROPGATE_SECRET");
  });
});

describe.each(["Service", "Acme"])("against a live service of the brand %s", (brand) => {
  let folder = "";
  let service: BackgroundCli;
  let env: Record<string, string> = {};

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "propgate-examples-"));
    const given = ["--port", "0", "--data", join(folder, "data"), "--brand", brand];
    service = await startCli(["serve", "--json", ...given]);
    const { baseUrl, firstKey } = JSON.parse(service.firstLine) as {
      baseUrl: string;
      firstKey: { keyId: string; secret: string };
    };
    env = {
      PROPGATE_BASE_URL: baseUrl,
      PROPGATE_KEY_ID: firstKey.keyId,
      PROPGATE_SECRET: firstKey.secret,
      PROPGATE_BRAND: brand,
    };
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  test.each(SIGNERS)("$signer: reads, with a query, and places an order", async ({ command }) => {
    const ask = async (...given: readonly string[]): Promise<unknown> =>
      JSON.parse((await run(command, given, env)).stdout);
    const account = await ask("GET", "/api/v1/trading/account");
    expect(account).toMatchObject({ success: true, data: { accountSize: 100_000 } });
    const payouts = await ask("GET", "/api/v1/trading/payouts?limit=2");
    expect(payouts).toMatchObject({ success: true, data: { items: [] } });
    const trade = {
      execution_type: "MARKET",
      trade_pair: "BTC/USD",
      order_type: "LONG",
      value: 1000,
      note: "日本語 ✓",
    };
    const file = join(folder, "order.json");
    await writeFile(file, `${JSON.stringify({ trade }, null, 2)}\n`);
    const filled = { success: true, data: { order: { filled: true, tradePair: "BTCUSD" } } };
    expect(await ask("POST", "/api/v1/trading/orders", `@${file}`)).toMatchObject(filled);
    const compact = JSON.stringify({ trade });
    expect(await ask("POST", "/api/v1/trading/orders", compact)).toMatchObject(filled);
  });

  test.each(SIGNERS)("$signer: a wrong secret is refused, in the service's words", async (one) => {
    const wrong = { ...env, PROPGATE_SECRET: "sk_wrong" };
    const { stdout } = await run(one.command, ["GET", "/api/v1/trading/account"], wrong);
    expect(JSON.parse(stdout)).toEqual({ error: "Bad signature" });
  });
});

describe("the bot, in a sandbox", () => {
  test("buys, follows the price with its stop, leaves off after a loss, begins anew the next day", async () => {
    const sandbox = await startCli(["sandbox", "--start", "2026-01-05T12:00:00Z"]);
    onTestFinished(async () => void (await sandbox.stop("SIGKILL")));
    const ready = JSON.parse(sandbox.firstLine) as Record<string, string>;
    const control = async (path: string, body: unknown): Promise<void> => {
      const response = await fetch(`${ready.controlUrl}${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${ready.controlToken}` },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(200);
      await response.text();
    };
    const quote = (bid: number, ask: number) => control("/quotes", [{ pair: "BTCUSD", bid, ask }]);
    const bot = async (): Promise<string> => {
      const command = [process.execPath, "--conditions=@propgate/source", "examples/bot/bot.ts"];
      const { stdout } = await run(command, [], {
        PROPGATE_BASE_URL: ready.baseUrl ?? "",
        PROPGATE_KEY_ID: ready.keyId ?? "",
        PROPGATE_SECRET: ready.secret ?? "",
      });
      return stdout.trim();
    };

    await quote(99_990, 100_000);
    expect(await bot()).toBe("bought 0.25 BTCUSD at 100000");
    await quote(110_000, 110_010);
    expect(await bot()).toBe("holding 0.25 BTCUSD, stop at 104500");
    // Through the stop: 4,000 lost, and 13.80 of fees.
    await quote(84_000, 84_010);
    expect(await bot()).toBe("lost 4.01 % today: enough");
    await control("/clock", { advance: 86_400_000 });
    await quote(80_000, 80_000);
    // A quarter of the 95,986.20 that are left.
    expect(await bot()).toBe("bought 0.29996 BTCUSD at 80000");
  });
});

/**
 * Tests the signers of `examples/`, in each language whose tools are installed. Each must reproduce every known
 * signature, and a live service must accept it.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type BackgroundCli, startCliHere } from "../../packages/cli/src/testing/background-cli.ts";
import { signedHeaders } from "../../packages/server/src/testing/signed-request.ts";
import { filesBelow, readText } from "../source-tree.ts";
import {
  hasTools,
  type ProgramOutcome,
  runProgram,
  SIGNERS,
  type SignerProgram,
} from "./signer-programs.ts";

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

const LINES_BELOW = 60;
/** The block of SHA-256 in bytes. HMAC hashes a longer key, and pads a shorter one. */
const BLOCK_BYTES = 64;

const ACCOUNT = "/api/v1/trading/account";
const ORDERS = "/api/v1/trading/orders";
const TRADE = {
  execution_type: "MARKET",
  trade_pair: "BTC/USD",
  order_type: "LONG",
  value: 1000,
  note: "日本語 ✓",
};
const FILLED = { success: true, data: { order: { filled: true, tradePair: "BTCUSD" } } };

describe("the files", () => {
  test.each(SIGNERS)(
    "the signer in $language has fewer than 60 lines per file",
    ({ language, files }) => {
      const count = language === "Go" ? codeLines : lines;
      for (const file of files) expect(count(file)).toBeLessThan(LINES_BELOW);
    },
  );

  test("examples/ contains only these signers, the consumer and the receiver in Python, and the programs on the SDK", () => {
    const known = [
      ...SIGNERS.flatMap(({ files }) => files),
      "examples/python/events_consumer.py",
      "examples/python/webhook_receiver.py",
      "examples/README.md",
    ];
    const others = filesBelow("examples").filter((path) => !known.includes(path));
    expect(others.filter((path) => !/^examples\/(bot|firm|whole-life)\//.test(path))).toEqual([]);
  });
});

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "propgate-signers-"));
  return async () => {
    await rm(folder, { recursive: true });
  };
});

const BRANDS = ["Service", "Acme"] as const;
const services = new Map<string, BackgroundCli>();
beforeAll(async () => {
  const start = async (brand: string): Promise<void> => {
    const given = ["--port", "0", "--data", join(folder, brand), "--brand", brand];
    services.set(brand, await startCliHere(["serve", "--json", "--show-secrets", ...given]));
  };
  await Promise.all(BRANDS.map(start));
  return async () => {
    await Promise.all([...services.values()].map((live) => live.stop()));
  };
});

describe.each(SIGNERS.map((signer) => ({ ...signer, skipped: !hasTools(signer) })))(
  "the signer in $language",
  ({ skipped, ...signer }) => {
    describe.skipIf(skipped)("with its tools", () => {
      beforeAll(async () => {
        const build = signer.build(folder);
        if (build !== null) expect(await runProgram(build)).toMatchObject({ code: 0 });
      });
      signsAsKnown(signer);
      isUnderstood(signer);
    });
  },
);

function signsAsKnown({ command }: SignerProgram): void {
  const prints = async (vector: Omit<Vector, "name" | "canonical" | "signature">) => {
    const { method, target, body, secret, timestamp, nonce } = vector;
    const { stdout } = await runProgram([...command(folder), "--print", method, target, body], {
      PROPGATE_SECRET: secret,
      PROPGATE_TIMESTAMP: timestamp,
      PROPGATE_NONCE: nonce,
    });
    return stdout.replaceAll("\r", "");
  };

  test.each(VECTORS)(
    "a signer computes the known signature [S5.canonical]: $name",
    async (vector) => {
      expect(await prints(vector)).toBe(`${vector.canonical}\n---\n${vector.signature}\n`);
    },
  );

  test.each([0, 1])("a secret of 64 bytes plus %i signs correctly", async (more) => {
    const secret = "s".repeat(BLOCK_BYTES + more);
    const request = {
      method: "POST",
      target: ORDERS,
      timestamp: "1700000000000",
      nonce: "n",
      body: "b".repeat(BLOCK_BYTES - 9 + more),
    };
    const headers = signedHeaders({ keyId: "pk", secret }, request);
    expect(await prints({ ...request, secret })).toContain(`\n${headers["X-Service-Signature"]}\n`);
  });

  test("a signer without a secret names the variables to set and sends nothing", async () => {
    const { code, stdout, stderr } = await runProgram([...command(folder), "GET", ACCOUNT]);
    expect([code, stdout]).toEqual([expect.not.toSatisfy((one) => one === 0), ""]);
    expect(stderr).toContain("PROPGATE_SECRET");
  });

  test("a signer without a target prints its usage", async () => {
    const { code, stderr } = await runProgram([...command(folder), "GET"], {
      PROPGATE_SECRET: "sk",
    });
    expect(code).not.toBe(0);
    expect(stderr).toContain("METHOD TARGET [BODY | @FILE]");
  });
}

function isUnderstood({ command }: SignerProgram): void {
  const ask = (
    brand: string,
    words: readonly string[],
    other: { readonly secret?: string; readonly path?: string } = {},
  ): Promise<ProgramOutcome> => {
    const { baseUrl, firstKey } = JSON.parse(services.get(brand)?.firstLine ?? "") as {
      readonly baseUrl: string;
      readonly firstKey: { readonly keyId: string; readonly secret: string };
    };
    return runProgram([...command(folder), ...words], {
      PROPGATE_BASE_URL: baseUrl,
      PROPGATE_KEY_ID: firstKey.keyId,
      PROPGATE_SECRET: other.secret ?? firstKey.secret,
      ...(other.path === undefined ? {} : { PATH: other.path }),
      ...(brand === "Service" ? {} : { PROPGATE_BRAND: brand }),
    });
  };
  const answer = async (brand: string, ...words: readonly string[]): Promise<unknown> => {
    const { stdout, stderr } = await ask(brand, words);
    return JSON.parse(stdout === "" ? JSON.stringify({ stderr }) : stdout);
  };

  test.each(BRANDS)("a signer reads from a service of the brand %s", async (brand) => {
    const account = { success: true, data: { accountSize: 100_000 } };
    expect(await answer(brand, "GET", ACCOUNT)).toMatchObject(account);
  });

  test("a signer sends the escapes of a query unchanged", async () => {
    const target = "/api/v1/trading/payouts?limit=2&note=%7e%2F%41%20b%C3%A9+c;d,e=f'(g)";
    const payouts = { success: true, data: { items: [] } };
    expect(await answer("Service", "GET", target)).toMatchObject(payouts);
  });

  test("a signer sends a body with non-ASCII letters, from a file that ends with a newline", async () => {
    const file = join(folder, "order.json");
    await writeFile(file, `${JSON.stringify({ trade: TRADE }, null, 2)}\n`);
    expect(await answer("Service", "POST", ORDERS, `@${file}`)).toMatchObject(FILLED);
  });

  test("a signer sends a body with non-ASCII letters, from an argument", async () => {
    const compact = JSON.stringify({ trade: TRADE });
    expect(await answer("Service", "POST", ORDERS, compact)).toMatchObject(FILLED);
  });

  test("a signer never passes the secret to another program as an argument, where ps would show it", async () => {
    const shown = await mkdtemp(join(folder, "shown-"));
    for (const program of ["openssl", "curl"]) {
      const words = `printf '%s\\n' "$0 $*" >>'${shown}/words'`;
      const real = `PATH=\${PATH#*:} exec ${program} "$@"`;
      await writeFile(join(shown, program), `#!/bin/sh\n${words}\n${real}\n`, { mode: 0o755 });
    }
    await writeFile(join(shown, "words"), "");
    const secret = "sk_that_nobody_may_see";
    const path = `${shown}:${process.env.PATH}`;
    const { stdout } = await ask("Service", ["GET", ACCOUNT], { secret, path });
    expect(JSON.parse(stdout)).toEqual({ error: "Bad signature" });
    expect(await readFile(join(shown, "words"), "utf8")).not.toContain(secret);
  });

  test("a signer ends the answer with one newline, so the shell's prompt has its own line", async () => {
    const { stdout } = await ask("Service", ["GET", ACCOUNT]);
    expect(stdout).toMatch(/\}\n$/);
  });

  test("a signer prints a rejection in the service's words", async () => {
    const { stdout } = await ask("Service", ["GET", `${ACCOUNT}?accountId=none`]);
    const error = "This API key is only valid for a different account";
    expect(JSON.parse(stdout)).toEqual({ error });
  });
}

/** The number of lines, as `wc -l` counts them. */
function lines(file: string): number {
  return readText(file).split("\n").length - 1;
}

/** The number of lines of code, which is what counts for Go: it needs a line per import and three per error. */
function codeLines(file: string): number {
  const noCode = /^\s*($|\/\/|[)}]+$)/;
  return readText(file)
    .split("\n")
    .filter((line) => !noCode.test(line)).length;
}

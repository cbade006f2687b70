import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openCliSandbox } from "../testing/cli-sandbox.ts";
import { runCli } from "../testing/run-cli.ts";

interface Vector {
  readonly name: string;
  readonly secret: string;
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: string;
  readonly bodySha256: string;
  readonly canonical: string;
  readonly signature: string;
}

const VECTORS: readonly Vector[] = JSON.parse(
  readFileSync(
    new URL("../../../contract/fixtures/signature-vectors.json", import.meta.url),
    "utf8",
  ),
);

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "propgate-cli-"));
  return () => rm(folder, { recursive: true });
});

function argumentsOf(vector: Vector): readonly string[] {
  const { method, target, timestamp, nonce, body } = vector;
  const given = ["--timestamp", timestamp, "--nonce", nonce, "--key-id", "pk_1"];
  return ["sign", method, target, ...given, ...(body === "" ? [] : ["--body", body])];
}

const [READ, , ORDER] = VECTORS;
if (READ === undefined || ORDER === undefined) throw new Error("no vectors");

describe("propgate sign [S5.canonical]", () => {
  test.each(VECTORS)("propgate sign gives the known signature: $name", async (vector) => {
    const { code, stdout } = await runCli([...argumentsOf(vector), "--json"], {
      env: { PROPGATE_SECRET: vector.secret },
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      canonical: vector.canonical,
      bodySha256: vector.bodySha256,
      signature: vector.signature,
      headers: {
        "X-Service-Key-Id": "pk_1",
        "X-Service-Timestamp": vector.timestamp,
        "X-Service-Nonce": vector.nonce,
        "X-Service-Signature": vector.signature,
      },
      curl: null,
    });
  });

  test("propgate sign shows canonical string, hash and headers to a person", async () => {
    const { stdout } = await runCli(argumentsOf(ORDER), { env: { PROPGATE_SECRET: ORDER.secret } });
    for (const line of ORDER.canonical.split("\n")) expect(stdout).toContain(`  ${line}\n`);
    expect(stdout).toContain(`X-Service-Signature: ${ORDER.signature}\n`);
    expect(stdout).not.toContain(ORDER.secret);
  });

  test("--curl prints a command alone on standard output, which a shell runs as it is", async () => {
    const sandbox = await openCliSandbox();
    onTestFinished(() => sandbox.close());
    const signed = await sandbox.run("sign", "GET", "/api/v1/trading/account", "--curl");
    expect(signed.code).toBe(0);
    expect(signed.stdout).toMatch(/^curl -sS [\s\S]*\n$/);
    expect(signed.stderr).toMatch(/^canonical string\n {2}v1\n {2}GET\n/);
    expect(signed.stderr).toContain("X-Service-Signature: v1=");
    const answer = await promisify(execFile)("sh", ["-c", signed.stdout]);
    expect(JSON.parse(answer.stdout)).toMatchObject({ success: true });
    const json = await sandbox.run("sign", "GET", "/api/v1/trading/account", "--curl", "--json");
    expect([json.stderr, JSON.parse(json.stdout).curl.slice(0, 8)]).toEqual(["", "curl -sS"]);
  });

  test("propgate sign takes the secret from a file or standard input, without the newline at its end", async () => {
    const file = join(folder, "secret");
    await writeFile(file, `${READ.secret}\n`);
    const fromFile = await runCli([...argumentsOf(READ), "--secret-file", file]);
    const fromInput = await runCli(argumentsOf(READ), { input: `${READ.secret}\n` });
    expect(fromFile.stdout).toContain(READ.signature);
    expect(fromInput.stdout).toContain(READ.signature);
  });

  test("propgate sign signs the exact bytes of a body file", async () => {
    const file = join(folder, "body");
    await writeFile(file, ORDER.body);
    const given = argumentsOf({ ...ORDER, body: "" });
    const { stdout } = await runCli([...given, "--body-file", file], {
      env: { PROPGATE_SECRET: ORDER.secret },
    });
    expect(stdout).toContain(ORDER.signature);
  });

  test.each([
    [["sign", "GET", "/x"], {}, "no secret was given"],
    [["sign", "GET", "/x"], { PROPGATE_SECRET: "" }, "the secret from PROPGATE_SECRET is empty"],
    [
      ["sign", "GET", "/x", "--secret-file", "/nowhere/s"],
      {},
      "cannot read the secret from /nowhere/s",
    ],
    [["sign", "GET"], {}, "missing required argument 'target'"],
    [["sign", "GET", "/x", "--secret", "sk"], {}, "unknown option '--secret'"],
    [["sign", "GET", "/x", "--tiemstamp", "1"], {}, "Did you mean --timestamp?"],
    [["sing"], {}, "Did you mean sign?"],
    [["sign", "POST", "/x", "--body", "a", "--body-file", "b"], {}, "cannot be used with"],
  ])("%j ends with 2 and says why", async (given, env, words) => {
    const plain = await runCli(given, { env });
    expect([plain.code, plain.stdout]).toEqual([2, ""]);
    expect(plain.stderr).toContain(words);
    const json = await runCli([...given, "--json"], { env });
    expect(json.code).toBe(2);
    expect(JSON.stringify(JSON.parse(json.stderr))).toContain(words);
  });
});

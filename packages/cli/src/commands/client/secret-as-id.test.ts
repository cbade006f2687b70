import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type CliResult, runCli } from "../../testing/run-cli.ts";

const KEY_ID = "pk_0123456789abcdefghij";
const SECRET = `propgate_sk_${"aB3_-".repeat(8)}xyz0LuxQa`;
const SWAPPED_WORDS = "id and secret are swapped";

let url = "";
let received: string[] = [];
let configHome = "";

beforeEach(async () => {
  received = [];
  const service = createServer((request, response) => {
    received.push(`${request.method} ${request.url} ${request.rawHeaders.join(" ")}`);
    response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  configHome = await mkdtemp(join(tmpdir(), "propgate-config-"));
  onTestFinished(async () => {
    service.close();
    await rm(configHome, { recursive: true });
  });
  const address = service.address();
  url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
});

function run(
  given: readonly string[],
  env: Record<string, string> = {},
  input = "",
): Promise<CliResult> {
  const own = { XDG_CONFIG_HOME: configHome, PROPGATE_BASE_URL: url };
  return runCli(given, { env: { ...own, ...env }, input });
}

function expectRefused({ code, stdout, stderr }: CliResult, words = SWAPPED_WORDS): void {
  expect(stderr).toContain(words);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).not.toContain("aB3_-");
  expect(received).toEqual([]);
}

const ORDER = ["order", "market", "BTCUSD", "long", "--quantity", "0.1", "--yes"];
const CANCEL = ["order", "cancel", "0a4170c9", "--yes"];

describe("a secret in the place of an id [D10.secretAsId]", () => {
  test.each([
    ...[["doctor"], ["account"], ["positions"], ["orders"], ["trades"], ["payouts"]],
    ...[["instruments"], ["watch", "--once"], ORDER, CANCEL, ["order", "flat", "--dry-run"]],
    ...[["sign", "GET", "/"], ["mcp"]],
  ])("%s refuses swapped variables, prints neither and sends nothing", async (...given) => {
    expectRefused(await run(given, { PROPGATE_KEY_ID: SECRET, PROPGATE_SECRET: KEY_ID }));
  });

  test("an id with space or quotes around a secret is one too", async () => {
    for (const id of [` ${SECRET}`, `"${SECRET}"`]) {
      expectRefused(await run(["account"], { PROPGATE_KEY_ID: id, PROPGATE_SECRET: KEY_ID }));
    }
  });

  test("a secret without its id is refused with what an id looks like", async () => {
    const env = { PROPGATE_KEY_ID: SECRET, PROPGATE_SECRET: SECRET };
    const result = await run(["doctor"], env);
    expectRefused(result, "contains a secret instead of a key id");
    expect(result.stderr).toContain("begins with pk_");
  });

  test.each([
    ...[["account"], ["watch", "--once"], ORDER, CANCEL, ["sign", "GET", "/"], ["mcp"]],
    ["verify", "--method=GET", "--target=/", "--timestamp=1", "--nonce=n", "--signature=s"],
  ])("%s … refuses a secret whose checksum does not match [D10.secretForm]", async (...given) => {
    const words = "the secret was copied incompletely or mistyped: its checksum does not match";
    for (const secret of [SECRET.slice(0, -1), SECRET.replace("xyz", "xzy")]) {
      expectRefused(await run(given, { PROPGATE_KEY_ID: KEY_ID, PROPGATE_SECRET: secret }), words);
    }
  });

  test("profile add keeps no secret whose checksum does not match [D10.secretForm]", async () => {
    const given = ["profile", "add", "damaged", "--key-id", KEY_ID];
    const words = "its checksum does not match";
    expectRefused(await run(given, {}, SECRET.slice(0, -1)), words);
    expectRefused(await run(given, { PROPGATE_SECRET: SECRET.toLowerCase() }), words);
    expect((await run([...given, "--json"], {}, SECRET)).code).toBe(0);
  });

  test("profile add refuses it as an argument and keeps nothing", async () => {
    const words = "--key-id contains a secret instead of a key id";
    const given = ["profile", "add", "swapped"];
    expectRefused(await run([...given, "--key-id", SECRET], {}, KEY_ID), words);
    expectRefused(await run([...given, `--key-id=${SECRET}`], {}, KEY_ID), words);
    const env = { PROPGATE_SECRET: KEY_ID };
    expectRefused(await run([...given, "--key-id", SECRET], env), SWAPPED_WORDS);
    expect((await run(["profile", "list"])).stdout).toContain("There is no profile");
  });

  test("profile list hides one in an edited file, and no command uses it", async () => {
    const folder = join(configHome, "propgate", "profiles");
    await mkdir(folder, { recursive: true });
    const kept = { baseUrl: url, brand: "Service", keyId: SECRET, secret: KEY_ID };
    await writeFile(join(folder, "old.json"), JSON.stringify(kept), { mode: 0o600 });
    for (const format of [[], ["--json"], ["--csv"]]) {
      const listed = await run(["profile", "list", ...format]);
      expect(listed.code).toBe(0);
      expect(listed.stdout).toContain("a secret, not shown");
      expect(listed.stdout).not.toContain("aB3_-");
    }
    const refused = await run(["doctor", "--profile", "old"]);
    expectRefused(refused);
    expect(refused.stderr).toContain("npm run propgate -- profile add old --replace");
  });

  test.each([
    ["account", "--key-id", SECRET],
    ["sign", "GET", "/", "--key-id", SECRET],
    ["verify", "--method", "GET", "--target=/", "--timestamp=1", "--nonce=n", "--signature=s"],
  ])("%s … refuses one after --key-id", async (...given) => {
    const words = given.includes("--key-id") ? given : [...given, "--key-id", SECRET];
    expectRefused(await run(words, { PROPGATE_SECRET: KEY_ID }));
  });

  test.each([
    ["operator", "keys", "revoke", SECRET],
    ["order", "cancel", SECRET, "--yes"],
    ["no-command", SECRET],
  ])("%s … refuses a secret as an argument", async (...given) => {
    expectRefused(await run(given, { PROPGATE_SECRET: "x" }), "an argument is a secret");
  });

  test("verify finds one in the request that it is given", async () => {
    const request = join(configHome, "request.txt");
    const lines = ["GET / HTTP/1.1", `X-Service-Key-Id: ${SECRET}`, "X-Service-Timestamp: 1"];
    const more = ["X-Service-Nonce: n", "X-Service-Signature: v1=x", "", ""];
    await writeFile(request, [...lines, ...more].join("\r\n"));
    const result = await run(["verify", "--request", request], { PROPGATE_SECRET: KEY_ID });
    expectRefused(result);
    expect(result.stderr).toContain("revoke");
  });
});

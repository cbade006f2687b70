import { chmod, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type CliSandbox, openCliSandbox } from "../../testing/cli-sandbox.ts";
import { type CliResult, runCli } from "../../testing/run-cli.ts";

let sandbox: CliSandbox;

beforeAll(async () => {
  sandbox = await openCliSandbox();
  return () => sandbox.close();
});

function profile(given: readonly string[], input = ""): Promise<CliResult> {
  return runCli(["profile", ...given], { env: { XDG_CONFIG_HOME: sandbox.configHome }, input });
}

function plain(given: readonly string[], env: Record<string, string> = {}): Promise<CliResult> {
  return runCli(given, { env: { XDG_CONFIG_HOME: sandbox.configHome, ...env } });
}

describe("propgate profile", () => {
  test("profile stores a key in a file that only its owner can read, uses it, lists it and removes it", async () => {
    const { keyId, secret, baseUrl } = sandbox;
    expect((await profile(["list"])).stdout).toContain("There is no profile");
    const added = await profile(
      ["add", "demo", "--url", baseUrl, "--key-id", keyId],
      `${secret}\n`,
    );
    expect([added.code, added.stderr]).toEqual([0, ""]);
    const file = join(sandbox.configHome, "propgate", "profiles", "demo.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await plain(["account"])).code).toBe(0);
    const listed = await profile(["list"]);
    expect(listed.stdout).toContain(keyId);
    expect(listed.stdout).not.toContain(secret);
    expect((await profile(["list", "--json"])).stdout).not.toContain(secret);

    const again = await profile(["add", "demo", "--key-id", keyId], secret);
    expect([again.code, again.stderr.split("\n")[0]]).toEqual([
      2,
      "propgate: the profile demo already exists",
    ]);

    await profile(["add", "other", "--url", "http://127.0.0.1:9", "--key-id", "pk_x"], "sk_x");
    expect((await plain(["account", "--profile", "other"])).code).toBe(3);
    expect((await plain(["account"], { PROPGATE_PROFILE: "other" })).code).toBe(3);
    expect((await plain(["account", "--profile", "other", "--url", baseUrl])).code).toBe(1);
    await profile(["use", "other"]);
    expect((await plain(["account"])).code).toBe(3);
    expect((await plain(["account"], sandbox.env)).code).toBe(0);

    await profile(["remove", "other"]);
    expect((await plain(["account"])).code).toBe(2);
    expect(await readdir(join(sandbox.configHome, "propgate", "profiles"))).toEqual(["demo.json"]);
  });

  test("a profile that other users can read is rejected with the remedy", async () => {
    await profile(["add", "open", "--key-id", "pk_x"], "sk_x");
    const file = join(sandbox.configHome, "propgate", "profiles", "open.json");
    await chmod(file, 0o640);
    const { code, stderr } = await plain(["account", "--profile", "open"]);
    expect(code).toBe(2);
    expect(stderr).toContain("permissions 640");
    expect(stderr).toContain(`chmod 600 '${file}'`);
    await profile(["remove", "open"]);
  });

  test("--no-secret stores no secret, which then comes from the environment", async () => {
    const { keyId, secret, baseUrl } = sandbox;
    await profile(["add", "bare", "--url", baseUrl, "--key-id", keyId, "--no-secret"]);
    const without = await plain(["account", "--profile", "bare"]);
    expect([without.code, without.stderr.split("\n")[0]]).toEqual([
      2,
      "propgate: no secret was given",
    ]);
    const given = await plain(["account", "--profile", "bare"], { PROPGATE_SECRET: secret });
    expect(given.code).toBe(0);
  });

  test.each([
    [["use", "other"], "there is no profile other"],
    [["remove", "other"], "there is no profile other"],
    [["add", "../x", "--key-id", "pk"], "not a valid profile name"],
    [["add", "x", "--key-id", "pk", "--url", "ftp://x"], "not an http or https URL"],
    [["add", "x", "--key-id", "pk", "--secret", "sk"], "unknown option '--secret'"],
    [["add", "x", "--key-id", "pk"], "no secret was given"],
  ])("profile %j ends with 2 and the reason", async (given, words) => {
    const { code, stdout, stderr } = await profile(given);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(words);
  });
});

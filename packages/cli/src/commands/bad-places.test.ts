import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { startCli } from "../testing/background-cli.ts";
import { type CliResult, runCli } from "../testing/run-cli.ts";

/** These tests run the real command with files, folders and databases that an operator may name by mistake. */
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "propgate-bad-"));
  return () => rm(folder, { recursive: true, force: true });
});

const HEADER = "timeMs,bid,ask\n";
const START_MS = 1_640_995_200_000;

function serve(given: readonly string[], env: Record<string, string> = {}): Promise<CliResult> {
  return runCli(["serve", "--port", "0", ...given], { env });
}

/**
 * Fails unless standard error has one readable paragraph that names the problem, without a stack trace and without
 * control characters.
 */
function expectPlainError({ code, stdout, stderr }: CliResult, names: string): void {
  expect([code, stdout], stderr).toEqual([5, ""]);
  expect(stderr).toContain(names);
  expect(stderr).toMatch(/^propgate: [^\p{Cc}]+\n( {2}[^\p{Cc}]+\n)*$/u);
  expect(stderr).not.toMatch(/\bat .*:\d+:\d+|node:internal|broken invariant/);
}

describe("serve with a file that is not what it should be says so: 5", () => {
  test.each([
    ["PROPGATE_CATALOGUE", "{{", "is not valid JSON"],
    ["PROPGATE_CATALOGUE", "", "is not valid JSON"],
    ["PROPGATE_CATALOGUE", "[ ]", "must be a catalogue"],
    ["PROPGATE_CATALOGUE", randomBytes(500), "is not valid JSON"],
    ["PROPGATE_CATALOGUE", "\n\n?\n\u001b[2J\r\nN", "is not valid JSON"],
    ["PROPGATE_PROGRAMS", "nope", "is not valid JSON"],
    ["PROPGATE_PROGRAMS", '{"version":1,"programs":[]}', "at least one program"],
  ])("serve refuses %s with %j", async (variable, content, words) => {
    const file = join(folder, `${variable}-${content.length}.json`);
    await writeFile(file, content);
    const result = await serve(["--data", join(folder, "unused")], { [variable]: file });
    expectPlainError(result, file);
    expect(result.stderr).toContain(words);
  });

  test.each([
    ["empty.csv", "", "it has no header"],
    ["header.csv", HEADER, "no row can be used"],
    ["crossed.csv", `${HEADER}${START_MS},2,1\n`, "no row can be used"],
    ["huge.csv", `${HEADER}${START_MS},1e99,1e99\n`, "no row can be used"],
    ["tiny.csv", `${HEADER}${START_MS},1e-99,1e-99\n`, "no row can be used"],
    ["bytes.csv", Buffer.concat([Buffer.from([0x1b, 0x5b]), randomBytes(5000)]), "in the header"],
    ["zeros.csv", Buffer.alloc(200_000), "not text with rows"],
    ["cut.csv.gz", gzipSync(`${HEADER}${START_MS},1,2\n`).subarray(0, 15), "cannot be read"],
    [
      "noise.csv.gz",
      Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(90)]),
      "cannot be read",
    ],
  ])("serve --replay refuses %s", async (name, content, words) => {
    const file = join(folder, `BTCUSD-${name}`);
    await writeFile(file, content);
    const data = join(folder, `data-${name}`);
    const result = await serve(["--data", data, "--replay", file]);
    expectPlainError(result, file);
    expect(result.stderr).toContain(words);
    expect(existsSync(data)).toBe(false);
  });

  test("serve --replay of a missing file makes no data folder", async () => {
    const data = join(folder, "data-missing");
    const file = join(folder, "BTCUSD-missing.csv");
    expectPlainError(await serve(["--data", data, "--replay", file]), file);
    expect(existsSync(data)).toBe(false);
  });

  test("serve --replay refuses a folder", async () => {
    const given = ["--data", join(folder, "data-folder"), "--replay", `BTCUSD=${folder}`];
    expectPlainError(await serve(given), `${folder}: cannot be read: it is a folder`);
  });

  test.each([
    ["master.key", "1:abc", "must be 32 bytes"],
    ["master.key", "", "contains no key"],
    ["operator.token", "short", "contains no operator token"],
  ])("serve refuses %s that holds %j", async (name, content, words) => {
    const data = join(folder, `keys-${name}-${content.length}`);
    await mkdir(data);
    await writeFile(join(data, name), content, { mode: 0o600 });
    const result = await serve(["--data", data]);
    expectPlainError(result, join(data, name));
    expect(result.stderr).toContain(words);
  });

  test.each([
    ["master.key", 0o644],
    ["master.key", 0o620],
    ["operator.token", 0o640],
  ])("serve refuses %s with permissions %o, which others may use", async (name, mode) => {
    const data = join(folder, `open-${name}-${mode}`);
    await mkdir(data);
    const file = join(data, name);
    await writeFile(file, `${Buffer.alloc(32, 1).toString("base64")}\n`);
    await chmod(file, mode);
    const result = await serve(["--data", data]);
    expectPlainError(result, file);
    expect(result.stderr).toContain(`chmod 600 '${file}'`);
  });

  test("serve refuses a master key of which a version comes twice", async () => {
    const key = Buffer.alloc(32, 1).toString("base64");
    const env = { PROPGATE_MASTER_KEY: `1:${key},1:${key}` };
    const data = join(folder, "twice");
    const result = await serve(["--data", data], env);
    expect(existsSync(data)).toBe(false);
    expectPlainError(result, "PROPGATE_MASTER_KEY has version 1 twice");
    expect(result.stderr).not.toContain(key);
  });
});

describe("serve with programs that were sold otherwise says so: 5 [D7.versions]", () => {
  test("serve refuses a changed version, on a folder that has sold it", async () => {
    const data = join(folder, "sold");
    const own = new URL("../../../market/data/programs.json", import.meta.url);
    const document = JSON.parse(await readFile(own, "utf8"));
    const file = join(folder, "programs.json");
    const write = () => writeFile(file, JSON.stringify(document));
    await write();
    const given = ["--data", data];
    const env = { PROPGATE_PROGRAMS: file };
    const running = await startCli(["serve", "--json", "--port", "0", ...given], { env });
    await running.stop();
    document.programs[0].mostRestingOrders = 7;
    await write();
    const result = await serve(given, env);
    expectPlainError(result, `${file}: programs[0] is not what classic version 2 was sold as`);
    expect(result.stderr).toContain("  Give it version 3; version 2 stays as it was sold.\n");
  });
});

describe("serve on a folder that it cannot have says so: 5", () => {
  test("serve refuses a file as its folder", async () => {
    const file = join(folder, "a-file");
    await writeFile(file, "x");
    expectPlainError(await serve(["--data", file]), file);
    expectPlainError(await serve(["--data", join(file, "inside")]), file);
  });

  test("serve refuses a place where no folder can be made", async () => {
    expectPlainError(await serve(["--data", "/proc/propgate"]), "/proc/propgate");
  });

  test("serve refuses files of another program and does not change them", async () => {
    const data = join(folder, "foreign");
    await mkdir(join(data, "database", "postgres"), { recursive: true });
    await writeFile(join(data, "database", "postgres", "mine"), "mine");
    expectPlainError(await serve(["--data", data]), join(data, "database"));
  });

  test("serve refuses a PostgreSQL server's own folder", async () => {
    const data = join(folder, "server");
    await mkdir(join(data, "database"), { recursive: true });
    await writeFile(join(data, "database", "PG_VERSION"), "16\n");
    expectPlainError(await serve(["--data", data]), "is the folder of a PostgreSQL server");
  });
});

import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { startCliHere } from "../../testing/background-cli.ts";
import { runCli } from "../../testing/run-cli.ts";

/** 15 November 2023, a Wednesday: 90 minutes of rows from 11:00 UTC. */
const START = Date.UTC(2023, 10, 15, 11);
const ROWS = Array.from({ length: 900 }, (_, row) => {
  const bid = 50_000 + ((row * 37) % 101) / 4;
  return `${START + row * 6_000},${bid},${bid + 0.5}`;
});

let folder = "";
let csv = "";
let tape = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "propgate-prices-"));
  csv = join(folder, "BTCUSD.csv");
  tape = join(folder, "tape");
  await writeFile(csv, `timeMs,bid,ask\n${ROWS.join("\n")}\n`);
  const { code, stdout } = await runCli([
    "prices",
    "record",
    "--to",
    tape,
    "--replay",
    csv,
    "--json",
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    folder: tape,
    quotes: 900,
    pairs: 1,
    rejected: {},
    lost: 0,
    skipped: [],
    broken: [],
  });
  return () => rm(folder, { recursive: true });
});

describe("recorded prices on the command line", () => {
  test("a recording of a CSV file exports the same rows, all or those of a time", async () => {
    const all = await runCli(["prices", "export", "--pair", "btc/usd", "--tape", tape]);
    expect(all.stdout).toBe(`timeMs,bid,ask\n${ROWS.join("\n")}\n`);
    const [from, to] = ["--from", "--to"];
    const some = await runCli([
      ...["prices", "export", "--pair", "BTCUSD", "--tape", tape],
      ...[from, "2023-11-15T12:00Z", to, String(START + 3_612_000)],
    ]);
    expect(some.stdout).toBe(`timeMs,bid,ask\n${ROWS.slice(600, 602).join("\n")}\n`);
    const none = await runCli(["prices", "export", "--pair", "ETHUSD", "--tape", tape]);
    expect(none).toMatchObject({ code: 0, stdout: "timeMs,bid,ask\n" });
    expect(none.stderr).toContain("the tape has no such quotes");
  });

  /** Records the rows as BTCUSD and exports the recording. */
  async function recorded(name: string, text: string | Buffer, ...given: readonly string[]) {
    const file = join(folder, name);
    const to = join(folder, `${name}.tape`);
    await writeFile(file, text);
    const run = await runCli([
      ...["prices", "record", "--to", to, "--replay", `BTCUSD=${file}`],
      ...given,
    ]);
    const { stdout } = await runCli(["prices", "export", "--pair", "BTCUSD", "--tape", to]);
    return { ...run, file, rows: stdout.trimEnd().split("\n").slice(1) };
  }

  test("quotes of one millisecond are all recorded and exported, in the order of the file", async () => {
    const rows = ["3068,3068", "3069,3069", "3067,3067"].map((prices) => `${START},${prices}`);
    const run = await recorded("one.csv", `timeMs,bid,ask\n${rows.join("\n")}\n`);
    expect([run.code, run.rows]).toEqual([0, rows]);
  });

  test("the lows and highs of bars of a crash are recorded as the file has them", async () => {
    const day = START + 86_400_000;
    const bars = `${START},7930,7970,4600,4850\n${day},4850,5660,3850,5600\n`;
    const run = await recorded("crash.csv", `timeMs,open,high,low,close\n${bars}`);
    expect(run.stdout).toMatch(/^rejected +0$/m);
    // Bid and ask are half the catalogue's spread below and above each price, so their middle is the price.
    const middles = run.rows.map((row) => {
      const [, bid = 0, ask = 0] = row.split(",").map(Number);
      return Math.round((bid + ask) / 2);
    });
    expect(middles).toEqual([7930, 7970, 4600, 4850, 4850, 3850, 5660, 5600]);
  });

  test("a file that is cut, or in seconds, is refused with exit code 1, and nothing is recorded", async () => {
    const whole = gzipSync(`timeMs,bid,ask\n${ROWS.join("\n")}\n`);
    const cut = await recorded("cut.csv.gz", whole.subarray(0, whole.length / 2));
    expect([cut.code, cut.rows]).toEqual([1, []]);
    expect(cut.stderr).toContain(`${cut.file}: the rest of the file cannot be read, from line`);
    const seconds = await recorded("seconds.csv", "timeMs,bid,ask\n1767614400,90000,90001\n");
    expect([seconds.code, seconds.rows]).toEqual([1, []]);
    expect(seconds.stderr).toContain("timeMs looks like seconds (first: line 2: 1767614400)");
  });

  test("rows that cannot be used are named; more than a person allows of them end the command", async () => {
    const rows = [ROWS[0], "late,1,2", ROWS[1], ROWS[2]].join("\n");
    const text = `timeMs,bid,ask\n${rows}\n`;
    const refused = await recorded("bad.csv", text, "--max-unusable", "24");
    expect([refused.code, refused.rows]).toEqual([1, []]);
    expect(refused.stderr).toContain("1 of 4 rows cannot be used, and at most 24 % may be");
    const allowed = await recorded("allowed.csv", text, "--max-unusable", "25");
    expect([allowed.code, allowed.rows]).toEqual([0, ROWS.slice(0, 3)]);
    expect(allowed.stdout).toMatch(/^skipped +1$/m);
    expect(allowed.stderr).toContain(`(first: ${allowed.file}:3: late)`);
  });

  test("a tape that is altered anywhere is refused with exit code 1 and its name before anything is recorded; an unfinished write at its end is named", async () => {
    const minutes = Array.from({ length: 200 }, (_, row) => `${START + row * 60_000},100,101`);
    await recorded("hours.csv", `timeMs,bid,ask\n${minutes.join("\n")}\n`);
    const hours = join(folder, "hours.csv.tape");
    const names = (await readdir(join(hours, "BTCUSD"))).sort();
    expect(names).toHaveLength(4);
    const to = join(folder, "of-damaged");
    const again = () => runCli(["prices", "record", "--to", to, "--replay", hours]);
    for (const name of [names[1], names.at(-1)]) {
      const path = join(hours, "BTCUSD", name ?? "");
      const bytes = await readFile(path);
      const altered = Buffer.from(bytes);
      altered[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
      await writeFile(path, altered);
      const run = await again();
      await writeFile(path, bytes);
      expect([run.code, run.stdout, await readdir(to).catch(() => [])]).toEqual([1, "", []]);
      expect(run.stderr).toContain(`${path}: chunk 1: the chunk's hash does not match its content`);
      expect(run.stderr).toContain("prices verify names every damaged file");
    }
    const newest = join(hours, "BTCUSD", names.at(-1) ?? "");
    await writeFile(newest, (await readFile(newest)).subarray(0, -20));
    const torn = await again();
    expect([torn.code, torn.stdout]).toEqual([0, expect.stringMatching(/^quotes +180$/m)]);
    expect(torn.stderr).toContain(`${newest}: 1 unfinished write at the end is left out`);
  });

  test("verify proves a recording, and names the first bad chunk of an altered file", async () => {
    const good = await runCli(["prices", "verify", "--tape", tape, "--json"]);
    expect(good.code).toBe(0);
    expect(JSON.parse(good.stdout)).toMatchObject({ pairs: 1, files: 2, quotes: 900, faults: [] });
    const [first = ""] = await readdir(join(tape, "BTCUSD"));
    const path = join(tape, "BTCUSD", first);
    const bytes = await readFile(path);
    const altered = Buffer.from(bytes);
    altered[200] = (altered[200] ?? 0) ^ 1;
    await writeFile(path, altered);
    const bad = await runCli(["prices", "verify", "--tape", tape]);
    await writeFile(path, bytes);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain(path);
    expect(bad.stdout).toContain("the chunk's hash does not match its content");
  });

  test("a service replays a recording, records it again and stores its candles", async () => {
    const data = join(folder, "data");
    const service = await startCliHere(
      [
        "prices",
        "replay",
        tape,
        "--data",
        data,
        "--port",
        "0",
        "--rebase",
        "own",
        "--speed",
        "4000",
      ],
      { until: "Ctrl-C stops it." },
    );
    expect(service.said().stdout).toContain(`replay of ${tape}`);
    await rowsOf(join(data, "tape"));
    expect(await service.stop()).toBe(0);
    const exported = await runCli(["prices", "export", "--pair", "BTCUSD", "--data", data]);
    expect(exported.stdout).toBe(`timeMs,bid,ask\n${ROWS.join("\n")}\n`);
    const proof = await runCli(["prices", "verify", "--data", data, "--json"]);
    expect(JSON.parse(proof.stdout)).toMatchObject({
      quotes: 900,
      faults: [],
      candles: { hours: 2, unstored: 0, faults: [] },
    });
    expect(proof.code).toBe(0);
  });

  test.each([
    [["record", "--to", "x", "--for", "soon"], "--for must be a time such as 90s"],
    [["record", "--to", "x", "--replay", "/nowhere/BTCUSD.csv"], "/nowhere/BTCUSD.csv"],
    [["export", "--pair", "no pair"], "--pair must be a pair such as BTCUSD"],
    [["export", "--pair", "BTCUSD", "--from", "monday"], "--from is not a time: monday"],
    [["export", "--pair", "BTCUSD", "--from", "1767614400"], "1767614400 looks like seconds"],
    [["replay"], "missing required argument 'recording'"],
  ])("propgate prices %j is refused with its reason", async (given, reason) => {
    const { code, stderr } = await runCli(["prices", ...given]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(reason);
  });
});

/** Waits until the tape has all rows. The tape writes the last rows when it is flushed. */
async function rowsOf(of: string): Promise<void> {
  for (;;) {
    const { stdout } = await runCli(["prices", "export", "--pair", "BTCUSD", "--tape", of]);
    if (stdout.split("\n").length >= ROWS.length + 2) return;
  }
}

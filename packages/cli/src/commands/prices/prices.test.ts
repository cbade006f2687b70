import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startCliHere } from "../../testing/background-cli.ts";
import { runCli } from "../../testing/run-cli.ts";

/** A Wednesday, 90 minutes from 11:00 UTC. */
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
    [["export", "--pair", "BTCUSD", "--from", "monday"], "--from must be a date"],
    [["replay"], "missing required argument 'recording'"],
  ])("propgate prices %j is refused with its reason", async (given, reason) => {
    const { code, stderr } = await runCli(["prices", ...given]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(reason);
  });
});

/** Waits until a service has recorded all rows: the flush after the last one. */
async function rowsOf(of: string): Promise<void> {
  for (;;) {
    const { stdout } = await runCli(["prices", "export", "--pair", "BTCUSD", "--tape", of]);
    if (stdout.split("\n").length >= ROWS.length + 2) return;
  }
}

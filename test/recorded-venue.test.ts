import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli, runCliHere } from "../packages/cli/src/testing/run-cli.ts";
import { krakenProtocol } from "../packages/server/src/testing/venues/kraken.ts";
import { openLocalVenue } from "../packages/server/src/testing/venues/local-venue.ts";
import { until } from "./eventually.ts";

const QUOTES_MIN = 10;

test("prices recorded from a venue are proved, exported and replayed, and the log is not on standard output", async () => {
  const venue = await openLocalVenue({ protocol: krakenProtocol, markets: ["BTC/USD", "ETH/USD"] });
  const folder = await mkdtemp(join(tmpdir(), "propgate-venue-"));
  let bid = 50_000;
  let movedAtMs = 0;
  /**
   * Moves the price. An export has at most one row a millisecond, and a timer of a busy process may run twice in one
   * millisecond, so the second move is skipped.
   */
  const move = (): void => {
    if (Date.now() === movedAtMs) return;
    bid += 1;
    venue.quote("BTC/USD", bid, bid + 0.5);
    movedAtMs = Date.now();
  };
  move();
  let moving: NodeJS.Timeout | undefined;
  onTestFinished(async () => {
    clearInterval(moving);
    await venue.close();
    await rm(folder, { recursive: true });
  });
  const tape = join(folder, "tape");
  const stopped = Promise.withResolvers<string>();
  let stdout = "";
  let stderr = "";
  const recording = runCliHere(
    ["prices", "record", "--prices", "BTC/USD=kraken", "--to", tape, "--json"],
    { env: { PROPGATE_PRICE_URLS: `kraken=${venue.origin}`, PROPGATE_LOG_LEVEL: "info" } },
    {
      out(text) {
        stdout += text;
      },
      error(text) {
        stderr += text;
      },
    },
    stopped.promise,
  );
  await until(() => venue.subscribers() > 0);
  moving = setInterval(move, 50);
  const onDisk = async (): Promise<number> => {
    const { stdout: rows } = await runCli([
      ...["prices", "export", "--pair", "BTCUSD", "--tape", tape],
    ]);
    return rows.split("\n").length - 2;
  };
  await until(async () => (await onDisk()) > QUOTES_MIN);
  stopped.resolve("SIGINT");
  expect(await recording).toBe(0);
  expect(stderr).toContain("price source is connected");
  const { quotes, ...rest } = JSON.parse(stdout) as { readonly quotes: number };
  expect(rest).toEqual({
    folder: tape,
    pairs: 1,
    rejected: {},
    lost: 0,
    skipped: [],
    broken: [],
  });
  expect(quotes).toBeGreaterThan(QUOTES_MIN);

  const proof = await runCli(["prices", "verify", "--tape", tape, "--json"]);
  expect(proof).toMatchObject({ code: 0 });
  expect(JSON.parse(proof.stdout)).toMatchObject({ quotes, faults: [] });

  const exported = await runCli(["prices", "export", "--pair", "BTCUSD", "--tape", tape]);
  expect(exported.stdout.trim().split("\n")).toHaveLength(1 + quotes);
  const csv = join(folder, "BTCUSD.csv");
  await writeFile(csv, exported.stdout);
  for (const [name, source] of Object.entries({ fromCsv: `BTCUSD=${csv}`, fromTape: tape })) {
    const again = join(folder, name);
    const replayed = await runCli([
      ...["prices", "record", "--replay", source, "--to", again, "--json"],
    ]);
    expect(replayed).toMatchObject({ code: 0 });
    expect(JSON.parse(replayed.stdout), name).toMatchObject({ quotes, pairs: 1, lost: 0 });
    const same = await runCli(["prices", "export", "--pair", "BTCUSD", "--tape", again]);
    expect(same.stdout, name).toBe(exported.stdout);
  }
});

test("a recording ends by itself after its time", async () => {
  const folder = await mkdtemp(join(tmpdir(), "propgate-timed-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const timed = ["prices", "record", "--to", join(folder, "tape"), "--for", "1s", "--json"];
  const { code, stdout } = await runCli(timed);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { lost: 0 }]);
});

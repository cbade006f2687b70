import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EventsPage } from "@propgate/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { type CliSandbox, openCliSandbox } from "../../testing/cli-sandbox.ts";
import { runCli } from "../../testing/run-cli.ts";

const BUY = ["order", "market", "BTCUSD", "long", "--quantity", "0.1", "--yes"] as const;

describe("events verify [D9.proof]", () => {
  let sandbox: CliSandbox;
  let folder: string;
  /** The lines of `events tail --after 0 --json --proof`. */
  let lines: readonly string[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "propgate-verify-"));
    sandbox = await openCliSandbox();
    await sandbox.control("/quotes", [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]);
    for (let bought = 0; bought < 3; bought += 1) await sandbox.json(...BUY);
    const page = await sandbox.json("events", "list", "--proof", "--limit", "500");
    lines = (page as EventsPage).items.map((event) => JSON.stringify(event));
    return async () => {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    };
  });
  /** Verifies the lines as a file. It needs no service: the environment names none. */
  const verifyFile = async (given: readonly string[]) => {
    const file = join(folder, "events.jsonl");
    await writeFile(file, given.map((line) => `${line}\n`).join(""));
    return runCli(["events", "verify", "--file", file]);
  };

  test("events verify checks the events of the account and says how many", async () => {
    const value = await sandbox.json("events", "verify");
    const { cursor } = JSON.parse(lines.at(-1) ?? "") as { cursor: string };
    expect(value).toMatchObject({ checked: lines.length, from: 1, to: cursor });
    const { stdout } = await sandbox.run("events", "verify");
    expect(stdout).toContain("Each follows the one before by its hash");
  });

  test("events verify checks a file without a service, also one that begins later", async () => {
    const whole = await verifyFile(lines);
    expect([whole.code, whole.stderr]).toEqual([0, ""]);
    expect(whole.stdout).toMatch(new RegExp(`^checked +${lines.length}$`, "m"));
    const later = await verifyFile(lines.slice(1));
    expect(later.code).toBe(0);
    expect(later.stdout).toMatch(new RegExp(`^checked +${lines.length - 2}$`, "m"));
    expect(later.stdout).toContain("Event 2 was not checked by its hash");
  });

  test("events verify ends with 1 when an event differs, is missing, or none was checked", async () => {
    const [first = "", second = "", ...rest] = lines;
    const cases: readonly (readonly [readonly string[], string])[] = [
      [[first, second.replace('"sequence":2', '"sequence":3')], "line 2: it is not the event of"],
      [[first, ...rest], "line 2: history differs: event 3 does not follow event 1 by its hash"],
      [[first, second.slice(0, 100)], "line 2: it is no event with its line and hash"],
      [[second], "line 1: no event was checked"],
      [[], "line 0: no event was checked"],
    ];
    for (const [given, words] of cases) {
      const { code, stderr } = await verifyFile(given);
      expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
    }
  });

  test("events verify refuses a line of more than 4 MiB with its number", async () => {
    const { code, stderr } = await verifyFile([lines[0] ?? "", "x".repeat(4 * 1024 * 1024 + 1)]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("line 2: a line has more than")]);
  });

  test("events verify refuses a file that is not there", async () => {
    const { code, stderr } = await runCli(["events", "verify", "--file", join(folder, "none")]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("cannot be read")]);
  });
});

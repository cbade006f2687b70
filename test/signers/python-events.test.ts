import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { listenerPort } from "../../packages/base/src/listener-port.ts";
import { type CliSandbox, openCliSandbox } from "../../packages/cli/src/testing/cli-sandbox.ts";
import { hasTools, runProgram, SIGNERS } from "./signer-programs.ts";

const BUY = ["order", "market", "BTCUSD", "long", "--quantity", "0.1", "--yes"] as const;
const PYTHON = SIGNERS.filter(({ language }) => language === "Python");

describe.skipIf(!PYTHON.every(hasTools))("the consumer in Python", () => {
  let sandbox: CliSandbox;
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "propgate-python-"));
    sandbox = await openCliSandbox();
    await sandbox.control("/quotes", [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]);
    return async () => {
      await sandbox.close();
      await rm(folder, { recursive: true });
    };
  });
  const consume = (database: string) =>
    runProgram(
      ["python3", "examples/python/events_consumer.py", "--until-head", join(folder, database)],
      sandbox.env,
    );
  const numbers = (stdout: string): readonly number[] =>
    stdout.split("\n").flatMap((line) => (line === "" ? [] : [Number(line.split(" ")[0])]));

  test("the consumer in Python handles each event one time, also after it was started again", async () => {
    await sandbox.json(...BUY);
    const first = await consume("place.db");
    expect([first.code, first.stderr]).toEqual([0, ""]);
    const seen = numbers(first.stdout);
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).toEqual(seen.map((_, index) => index + 1));
    expect(numbers((await consume("place.db")).stdout)).toEqual([]);
    await sandbox.json(...BUY);
    const more = numbers((await consume("place.db")).stdout);
    expect(more.length).toBeGreaterThan(0);
    expect(more).toEqual(more.map((_, index) => seen.length + index + 1));
  });

  test("the consumer in Python asks again when Retry-After says, not later", async () => {
    let refusals = 0;
    const busy = createServer((_, response) => {
      // The consumer waits five seconds when an answer has no `Retry-After`. If it did so here, these answers would
      // outlast the test.
      if (refusals < 100) {
        refusals += 1;
        response.writeHead(429, { "Retry-After": "0" }).end();
        return;
      }
      const page = { items: [], next: "0", head: { sequence: 0, hash: "00" } };
      response.writeHead(200).end(JSON.stringify({ success: true, data: page }));
    });
    await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
    const PROPGATE_BASE_URL = `http://127.0.0.1:${listenerPort(busy.address())}`;
    const { code, stderr } = await runProgram(
      ["python3", "examples/python/events_consumer.py", "--until-head", join(folder, "busy.db")],
      { ...sandbox.env, PROPGATE_BASE_URL },
    );
    expect([code, stderr, refusals]).toEqual([0, "", 100]);
    await new Promise((resolve) => busy.close(resolve));
  });

  test("the consumer in Python ends without an event when the journal is not the one that it knows", async () => {
    await consume("altered.db");
    const alter =
      "import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); d.execute(sys.argv[2]); d.commit()";
    const change = async (statement: string) => {
      const { code } = await runProgram([
        "python3",
        "-c",
        alter,
        join(folder, "altered.db"),
        statement,
      ]);
      expect(code).toBe(0);
    };
    await change("UPDATE place SET hash = replace(hash, substr(hash, 40), substr(hash, 39, 25))");
    await sandbox.json(...BUY);
    const wrongHash = await consume("altered.db");
    expect([wrongHash.code, wrongHash.stdout]).toEqual([1, ""]);
    expect(wrongHash.stderr).toMatch(/HistoryDiffers: event \d+ does not follow event/);
    await change("UPDATE place SET cursor = '2-00000000000000000000000000000000'");
    const otherPast = await consume("altered.db");
    expect([otherPast.code, otherPast.stdout]).toEqual([1, ""]);
    expect(otherPast.stderr).toContain("history differs at 2");
  });
});

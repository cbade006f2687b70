import { join } from "node:path";
import { accountId } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { readSettings } from "../../base/config.ts";
import { startSandbox } from "../../start/start-sandbox.ts";
import { startService } from "../../start/start-service.ts";
import { openPgliteFolder } from "../../storage/databases/pglite-database.ts";
import { controlClient } from "../../testing/control-client.ts";
import { FORMER_ROWS, FORMER_SCHEMA } from "../../testing/former-release.ts";
import { temporaryFile, temporaryFolder } from "../../testing/temporary-folder.ts";
import { createFileJudge, exportJournal, WHOLE_JOURNAL } from "./journal-export.ts";

const TRADER = "cf486cd5-d1b3-47c5-b78c-6b938468b1d1";
const ENDED = "355d5540-4cfe-4624-88a8-8a75bccff2ff";
/** Two days after the fixture was begun. */
const NOW_MS = Date.parse("2026-01-07T12:00:00Z");
const TOKEN = "op_upgrade_0123456789abcdef0123456789";

/** Data of the last release before state format 2. */
async function formerFolder(dataDir: string): Promise<void> {
  const database = await openPgliteFolder(dataDir);
  // A test's folder has the present tables.
  await database.query("drop schema public cascade; create schema public");
  await database.query(FORMER_SCHEMA);
  await database.query(FORMER_ROWS);
  await database.close();
}

describe("a start on the previous release's data", () => {
  test("gives a service with all accounts in the present format", async () => {
    const dataDir = await temporaryFolder();
    await formerFolder(join(dataDir, "database"));
    const prices = [
      ["EURUSD.csv", "1.105,1.105"],
      ["BTCUSD.csv", "51000,51000"],
    ].map(([file = "", price]) =>
      temporaryFile(file, `timeMs,bid,ask\n${NOW_MS},${price}\n${NOW_MS + 60_000},${price}\n`),
    );
    const reading = readSettings(
      { PROPGATE_OPERATOR_TOKEN: TOKEN },
      {
        port: "0",
        dataDir,
        replayRebase: "own",
        logLevel: "error",
        replay: (await Promise.all(prices)).join(","),
      },
    );
    if (!reading.ok) throw new Error(reading.problems.join("; "));
    const service = await startService(reading.settings);
    const operator = async (method: string, path: string): Promise<unknown> => {
      const response = await fetch(`${service.baseUrl}/operator/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" },
        ...(method === "POST" ? { body: "{}" } : {}),
      });
      return ((await response.json()) as { readonly data: unknown }).data;
    };
    try {
      expect(await operator("POST", "/journal/verify")).toMatchObject({ accounts: 3, broken: [] });
      expect(await operator("POST", "/journal/rebuild")).toMatchObject({ different: [] });
      // No person can sign in yet: the first people are created, and the owner has accounts.
      expect(service.firstLinks.map(({ name }) => name)).toEqual(["owner", "operator"]);
      const [oldest] = ((await operator("GET", "/accounts")) as { items: object[] }).items;
      expect(await operator("GET", "/people")).toMatchObject([
        { name: "operator", ownerId: null },
        { name: "owner", ownerId: (oldest as { ownerId?: unknown }).ownerId },
      ]);
      expect(await operator("GET", "/accounts")).toMatchObject({
        items: expect.arrayContaining([
          expect.objectContaining({ accountId: ENDED, status: "eliminated" }),
          expect.objectContaining({ accountId: TRADER, status: "active", size: 100_000 }),
        ]),
      });
    } finally {
      await service.stop();
    }
  });

  test("gives a sandbox whose clock still moves the accounts, and whose new decisions are judged", async () => {
    const dataDir = await temporaryFolder();
    await formerFolder(dataDir);
    const sandbox = await startSandbox({
      port: 0,
      startMs: NOW_MS,
      seed: "upgrade",
      clock: "frozen",
      dataDir,
      networkTimeoutMs: 15_000,
    });
    const call = controlClient(sandbox);
    try {
      await call("POST", "/quotes", [
        { pair: "EURUSD", bid: 1.105, ask: 1.105 },
        { pair: "BTCUSD", bid: 51_000, ask: 51_000 },
      ]);
      await call("POST", "/clock", { advance: 86_400_000 });
      const { body } = await call("GET", `/journal?accountId=${TRADER}`);
      const { events } = body as { readonly events: readonly { readonly event: unknown }[] };
      expect(events.slice(9).map(({ event }) => event)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            type: "dayEnded",
            atMs: Date.parse("2026-01-08T00:00:00Z"),
            midnightMs: Date.parse("2026-01-08T00:00:00Z"),
          }),
        ]),
      );
    } finally {
      await sandbox.stop();
    }
    const database = await openPgliteFolder(dataDir);
    const judge = createFileJudge();
    for await (const text of exportJournal(database, accountId(TRADER), WHOLE_JOURNAL)) {
      judge.read(text);
    }
    await database.close();
    // The former release's lines have no inputs; the days after them were decided by this one.
    const judgement = judge.judgement();
    expect(judgement).toMatchObject({ withoutInputs: 9, otherVersions: [], different: null });
    expect(judgement?.judged).toBeGreaterThan(0);
  });
});

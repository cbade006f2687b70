import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { scaledCount } from "../../../../../test/environment/depth.ts";
import { checkMasterKeys } from "../../../../access/src/keys/check-master-keys.ts";
import { createSecretBox } from "../../../../access/src/keys/seal-secret.ts";
import { systemTimer } from "../../../../base/src/clock.ts";
import { readSettings, type Settings } from "../../../../base/src/config.ts";
import { parseMasterKeys } from "../../../../base/src/keys/master-key.ts";
import { systemChance } from "../../../../base/src/random.ts";
import { ownProcessIdentity } from "../../../../ledger/src/storage/databases/process-identity.ts";
import { bundledDataPath } from "../../../../market/src/catalogue/data-file.ts";
import { ALIVE_FOR_MS } from "../../storage/node-store.ts";
import {
  openScratchPostgres,
  openTestDatabase,
  patientDatabaseUrl,
  type ScratchDatabase,
  testPostgresUrl,
} from "../../testing/open-test-database.ts";
import { makeTemporaryFolder, writeTemporaryFile } from "../../testing/temporary-folder.ts";
import { testNatsUrl } from "../../testing/test-nats.ts";
import type { RunningService } from "../running-service.ts";
import { startService } from "../start-service.ts";
import { joinNodes } from "./node-membership.ts";

const [url, nats] = [await testPostgresUrl(), await testNatsUrl()];
const KEY = randomBytes(32).toString("base64");
const NODES = 3;
const ROUNDS = scaledCount(2);

type Flags = Partial<Record<keyof Settings, string>>;

async function settingsOf(
  databaseUrl: string,
  flags: Flags = {},
  natsUrl = nats,
): Promise<Settings> {
  const reading = readSettings(
    {
      PROPGATE_DATABASE_URL: patientDatabaseUrl(databaseUrl),
      ...(natsUrl === null ? {} : { PROPGATE_NATS_URL: natsUrl }),
    },
    {
      port: "0",
      dataDir: await makeTemporaryFolder(),
      masterKey: KEY,
      logLevel: "silent",
      ...flags,
    },
  );
  if (!reading.ok) throw new Error(reading.problems.join("; "));
  return reading.settings;
}

/** The path of the service's own catalogue with one instrument fewer. */
async function otherCatalogue(): Promise<string> {
  const text = await readFile(bundledDataPath("catalogue.json"), "utf8");
  const document = JSON.parse(text) as { instruments: unknown[] };
  document.instruments.pop();
  return writeTemporaryFile("catalogue.json", JSON.stringify(document));
}

describe.skipIf(url === null || nats === null)("nodes that start on one database", () => {
  let database: ScratchDatabase;
  let starts: Promise<RunningService>[] = [];
  beforeEach(async () => {
    database = await openScratchPostgres(url ?? "");
    return async () => {
      // When one of the starts has failed, another may still be under way.
      const ends = await Promise.allSettled(starts);
      const running = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
      await Promise.all(running.map((service) => service.stop()));
      starts = [];
      await database.close();
    };
  });
  const start = (flags: Flags = {}, natsUrl = nats): Promise<RunningService> => {
    const started = settingsOf(database.url, flags, natsUrl).then(startService);
    starts.push(started);
    return started;
  };

  test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    "nodes that start together make one first account and show one key, and one link for each person (round %i)",
    async () => {
      const services = await Promise.all(Array.from({ length: NODES }, () => start()));
      const accounts = await database.query<{ id: string }>(
        "select account_id as id from accounts",
        [],
      );
      const keys = services.flatMap(({ firstKey }) => (firstKey === null ? [] : [firstKey]));
      expect(accounts).toHaveLength(1);
      expect(keys.map(({ accountId }) => accountId)).toEqual([accounts[0]?.id]);
      expect(services.map(({ accountId }) => accountId)).toEqual(
        services.map(() => accounts[0]?.id),
      );
      const people = services.flatMap(({ firstLinks }) => firstLinks.map(({ name }) => name));
      expect(people.toSorted()).toEqual(["operator", "owner"]);
    },
  );

  test("nodes that start on one database do not start with another catalogue, and say so, until the others have stopped", async () => {
    const first = await start();
    const cataloguePath = await otherCatalogue();
    await expect(start({ cataloguePath })).rejects.toMatchObject({
      name: "CannotStart",
      message: expect.stringMatching(
        /different configuration: the catalogue \(SHA-256 \w{12} against/,
      ),
      fix: expect.stringContaining("stop every node first"),
    });
    // A node with the same catalogue starts. A node with another catalogue starts only after all the others have
    // stopped.
    const second = await start();
    starts = [];
    await Promise.all([first.stop(), second.stop()]);
    await start({ cataloguePath });
  });

  test("nodes that start on one database do not start beside another process without NATS, until that one has stopped", async () => {
    const alone = await start({}, null);
    await expect(start({}, null)).rejects.toMatchObject({
      name: "CannotStart",
      message: "Another process serves this database, and neither has NATS",
      fix: expect.stringContaining("set PROPGATE_NATS_URL on every node"),
    });
    await expect(start()).rejects.toMatchObject({
      name: "CannotStart",
      message: "Another process serves this database without PROPGATE_NATS_URL",
    });
    starts = [];
    await alone.stop();
    await start();
    await expect(start({}, null)).rejects.toMatchObject({
      name: "CannotStart",
      message: "Another process serves this database with PROPGATE_NATS_URL, this one without",
    });
  });

  test("nodes that start on one database claim what their roles say, and only one that decides accounts opens the first", async () => {
    for (const role of ["api", "feed"]) {
      const { firstKey, accountId } = await start({ role });
      expect([firstKey, accountId]).toEqual([null, null]);
    }
    expect((await start({ role: "engine" })).firstKey).not.toBeNull();
    const owned = await database.query<{ roles: string; leases: number }>(
      `select roles, count(name)::int as leases from nodes left join leases on owner = node_id and name <> 'webhooks'
       group by roles order by roles`,
      [],
    );
    expect(owned).toEqual([
      { roles: "", leases: 0 },
      { roles: "engine", leases: 256 },
      { roles: "feed", leases: 1 },
    ]);
  });

  test("nodes that start on one database with a role of several nodes do not start without NATS", async () => {
    await expect(start({ role: "engine" }, null)).rejects.toMatchObject({
      name: "CannotStart",
      message: "PROPGATE_ROLE=engine is for several nodes, which need NATS",
      fix: "Set PROPGATE_NATS_URL, or remove PROPGATE_ROLE.",
    });
  });

  test("nodes that start on one database do not start with another release than one that is alive; a dead one does not count", async () => {
    const enter = `insert into nodes (node_id, release, state_format, catalogue, roles, has_bus, process, seen_at_ms)
      select gen_random_uuid(), '9.9.9', 1, '', '', true, '', (extract(epoch from clock_timestamp()) * 1000)::bigint`;
    await database.query(`${enter} - ${ALIVE_FOR_MS}`);
    await start();
    // The last heartbeat of the other node is set ten minutes into the future, so that it does not become too old when
    // this test is slow to send the next one.
    await database.query(`${enter} + 600000`);
    const beats = new AbortController();
    const alive = (async () => {
      while (!beats.signal.aborted) {
        await database.query(
          "update nodes set seen_at_ms = seen_at_ms + 1 where release = '9.9.9'",
        );
        await setTimeout(100);
      }
    })();
    await expect(start()).rejects.toThrow(/the release \(.*against 9\.9\.9, state format 1\)/);
    beats.abort();
    await alive;
  });

  test("nodes that start on one database do not start with another master key, also a node that starts alone, and rekeying goes on", async () => {
    const first = await start();
    const other = randomBytes(32).toString("base64");
    const wrong = { message: expect.stringContaining("The master key, version 1, is not the one") };
    await expect(start({ masterKey: other })).rejects.toMatchObject(wrong);
    starts = [];
    await first.stop();
    await expect(start({ masterKey: other })).rejects.toMatchObject(wrong);
    await start({ masterKey: `1:${KEY},2:${other}` });
    await expect(start({ masterKey: `2:${KEY}` })).rejects.toMatchObject({
      message: expect.stringContaining("version 2"),
    });
  });

  test("nodes that start on one database know the wrong master key of a database that has no fingerprint of it yet", async () => {
    const first = await start();
    starts = [];
    await first.stop();
    await database.query("delete from settings where name like 'master.key.%'");
    const masterKey = randomBytes(32).toString("base64");
    await expect(start({ masterKey })).rejects.toThrow("The master key, version 1, is not");
    await start();
  });

  test("nodes that start on one database are not ready first when they stop, and still serve while a load balancer notices", async () => {
    const service = await start({ stopDelaySeconds: "1" });
    starts = [];
    const get = async (path: string) => (await fetch(`${service.baseUrl}${path}`)).status;
    expect([await get("/ready"), await get("/health")]).toEqual([200, 200]);
    const stopped = service.stop();
    expect(await (await fetch(`${service.baseUrl}/ready`)).json()).toEqual({
      status: "notReady",
      problem: "the service is stopping",
    });
    expect([await get("/ready"), await get("/health")]).toEqual([503, 200]);
    expect(await get("/api/v1/time")).toBe(200);
    await stopped;
    await expect(get("/ready")).rejects.toThrow("fetch failed");
  });
});

describe.skipIf(url === null)("a node that stood still while a different one started", () => {
  test("a node that was killed on this machine is replaced without waiting for its heartbeat", async () => {
    const database = await openScratchPostgres(url ?? "");
    await database.query(
      `insert into nodes (node_id, release, state_format, catalogue, roles, has_bus, process, seen_at_ms)
       select gen_random_uuid(), '9.9.9', 1, '', '', false, $1, (extract(epoch from clock_timestamp()) * 1000)::bigint`,
      [ownProcessIdentity().replace(/:\d+"/, ':1"')],
    );
    const noWait = () => {
      throw new Error("the start waits");
    };
    await joinNodes({
      roles: [],
      hasBus: false,
      database,
      chance: systemChance,
      timer: { after: noWait },
      configuration: { release: "1.0.0", stateFormat: 1, catalogue: "one" },
    });
    expect(await database.query("select release from nodes", [])).toEqual([{ release: "1.0.0" }]);
    await database.close();
  });

  test("a node that stood still must not serve until a different one that started has stopped", async () => {
    const database = await openScratchPostgres(url ?? "");
    const join = (catalogue: string) =>
      joinNodes({
        roles: ["engine", "feed"],
        hasBus: true,
        database,
        chance: systemChance,
        timer: systemTimer,
        configuration: { release: "1.0.0", stateFormat: 1, catalogue },
      });
    const stalled = await join("one");
    await stalled.heartbeat.run();
    await database.query("update nodes set seen_at_ms = seen_at_ms - $1", [ALIVE_FOR_MS]);
    const other = await join("other");
    await expect(stalled.heartbeat.run()).rejects.toThrow("runs with a different configuration");
    expect([stalled.problem(), other.problem()]).toEqual([
      "another node runs with a different configuration",
      null,
    ]);
    await other.leave();
    await stalled.heartbeat.run();
    expect(stalled.problem()).toBeNull();
    await database.close();
  });
});

describe("an embedded database", () => {
  test("an embedded database is not served with another master key than before", async () => {
    const database = await openTestDatabase();
    const check = async (text: string): Promise<void> => {
      const masterKeys = parseMasterKeys(text);
      await checkMasterKeys({
        database,
        masterKeys,
        box: createSecretBox(masterKeys, systemChance),
      });
    };
    await check(`1:${KEY}`);
    await check(`1:${KEY}`);
    const other = randomBytes(32).toString("base64");
    await expect(check(`1:${other}`)).rejects.toThrow("The master key, version 1, is not the one");
    await check(`2:${other}`);
    await expect(check(`1:${KEY},2:${KEY}`)).rejects.toThrow("The master key, version 2");
    await database.close();
  });
});

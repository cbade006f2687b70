import { beforeEach, describe, expect, test } from "vitest";
import { systemChance } from "../../../../base/src/random.ts";
import { createCountingNetwork } from "../../../../server/src/testing/counting-network.ts";
import {
  openScratchPostgres,
  type ScratchDatabase,
  testPostgresUrl,
} from "../../../../server/src/testing/open-test-database.ts";
import { createSettingStore } from "../stores/setting-store.ts";
import { openShards } from "./open-shards.ts";

const postgres = await testPostgresUrl();

describe.skipIf(postgres === null)("opening the databases of a list", () => {
  let made: readonly ScratchDatabase[] = [];
  beforeEach(async () => {
    made = await Promise.all([0, 1, 2].map(() => openScratchPostgres(postgres ?? "")));
    return async () => {
      await Promise.all(made.map((one) => one.close()));
    };
  });

  const at = (index: number): ScratchDatabase => {
    const one = made[index];
    if (one === undefined) throw new Error("three databases were made");
    return one;
  };
  const open = (urls: readonly string[]) =>
    openShards({ databaseUrl: null, databaseUrls: urls.join(","), dataDir: "" }, systemChance);
  /** Opens the databases with these indexes, in this order, and closes them. */
  const start = async (...indexes: readonly number[]): Promise<void> =>
    (await open(indexes.map((index) => at(index).url))).close();
  const settingsOf = (index: number) =>
    at(index).query<{ name: string; value: string }>(
      "select name, value from settings order by name",
      [],
    );

  test("new ones become an installation, which opens again and takes a further one at its end", async () => {
    await start(0, 1);
    await start(0, 1);
    await start(0, 1, 2);
    const installation = await createSettingStore(at(0)).get("installation.id");
    expect(installation).toMatch(/^[0-9a-f-]{36}$/);
    for (const index of [1, 2]) {
      expect(await settingsOf(index)).toEqual([
        { name: "database.number", value: String(index) },
        { name: "installation.id", value: installation },
      ]);
    }
    await expect(start(0, 1)).rejects.toThrow("has 3 databases, and the settings name 2");
    await expect(start(0)).rejects.toThrow("has 3 databases, and the settings name 1");
  });

  test("a service of one database keeps its data as the first of several", async () => {
    await createCountingNetwork(at(0)).open();
    await createSettingStore(at(0)).set("installation.id", "an-installation-with-NATS");
    await start(0, 1);
    expect(await createSettingStore(at(1)).get("installation.id")).toBe(
      "an-installation-with-NATS",
    );
  });

  test("another order is refused with the position and the number", async () => {
    await start(0, 1, 2);
    await expect(start(0, 2, 1)).rejects.toThrow("The database at position 1 is number 2");
    await expect(start(1, 0, 2)).rejects.toThrow("The database at position 0 is number 1");
    await expect(start(1)).rejects.toThrow("The database at position 0 is number 1");
  });

  test("a database of another installation, or that a service had alone, is refused", async () => {
    await start(0, 1);
    await expect(start(2, 1)).rejects.toThrow("Database 1 of the list is of another installation");
    expect(await settingsOf(2)).toEqual([]);
    await createCountingNetwork(at(2)).open();
    await expect(start(0, 1, 2)).rejects.toThrow(
      "Database 2 of the list is of another installation",
    );
    expect(await settingsOf(2)).toEqual([]);
    await start(0, 1);
  });

  test("one database under two names of its host is refused", async () => {
    const other = new URL(at(0).url);
    other.hostname = other.hostname === "localhost" ? "127.0.0.1" : "localhost";
    await expect(open([at(0).url, other.href])).rejects.toThrow("at position 1 is number 0");
  });

  test("a database with the schema of a newer release is refused with its position", async () => {
    await at(1).query("insert into schema_migrations (number, name) values (9999, 'later')", []);
    await expect(start(0, 1)).rejects.toThrow(/Database 1 of the list: .*schema 9999/);
    expect(await settingsOf(0)).toEqual([]);
  });

  test("a database that is away is named without its password", async () => {
    const away = "postgres://u:s3cr3t-pw@127.0.0.1:1/x";
    const failure = await open([at(0).url, away]).catch((cause: unknown) => String(cause));
    expect(failure).toContain("Database 1 of the list");
    expect(failure).toContain("127.0.0.1:1/x");
    expect(failure).not.toContain("s3cr3t-pw");
  });

  test("both settings are refused", async () => {
    const place = { databaseUrl: at(0).url, databaseUrls: at(1).url, dataDir: "" };
    await expect(openShards(place, systemChance)).rejects.toThrow("are both set");
  });

  test("two nodes that open a new list at once agree on the installation", async () => {
    await Promise.all([start(0, 1), start(0, 1), start(0, 1)]);
    const installations = await Promise.all(
      [0, 1].map((index) => createSettingStore(at(index)).get("installation.id")),
    );
    expect(new Set(installations).size).toBe(1);
  });
});

import { expect, test } from "vitest";
import { freePort } from "../../../../test/environment/free-port.ts";
import { readSettings } from "../../../base/src/config.ts";
import { openDatabase } from "../../../ledger/src/storage/databases/open-database.ts";
import { openServiceDatabase } from "../../../ledger/src/storage/databases/service-database.ts";
import { refuseInserts } from "../testing/refused-inserts.ts";
import { makeTemporaryFolder } from "../testing/temporary-folder.ts";
import { startSandbox } from "./start-sandbox.ts";
import { startService } from "./start-service.ts";

test.each(["sign_in_links", "keys", "accounts"])(
  "a start that fails at %s, after its listeners were opened, closes them",
  async (table) => {
    const dataDir = await makeTemporaryFolder();
    const database = await openServiceDatabase({ databaseUrl: null, dataDir });
    await refuseInserts(database, table);
    await database.close();
    const port = await freePort();
    const reading = readSettings({}, { port: String(port), dataDir, logLevel: "silent" });
    if (!reading.ok) throw new Error(reading.problems.join("; "));
    await expect(startService(reading.settings)).rejects.toThrow();
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toMatchObject({
      cause: { code: "ECONNREFUSED" },
    });
  },
);

test("a sandbox that cannot write its first account closes its listeners", async () => {
  const dataDir = await makeTemporaryFolder();
  const database = await openDatabase({ databaseUrl: null, dataDir });
  await refuseInserts(database, "accounts");
  await database.close();
  const port = await freePort();
  await expect(
    startSandbox({
      port,
      startMs: null,
      seed: "one",
      clock: "frozen",
      dataDir,
      networkTimeoutMs: 15_000,
    }),
  ).rejects.toThrow();
  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toMatchObject({
    cause: { code: "ECONNREFUSED" },
  });
});

import { expect, test } from "vitest";
import { freePort } from "../../../../test/environment/free-port.ts";
import { readSettings } from "../../../base/src/config.ts";
import { openServiceDatabase } from "../../../ledger/src/storage/databases/service-database.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { startService } from "./start-service.ts";

test.each(["sign_in_links", "keys", "accounts"])(
  "a start that fails at %s, after its listeners were opened, closes them",
  async (table) => {
    const dataDir = await temporaryFolder();
    const database = await openServiceDatabase({ databaseUrl: null, dataDir });
    await database.query(
      `create function refuse() returns trigger language plpgsql as $$
         begin raise exception 'no row today'; end $$`,
      [],
    );
    await database.query(
      `create trigger refuse before insert on ${table} for each row execute function refuse()`,
      [],
    );
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

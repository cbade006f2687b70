import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "vitest";
import { openPgliteMemory } from "../storage/pglite-database.ts";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import { manualEngine } from "../testing/manual-engine.ts";
import { SMALL_CATALOGUE } from "../testing/small-market.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { checkBackup } from "./backup-file.ts";
import { restoreBackup } from "./restore-backup.ts";
import { takeBackup } from "./take-backup.ts";

await describeOnEachDatabase("x", (database) => {
  test("roundtrip", async () => {
    const engine = manualEngine(database(), { seed: "backup" });
    const id = await engine.openFunded();
    await engine.earn(id, 51_000);
    const path = join(await temporaryFolder(), "b.gz");
    const parts: Uint8Array[] = [];
    for await (const part of await takeBackup({ database: database(), nowMs: 5 })) parts.push(part);
    await writeFile(path, Buffer.concat(parts));
    const checked = await checkBackup(path);
    console.log(checked);
    const target = await openPgliteMemory();
    console.log(
      await restoreBackup({
        path,
        checked,
        database: target,
        instruments: SMALL_CATALOGUE,
        log: { info: console.log },
      }),
    );
    await target.close();
  });
});

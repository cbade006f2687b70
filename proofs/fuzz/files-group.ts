import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCatalogue } from "@propgate/server";
import { openHarness } from "../../packages/server/src/testing/harness.ts";
import type { FuzzGroup } from "./fuzz-suite.ts";
import { openBackupsSuite } from "./suites/backups.ts";
import { journalRowsSuite } from "./suites/journal-rows.ts";
import { marketFilesSuites } from "./suites/market-files.ts";
import { priceFilesSuite } from "./suites/price-files.ts";

const ORDER = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 100 };

/**
 * The fuzz suites that change files before they are read, such as price files, catalogues and backups, and the stored
 * rows of journals before they are verified.
 */
export const FILES_GROUP: FuzzGroup = {
  name: "files and stored rows",
  async open() {
    const folder = await mkdtemp(join(tmpdir(), "propgate-fuzz-"));
    const { instruments } = await loadCatalogue(null);
    const service = await openHarness({ instruments });
    await service.quote("BTCUSD", 90_000, 90_000);
    const other = await service.newKey({ accountId: await service.newAccount() });
    for (const signer of [service.signer, other, other]) await service.order(ORDER, { signer });
    await service.order({ execution_type: "FLAT_ALL" });
    const backups = await openBackupsSuite(folder, instruments);
    return {
      suites: [
        priceFilesSuite(folder, instruments),
        ...(await marketFilesSuites()),
        backups.suite,
        await journalRowsSuite(service.database),
      ],
      async expectSound() {
        const { status } = await service.get("account");
        if (status !== 200) throw new Error(`a valid request got ${status}`);
      },
      async close() {
        await service.close();
        await backups.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};

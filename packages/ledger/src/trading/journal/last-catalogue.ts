import { type Instruments, parseCatalogue } from "@propgate/core";
import type { Queryable } from "../../storage/databases/database.ts";
import { createCatalogueStore } from "../../storage/stores/catalogue-store.ts";

/** The instruments of the last start, with the carry that they had then; null before the first start. */
export async function readInstrumentsOfLastStart(database: Queryable): Promise<Instruments | null> {
  const body = await createCatalogueStore(database).findLastStarted();
  return body === null ? null : parseCatalogue(body);
}

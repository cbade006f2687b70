/**
 * Makes the images of this run's databases before its first test. Otherwise each worker would make them at the same
 * moment.
 */
import { PGlite } from "@electric-sql/pglite";
import { migratedImage } from "../../packages/server/src/testing/open-test-database.ts";

await (await PGlite.create({ dataDir: "memory://" })).close();
await migratedImage();

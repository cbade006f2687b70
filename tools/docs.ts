import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { lowerAllowedCounts } from "./plain-english.ts";
import { referencePages } from "./reference-pages.ts";

// Writes every generated reference page; `test/docs.test.ts` fails when one is stale. The schema comes first, because
// the page of the database is made from it.
await import("./schema.ts");
for (const { path, content } of referencePages()) {
  const target = resolve(import.meta.dirname, "..", path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
  console.log(path);
}

// Lowers the counts in `tools/plain-english.json`; throws when their total has risen.
lowerAllowedCounts();

import { readFileSync } from "node:fs";

/**
 * What the first release had left in a database: its tables as `pg_dump` wrote them, and its rows.
 * Neither is made by today's code, so that an upgrade from them is one from the real thing.
 */
export const FORMER_SCHEMA: string = fixture("schema-1.sql");
export const FORMER_ROWS: string = fixture("format-1.sql");

function fixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), "utf8");
}

import { readFileSync } from "node:fs";

/**
 * The database of the first release: its tables as `pg_dump` wrote them, and its rows. Today's code creates
 * neither, so tests upgrade real data.
 */
export const FORMER_SCHEMA: string = fixture("schema-1.sql");
export const FORMER_ROWS: string = fixture("format-1.sql");

function fixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), "utf8");
}

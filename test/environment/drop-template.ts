import type { TestProject } from "vitest/node";
import { dropTemplate } from "../../packages/server/src/testing/open-test-database.ts";

/** Removes the template database and the kept databases of the run from the PostgreSQL server when the run ends. */
export function setup({ config }: TestProject): () => Promise<void> {
  return () => dropTemplate(String(config.env.TMPDIR));
}

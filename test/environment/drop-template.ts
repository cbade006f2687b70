import type { TestProject } from "vitest/node";
import { dropTemplate } from "../../packages/server/src/testing/open-test-database.ts";

/** Removes the run's template database from the PostgreSQL server when the run ends. */
export function setup({ config }: TestProject): () => Promise<void> {
  return () => dropTemplate(String(config.env.TMPDIR));
}

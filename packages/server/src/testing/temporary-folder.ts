import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** An empty folder that is removed when the test file is done. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "propgate-"));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

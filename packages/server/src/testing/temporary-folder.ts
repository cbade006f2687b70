import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { onTestFinished } from "vitest";

/** A folder that is removed after the test. */
export async function makeTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "propgate-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file into a temporary folder; a name that ends in `.gz` is gzipped. */
export async function writeTemporaryFile(name: string, text: string): Promise<string> {
  const path = join(await makeTemporaryFolder(), name);
  await writeFile(path, name.endsWith(".gz") ? gzipSync(text) : text);
  return path;
}

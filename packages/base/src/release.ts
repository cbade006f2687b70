import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/** The release of the service: the version of the package `server`. */
export function serviceRelease(): string {
  const text = readFileSync(new URL("../../server/package.json", import.meta.url), "utf8");
  const content: unknown = JSON.parse(text);
  if (typeof content === "object" && content !== null && "version" in content) {
    return String(content.version);
  }
  throw new Error("broken invariant: package.json has a version");
}

const CORE = new URL("../../core/src/", import.meta.url);
const DIGEST_LENGTH = 12;

/**
 * The first 12 hexadecimal digits of the SHA-256 of the names and contents of core's sources, which decide accounts,
 * without those of tests. Two builds of one release may differ in these sources, and would then decide the same account
 * differently.
 */
export function coreDigest(folder: URL = CORE): string {
  const digest = createHash("sha256");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const name of names.filter(isSource).toSorted()) {
    digest
      .update(`${name}\0`)
      .update(readFileSync(new URL(name, folder)))
      .update("\0");
  }
  return digest.digest("hex").slice(0, DIGEST_LENGTH);
}

function isSource(name: string): boolean {
  return name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.startsWith("testing/");
}

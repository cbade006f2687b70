import { readFileSync } from "node:fs";

/** The version of this package, which is the service's release. */
export function release(): string {
  const text = readFileSync(new URL("../../server/package.json", import.meta.url), "utf8");
  const content: unknown = JSON.parse(text);
  if (typeof content === "object" && content !== null && "version" in content) {
    return String(content.version);
  }
  throw new Error("broken invariant: package.json has a version");
}

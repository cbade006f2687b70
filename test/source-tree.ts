import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT: string = fileURLToPath(new URL("..", import.meta.url));

/**
 * The rooms of the service, each a package. A room imports only the rooms before it in this list, without exception.
 */
export const ROOMS = [
  "base",
  "ledger",
  "access",
  "market",
  "cluster",
  "wire",
  "push",
  "vanta",
  "server",
] as const;

const SKIPPED: ReadonlySet<string> = new Set([
  "node_modules",
  "dist",
  ".git",
  "data",
  "coverage",
  "__pycache__",
]);
/** The folder of the built pages, which `filesBelow` leaves out. */
const BUILT_PAGES = "packages/dashboard/pages";

/**
 * The files below a folder of the checkout, as paths from the root, sorted. Built files and `node_modules` are left
 * out.
 */
export function filesBelow(folder: string): readonly string[] {
  const found: string[] = [];
  const walk = (path: string): void => {
    for (const entry of readdirSync(join(ROOT, path), { withFileTypes: true })) {
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      if (SKIPPED.has(entry.name) || below === BUILT_PAGES) continue;
      if (entry.isDirectory()) walk(below);
      else found.push(below);
    }
  };
  walk(folder);
  return found.sort();
}

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** The TypeScript sources of the packages, without tests and test support. */
export function productSources(): readonly string[] {
  return filesBelow("packages").filter(
    (path) => /\/src\/.*\.tsx?$/.test(path) && !isTestSupport(path),
  );
}

/** Whether a path is a test, a suite of tests or in a folder of test support. */
export function isTestSupport(path: string): boolean {
  return /\.(test|suite)\.tsx?$/.test(path) || path.includes("/testing/");
}

/** The module names that a source imports or re-exports. */
export function importsOf(source: string): readonly string[] {
  return [
    ...source.matchAll(
      /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"|\bimport\(\s*"([^"]+)"/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? "");
}

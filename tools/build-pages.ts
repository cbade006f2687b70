/**
 * `npm run pages` builds two parts into `packages/dashboard/pages`: the owner's pages with the operator's console, and
 * the documentation. A part is built only when one of its sources has changed.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesBelow } from "../test/source-tree.ts";
import { compressPages } from "./compress-pages.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DASHBOARD = join(ROOT, "packages/dashboard");
const BUILT = join(DASHBOARD, "pages");
const TOOLS = ["tools/build-pages.ts", "tools/compress-pages.ts"];

// The pages come first, because their build empties the folder. That also removes the file with the documentation's
// hash, so the documentation is built again.
await buildWhereOld({
  name: "pages",
  builtFrom: ".built-from",
  sources: [
    ...TOOLS,
    "package-lock.json",
    "packages/dashboard/index.html",
    "packages/dashboard/vite.config.ts",
    ...filesBelow("packages/dashboard/src"),
    ...filesBelow("packages/contract/src"),
    ...filesBelow("packages/core/src"),
    ...filesBelow("packages/sdk/src"),
  ],
  build: buildPages,
});
await buildWhereOld({
  name: "documentation",
  builtFrom: ".docs-built-from",
  sources: [
    ...TOOLS,
    "package-lock.json",
    "packages/dashboard/src/icon.svg",
    "packages/dashboard/src/pages.css",
    ...filesBelow("docs"),
    ...filesBelow("packages/dashboard/site"),
    ...filesBelow("tools/docs-site"),
  ],
  build: buildDocs,
});

interface Part {
  readonly name: string;
  /** The name of a file in the built folder. It keeps the hash of the sources that the part was built from. */
  readonly builtFrom: string;
  readonly sources: readonly string[];
  /**
   * Resolves to false without building when the build tools are not installed. The service then uses the files that
   * exist.
   */
  readonly build: () => Promise<boolean>;
}

async function buildWhereOld({ name, builtFrom, sources, build }: Part): Promise<void> {
  const digest = await digestOf(sources);
  if (digest === (await textOf(join(BUILT, builtFrom)))) return;
  const began = performance.now();
  if (!(await build())) {
    process.stderr.write(`Not built: ${name}. npm ci with its development packages does it.\n`);
    return;
  }
  await mkdir(BUILT, { recursive: true });
  await compressPages(BUILT);
  await writeFile(join(BUILT, builtFrom), digest);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stderr.write(`Built: ${name} (${seconds} s).\n`);
}

async function buildPages(): Promise<boolean> {
  // A test that runs this script has another `NODE_ENV`. With `production`, owners get the small and fast build of
  // every library.
  process.env.NODE_ENV = "production";
  const vite = await import("vite").catch(() => null);
  if (vite === null) return false;
  await vite.build({
    root: DASHBOARD,
    configFile: join(DASHBOARD, "vite.config.ts"),
    logLevel: "warn",
  });
  return true;
}

async function buildDocs(): Promise<boolean> {
  const tools = await Promise.all([import("vite"), import("markdown-it")]).catch(() => null);
  if (tools === null) return false;
  const { writeDocsSite } = await import("./docs-site/docs-site.ts");
  await writeDocsSite(BUILT);
  return true;
}

async function digestOf(files: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\n`).update(await readFile(join(ROOT, file)));
  return hash.digest("hex");
}

async function textOf(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

/** `npm run pages`: builds the owner's pages and the operator's console, unless they are as their sources say. */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesBelow } from "../test/source-tree.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DASHBOARD = join(ROOT, "packages/dashboard");
/** Beside the built files: what they were built from. */
const BUILT_FROM = join(DASHBOARD, "pages/.built-from");

const sources = await digestOfSources();
if (sources !== (await textOf(BUILT_FROM))) {
  const began = performance.now();
  const isBuilt = await build();
  if (isBuilt) {
    await writeFile(BUILT_FROM, sources);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    process.stderr.write(`The pages are built (${seconds} s).\n`);
  }
}

/** False where the tools that build are not installed: the service then runs with what is there. */
async function build(): Promise<boolean> {
  // Whatever runs this, such as a test: what people get is the small and quick form of every library.
  process.env.NODE_ENV = "production";
  const vite = await import("vite").catch(() => null);
  if (vite === null) {
    process.stderr.write(
      "The pages are not built: npm ci with its development packages does it.\n",
    );
    return false;
  }
  await vite.build({
    root: DASHBOARD,
    configFile: join(DASHBOARD, "vite.config.ts"),
    logLevel: "warn",
  });
  return true;
}

async function digestOfSources(): Promise<string> {
  const files = [
    "package-lock.json",
    "packages/dashboard/index.html",
    "packages/dashboard/vite.config.ts",
    ...filesBelow("packages/dashboard/src"),
    ...filesBelow("packages/contract/src"),
    ...filesBelow("packages/sdk/src"),
  ];
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\n`).update(await readFile(join(ROOT, file)));
  return hash.digest("hex");
}

async function textOf(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

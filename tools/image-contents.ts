/**
 * Copies what the service needs to run into a folder: production packages, sources without tests, data and pages. Run
 * it as `node tools/image-contents.ts FOLDER` after `npm run pages`. It needs Node alone, without packages.
 */
import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

interface LockEntry {
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly peer?: boolean;
}

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The packages of this repository that an image contains, each with the folders that it needs. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  contract: ["src"],
  core: ["src"],
  sdk: ["src"],
  operator: ["src"],
  base: ["src"],
  ledger: ["src"],
  access: ["src"],
  market: ["src", "data"],
  cluster: ["src"],
  wire: ["src"],
  push: ["src"],
  vanta: ["src"],
  server: ["src"],
  "stand-in": ["src"],
  dashboard: ["pages"],
  cli: ["src", "bin"],
};
const IN_EACH = ["package.json", "LICENSE"] as const;

/** The paths that an image needs, relative to the root. `lock` is the text of `package-lock.json`. */
export function imagePaths(lock: string): {
  readonly copied: readonly string[];
  /** The links in `node_modules` to packages of this repository: the target of each link, by the link. */
  readonly links: ReadonlyMap<string, string>;
} {
  const { packages }: { packages: Readonly<Record<string, LockEntry>> } = JSON.parse(lock);
  const installed = Object.entries(packages).filter(([path]) => path.includes("node_modules/"));
  const needed = installed.filter(
    ([, entry]) => !entry.link && !entry.dev && !entry.devOptional && !entry.optional,
  );
  const links = installed.flatMap(([path, { link, resolved = "" }]): [string, string][] =>
    link === true && resolved.replace("packages/", "") in OWN ? [[path, resolved]] : [],
  );
  const own = Object.entries(OWN).flatMap(([name, folders]) =>
    [...IN_EACH, ...folders].map((path) => `packages/${name}/${path}`),
  );
  const paths = needed.map(([path]) => path);
  // A package below another one is copied with it, so it needs no path of its own.
  const outer = paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));
  return { copied: ["package.json", ...outer, ...own], links: new Map(links) };
}

/** Whether a path is a test, a suite of tests or a folder of test support. */
function isLeftOut(path: string): boolean {
  return /^packages\/.*(\.(test|suite)\.tsx?|\/testing)$/.test(path);
}

/** Writes the contents of an image into `target`, which must be empty. */
export async function writeImageContents(target: string): Promise<void> {
  const { copied, links } = imagePaths(await readFile(join(ROOT, "package-lock.json"), "utf8"));
  for (const path of copied) {
    await cp(join(ROOT, path), join(target, path), {
      recursive: true,
      filter: (source) => !isLeftOut(relative(ROOT, source)),
    });
  }
  for (const [path, to] of links) {
    const link = join(target, path);
    await mkdir(dirname(link), { recursive: true });
    await symlink(relative(dirname(link), join(target, to)), link);
  }
}

if (import.meta.main) {
  const [target] = process.argv.slice(2);
  if (target === undefined) throw new Error("which folder?");
  await writeImageContents(target);
}

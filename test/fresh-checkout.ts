import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT } from "./source-tree.ts";

/**
 * Makes a temporary folder with the files that git tracks or would track, in their present form and without built
 * files. Third-party packages are symbolic links to those of this checkout; the packages of this repository are the
 * folder's own.
 */
export async function makeFreshCheckout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "propgate-checkout-"));
  const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", listed, { cwd: ROOT, encoding: "utf8" }).split("\0");
  for (const file of files.filter((one) => one !== "" && existsSync(join(ROOT, one)))) {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    await copyFile(join(ROOT, file), join(folder, file));
  }
  await linkPackages(folder);
  return folder;
}

async function linkPackages(folder: string): Promise<void> {
  const own = join(folder, "node_modules/@propgate");
  await mkdir(own, { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    if (name === "@propgate") continue;
    await symlink(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  }
  for (const name of readdirSync(join(folder, "packages"))) {
    await symlink(join("../../packages", name), join(own, name));
  }
}

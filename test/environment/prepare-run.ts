import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { ROOT } from "../source-tree.ts";

/**
 * Prepares a run before its first test: makes the images of the databases, and builds the pages as `npm start` does. No
 * service can read the pages while they are built.
 */
export async function setup({ config }: TestProject): Promise<void> {
  await Promise.all([
    run("tools/build-pages.ts", process.env),
    run("test/environment/make-database-images.ts", { ...process.env, ...config.env }),
  ]);
}

async function run(program: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, ["--conditions=@propgate/source", join(ROOT, program)], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(`${program} failed`);
}

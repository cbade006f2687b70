/** Types and lint of the whole checkout. They run beside the other tests, which mostly wait. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { ROOT } from "./source-tree.ts";

interface Ended {
  readonly status: unknown;
  readonly printed: string;
}

async function runScript(name: string): Promise<Ended> {
  const child = spawn("npm", ["run", "--silent", name], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [[status], ...printed] = await Promise.all([
    once(child, "close"),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { status, printed: printed.join("") };
}

test.each(["types", "lint"])("npm run %s finds nothing", async (name) => {
  const { status, printed } = await runScript(name);
  expect(status, printed).toBe(0);
});

/** Lint of the whole checkout; `packed.test.ts` compiles all of it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { ROOT } from "./source-tree.ts";

test("npm run lint finds nothing", async () => {
  const child = spawn("npm", ["run", "--silent", "lint"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [[status], ...printed] = await Promise.all([
    once(child, "close"),
    text(child.stdout),
    text(child.stderr),
  ]);
  expect(status, printed.join("")).toBe(0);
});

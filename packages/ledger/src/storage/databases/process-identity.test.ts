import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import {
  hasEndedHere,
  isRunning,
  ownProcessIdentity,
  parseProcessIdentity,
} from "./process-identity.ts";

/** The identity of a process that has been killed. */
async function identityOfKilled(): Promise<string> {
  const program = `
    const { ownProcessIdentity } = await import(${JSON.stringify(new URL("process-identity.ts", import.meta.url).href)});
    process.stdout.write(ownProcessIdentity());
    setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program]);
  const [text] = await once(child.stdout, "data");
  const mark = String(text);
  expect(hasEndedHere(mark)).toBe(false);
  child.kill("SIGKILL");
  await once(child, "exit");
  return mark;
}

test("a process runs until it is killed", async () => {
  const own = parseProcessIdentity(ownProcessIdentity());
  expect(own?.pid).toBe(process.pid);
  expect(own !== null && isRunning(own)).toBe(true);
  expect(hasEndedHere(ownProcessIdentity())).toBe(false);
  expect(hasEndedHere(await identityOfKilled())).toBe(true);
});

test("a later process with the same number is another one", () => {
  const mark = {
    ...parseProcessIdentity(ownProcessIdentity()),
    startedAt: `${bootOf(ownProcessIdentity())}:1`,
  };
  expect(hasEndedHere(JSON.stringify(mark))).toBe(true);
});

test("a process elsewhere counts as running", async () => {
  const killed = parseProcessIdentity(await identityOfKilled());
  const elsewhere = [
    { ...killed, startedAt: "another-machine:1" },
    { ...killed, pidNamespace: "pid:[1]" },
    { ...killed, startedAt: null },
    { pid: killed?.pid },
  ];
  for (const mark of elsewhere) expect(hasEndedHere(JSON.stringify(mark))).toBe(false);
  for (const text of ["", "{", "1", "null", '{"pid":"1"}']) expect(hasEndedHere(text)).toBe(false);
});

function bootOf(mark: string): string {
  return parseProcessIdentity(mark)?.startedAt?.split(":")[0] ?? "";
}

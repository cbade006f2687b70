import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { coreDigest, serviceRelease } from "./release.ts";

describe("the build of a service", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "propgate-core-"));
    await write("index.ts", "export * from './orders/fill.ts';");
    await write("orders/fill.ts", "export const fill = 1;");
    return () => rm(folder, { recursive: true });
  });
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), text);
  };
  const digest = () => coreDigest(pathToFileURL(`${folder}/`));

  test.each([
    ["changed", "orders/fill.ts", "export const fill = 2;"],
    ["new", "orders/exit.ts", ""],
  ])("the digest of the core is another one with a %s source", async (_how, name, text) => {
    const before = digest();
    expect(before).toMatch(/^[0-9a-f]{12}$/);
    await write(name, text);
    expect(digest()).not.toBe(before);
  });

  test.each(["orders/fill.test.ts", "testing/lives.ts", "scenarios/limit.txt"])(
    "the digest of the core is the same with another %s, which packages do not have",
    async (name) => {
      const before = digest();
      await write(name, "test");
      expect(digest()).toBe(before);
    },
  );

  test("the digest of the core is that of the sources of this release", () => {
    expect(serviceRelease()).toMatch(/^\d+\.\d+\.\d+/);
    expect(coreDigest()).toMatch(/^[0-9a-f]{12}$/);
    expect(coreDigest()).not.toBe(digest());
  });
});

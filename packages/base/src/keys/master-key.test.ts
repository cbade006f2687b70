import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { systemChance } from "../random.ts";
import { loadOrCreateMasterKeys, parseMasterKeys } from "./master-key.ts";

describe("the master key [D8.sealed]", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "propgate-master-"));
    return () => rm(folder, { recursive: true });
  });

  test("the master key is made at the first start, readable by its owner only, and stays", async () => {
    const file = join(folder, "deep", "master.key");
    const source = { configured: null, file, chance: systemChance };
    const first = await loadOrCreateMasterKeys(source);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, "utf8");
    expect(await loadOrCreateMasterKeys(source)).toEqual(first);
    expect(await readFile(file, "utf8")).toBe(text);
  });

  test("a master key from the configuration writes no file", async () => {
    const file = join(folder, "none", "master.key");
    const configured = Buffer.alloc(32, 3).toString("base64");
    const keys = await loadOrCreateMasterKeys({ configured, file, chance: systemChance });
    expect(keys.current.version).toBe(1);
    await expect(stat(file)).rejects.toThrow();
  });

  test.each(["", "short", Buffer.alloc(31).toString("base64"), `0:${"ab".repeat(32)}`])(
    "%s is no master key",
    (text) => {
      expect(() => parseMasterKeys(text)).toThrow();
    },
  );
});

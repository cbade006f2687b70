import { describe, expect, test } from "vitest";
import { parseMasterKeys } from "../../../base/src/keys/master-key.ts";
import { createSeededChance } from "../../../base/src/random.ts";
import { createSecretBox } from "./seal-secret.ts";

const OLD = Buffer.alloc(32, 1).toString("base64");
const NEW = Buffer.alloc(32, 2).toString("hex");
const boxOf = (keys: string) => createSecretBox(parseMasterKeys(keys), createSeededChance(keys));

describe("sealed secrets [D8.sealed]", () => {
  const box = boxOf(OLD);

  test("a secret opens under its own key id and master key only", () => {
    const sealed = box.seal("pk_a", "sk_secret");
    expect(box.open("pk_a", sealed)).toBe("sk_secret");
    expect(box.open("pk_b", sealed)).toBeNull();
    expect(boxOf(NEW).open("pk_a", sealed)).toBeNull();
  });

  test("a changed byte anywhere does not open", () => {
    const sealed = box.seal("pk_a", "sk_secret");
    for (let at = 0; at < sealed.length; at += 1) {
      const other = Buffer.from(sealed);
      other.writeUInt8(other.readUInt8(at) ^ 1, at);
      expect(box.open("pk_a", other)).toBeNull();
    }
    for (const length of [0, 1, 28]) {
      expect(box.open("pk_a", sealed.subarray(0, length))).toBeNull();
    }
  });

  test("the secret is nowhere in what is stored, and no two seals are alike", () => {
    const [one, two] = [box.seal("pk_a", "sk_secret"), box.seal("pk_a", "sk_secret")];
    expect(Buffer.from(one).includes("sk_secret")).toBe(false);
    expect(Buffer.from(one).equals(two)).toBe(false);
  });

  test("the newest version seals, older ones still open", () => {
    const sealed = box.seal("pk_a", "sk_secret");
    const both = boxOf(`1:${OLD},2:${NEW}`);
    expect(both.open("pk_a", sealed)).toBe("sk_secret");
    expect(both.isCurrent(sealed)).toBe(false);
    expect(both.isCurrent(both.seal("pk_a", "sk_secret"))).toBe(true);
  });
});

import { createPublicKey, verify } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { parseMasterKeys } from "../../../base/src/keys/master-key.ts";
import { createSeededChance } from "../../../base/src/random.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import { createEvidenceKeys, type EvidenceKeys } from "./evidence-keys.ts";
import { createSecretBox } from "./seal-secret.ts";

const NOON = 1_767_614_400_000;
const MASTER = Buffer.alloc(32, 1).toString("base64");
const OTHER_MASTER = Buffer.alloc(32, 2).toString("base64");
const TEXT = Buffer.from("the account ended");

function isGood(publicKey: Uint8Array, value: Uint8Array, bytes = TEXT): boolean {
  const x = Buffer.from(publicKey).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, bytes, key, value);
}

await describeOnEachDatabase("the keys of evidence [D13.evidenceKeys]", (database) => {
  const time = createManualTime(NOON);
  const node = (seed: string, master = MASTER): EvidenceKeys => {
    const chance = createSeededChance(seed);
    return createEvidenceKeys({
      database: database(),
      box: createSecretBox(parseMasterKeys(master), chance),
      chance,
      clock: time.clock,
    });
  };
  beforeEach(() => database().query("delete from evidence_keys"));

  test("two nodes that sign first at the same time have one key, which is published", async () => {
    const nodes = [node("one"), node("two")] as const;
    const signed = await Promise.all(nodes.map((one) => one.sign(TEXT)));
    const published = await nodes[0].list();
    expect(published).toHaveLength(1);
    for (const { keyId, value } of signed) {
      expect(keyId).toBe(published[0]?.keyId);
      expect(isGood(published[0]?.publicKey ?? new Uint8Array(), value)).toBe(true);
    }
    expect(published[0]).toMatchObject({ fromMs: NOON, untilMs: null });
  });

  test("a rotation ends the key in use, and its signatures still hold [D8.rekey]", async () => {
    const [one, other] = [node("one"), node("two")];
    const before = await one.sign(TEXT);
    await time.pass(1_000);
    await Promise.all([one.rotate(), other.rotate()]);
    const after = await one.sign(TEXT);
    const published = await other.list();
    expect(published.map(({ untilMs }) => untilMs)).toEqual([null, NOON + 1_000, NOON + 1_000]);
    expect(published[0]?.keyId).toBe(after.keyId);
    const oldest = published[2];
    expect(oldest?.keyId).toBe(before.keyId);
    expect(isGood(oldest?.publicKey ?? new Uint8Array(), before.value)).toBe(true);
    const rows = await database().query<{ sealed_private: Uint8Array | null }>(
      "select sealed_private from evidence_keys order by number",
      [],
    );
    expect(rows.map((row) => row.sealed_private === null)).toEqual([true, true, false]);
  });

  test("a key that the master key does not open is published, signs nothing, and can be replaced", async () => {
    await node("one").sign(TEXT);
    const other = node("two", `2:${OTHER_MASTER}`);
    expect(await other.list()).toHaveLength(1);
    await expect(other.sign(TEXT)).rejects.toThrow("operator keys rekey");
    await other.rotate();
    const { keyId } = await other.sign(TEXT);
    expect((await other.list())[0]?.keyId).toBe(keyId);
  });

  test("the private half is nowhere in what is stored", async () => {
    const keys = node("one");
    const { value } = await keys.sign(TEXT);
    const [key] = await keys.list();
    expect(isGood(key?.publicKey ?? new Uint8Array(), value, Buffer.from("another"))).toBe(false);
    const seed = createSeededChance("one").bytes(32);
    const rows = JSON.stringify(await database().query("select * from evidence_keys", []));
    expect(rows).not.toContain(Buffer.from(seed).toString("base64"));
    expect(rows).not.toContain(Buffer.from(seed).toString("hex"));
  });
});

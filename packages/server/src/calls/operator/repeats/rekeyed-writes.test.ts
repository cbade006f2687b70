import { beforeEach, expect, test } from "vitest";
import { createSecretBox } from "../../../../../access/src/keys/seal-secret.ts";
import { parseMasterKeys } from "../../../../../base/src/keys/master-key.ts";
import { createSeededChance } from "../../../../../base/src/random.ts";
import { describeOnEachDatabase } from "../../../testing/each-database.ts";
import { createManualTime } from "../../../testing/manual-time.ts";
import { type JsonReply, okReply } from "../../json/json-reply.ts";
import {
  bodyHash,
  createRepeatedWrites,
  type KeyedWrite,
  type RepeatedWrites,
} from "./repeated-writes.ts";

const NOON = 1_767_614_400_000;
const [OLD, NEW] = [1, 2].map((filling) => Buffer.alloc(32, filling).toString("base64"));
const KEYS_MANY = 501;

await describeOnEachDatabase("writes under another master key [D8.rekey]", (database) => {
  const time = createManualTime(NOON);
  let nodes = 0;
  const node = (masterKeys: string): RepeatedWrites => {
    nodes += 1;
    const chance = createSeededChance(`node ${nodes}`);
    const box = createSecretBox(parseMasterKeys(masterKeys), chance);
    return createRepeatedWrites({
      database: database(),
      box,
      chance,
      clock: time.clock,
    });
  };
  const write = (key: string, answer: KeyedWrite["answer"] = { sealed: "keyId" }): KeyedWrite => ({
    caller: "token root",
    key,
    row: 0,
    method: "POST",
    target: "/operator/v1/keys",
    bodyHash: bodyHash("{}"),
    answer,
    id: null,
  });
  /** A write whose answer has a secret made of the act's random bytes. `drawn` has the secrets of all its runs. */
  const drawing = () => {
    const drawn: string[] = [];
    const run: Parameters<RepeatedWrites["carryOut"]>[1] = async (act) => {
      const secret = Buffer.from(act.chance("key").bytes(8)).toString("hex");
      drawn.push(secret);
      return okReply({ keyId: "pk_1", secret });
    };
    return { drawn, run };
  };
  const textOf = (reply: JsonReply) => ("data" in reply ? JSON.stringify(reply.data) : null);
  const broken = async (): Promise<JsonReply> => {
    throw new Error("the answer is lost");
  };

  beforeEach(() => database().query("delete from idempotency_keys", []));

  test("kept secrets and writes of unknown fate are sealed anew, and need the old master key no longer", async () => {
    const before = node(`1:${OLD}`);
    const { drawn, run } = drawing();
    const first = await before.carryOut(write("made"), run);
    const lost: string[] = [];
    await expect(
      before.carryOut(write("lost"), async (act) => {
        lost.push(Buffer.from(act.chance("key").bytes(8)).toString("hex"));
        return broken();
      }),
    ).rejects.toThrow("the answer is lost");
    await before.carryOut(write("plain", "kept"), run);

    const both = node(`1:${OLD},2:${NEW}`);
    expect(await both.rekey()).toEqual({ resealed: 2, unreadable: [] });
    expect(await both.rekey()).toEqual({ resealed: 0, unreadable: [] });

    const after = node(`2:${NEW}`);
    const again = await after.carryOut(write("made"), broken);
    expect([again.status, textOf(again)]).toEqual([200, textOf(first)]);
    const carriedOn = drawing();
    await after.carryOut(write("lost"), carriedOn.run);
    expect(carriedOn.drawn).toEqual(lost);
    expect(drawn).toHaveLength(2);
  });

  test("without a rekeying a kept secret is gone with its master key, and the write is not done again", async () => {
    const before = node(`1:${OLD}`);
    const { run } = drawing();
    await before.carryOut(write("made"), run);
    await expect(before.carryOut(write("lost"), broken)).rejects.toThrow();
    const after = node(`2:${NEW}`);
    expect(await after.carryOut(write("made"), broken)).toMatchObject({
      status: 409,
      code: "idempotency_secret_gone",
      details: { keyId: "pk_1" },
    });
    expect(await after.carryOut(write("lost"), broken)).toMatchObject({ status: 409 });
    expect(await after.rekey()).toEqual({
      resealed: 0,
      unreadable: ["write token root 0 lost", "write token root 0 made"],
    });
    expect(await node(`1:${OLD},2:${NEW}`).rekey()).toEqual({ resealed: 2, unreadable: [] });
    expect(await after.carryOut(write("made"), broken)).toMatchObject({ status: 200 });
  });

  test("a rekeying goes through every page of keys", async () => {
    const before = node(`1:${OLD}`);
    const { run } = drawing();
    for (let number = 0; number < KEYS_MANY; number += 1) {
      await before.carryOut(write(`key ${number}`), run);
    }
    expect(await node(`1:${OLD},2:${NEW}`).rekey()).toEqual({
      resealed: KEYS_MANY,
      unreadable: [],
    });
  });
});

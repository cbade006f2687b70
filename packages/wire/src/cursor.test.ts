import { accountId, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { createPayoutCursorCodec } from "./cursor.ts";

const OURS = accountId("a");
const PLACE = { periodStartMs: unixMs(1_767_571_200_000), id: "po_1:2" };

describe("cursors of payouts [S4.1.cursor] [D4.cursors]", () => {
  const { encode, decode } = createPayoutCursorCodec(Buffer.alloc(32, 1));

  test("a cursor decodes to its position", () => {
    expect(decode(OURS, encode(OURS, PLACE))).toEqual(PLACE);
  });

  test("a cursor of another account or service, or with any changed character, is invalid", () => {
    const cursor = encode(OURS, PLACE);
    expect(decode(accountId("b"), cursor)).toBeNull();
    expect(createPayoutCursorCodec(Buffer.alloc(32, 2)).decode(OURS, cursor)).toBeNull();
    for (let at = 0; at < cursor.length; at += 1) {
      const other = cursor[at] === "A" ? "B" : "A";
      expect(decode(OURS, cursor.slice(0, at) + other + cursor.slice(at + 1))).toBeNull();
    }
    for (const text of ["", "=", "AAAA", `${cursor}=`, `${cursor}A`])
      expect(decode(OURS, text)).toBeNull();
  });
});

import { accountId, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { cursors } from "./cursor.ts";

const OURS = accountId("a");
const PLACE = { periodStartMs: unixMs(1_767_571_200_000), id: "po_1:2" };

describe("cursors of payouts [S4.1.cursor] [D4.cursors]", () => {
  const { seal, open } = cursors(Buffer.alloc(32, 1));

  test("a cursor leads back to its place", () => {
    expect(open(OURS, seal(OURS, PLACE))).toEqual(PLACE);
  });

  test("one of another account, of another service or changed in any character is none", () => {
    const cursor = seal(OURS, PLACE);
    expect(open(accountId("b"), cursor)).toBeNull();
    expect(cursors(Buffer.alloc(32, 2)).open(OURS, cursor)).toBeNull();
    for (let at = 0; at < cursor.length; at += 1) {
      const other = cursor[at] === "A" ? "B" : "A";
      expect(open(OURS, cursor.slice(0, at) + other + cursor.slice(at + 1))).toBeNull();
    }
    for (const text of ["", "=", "AAAA", `${cursor}=`, `${cursor}A`])
      expect(open(OURS, text)).toBeNull();
  });
});

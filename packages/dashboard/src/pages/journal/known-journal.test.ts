import type { JournalEntry, JournalPage } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { addPage, NOTHING_KNOWN } from "./known-journal.ts";

function entry(sequence: number): JournalEntry {
  const about = { type: "orderFilled", summary: "filled", by: "clock", nonce: null };
  return { sequence, atMs: sequence, ...about, event: {}, hash: `${sequence}` };
}

/** A page with the entries from `newest` down to `oldest`. */
function page(newest: number, oldest: number, before: number | null = oldest): JournalPage {
  const sequences = Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index);
  return { entries: sequences.map(entry), before };
}

const sequences = (known: { readonly entries: readonly JournalEntry[] }): readonly number[] =>
  known.entries.map(({ sequence }) => sequence);

describe("the loaded part of a journal", () => {
  const first = addPage(NOTHING_KNOWN, page(10, 8));

  test("the loaded part of a journal begins with the newest entries", () => {
    expect(sequences(first)).toEqual([10, 9, 8]);
    expect(first.before).toBe(8);
  });

  test("the loaded part of a journal continues with older entries until the first", () => {
    const all = addPage(addPage(first, page(7, 5)), page(4, 1, null));
    expect(sequences(all)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(all.before).toBeNull();
  });

  test("the loaded part of a journal adds newer entries and keeps the cursor of older ones", () => {
    const newer = addPage(addPage(first, page(7, 5)), page(12, 10));
    expect(sequences(newer)).toEqual([12, 11, 10, 9, 8, 7, 6, 5]);
    expect(newer.before).toBe(5);
  });

  test("the loaded part of a journal stays complete when newer entries arrive", () => {
    const whole = addPage(NOTHING_KNOWN, page(3, 1, null));
    expect(addPage(whole, page(4, 2)).before).toBeNull();
  });

  test("the loaded part of a journal drops the entries behind a gap", () => {
    const later = addPage(first, page(30, 28));
    expect(sequences(later)).toEqual([30, 29, 28]);
    expect(later.before).toBe(28);
  });

  test("the loaded part of a journal is empty for an account without entries", () => {
    expect(addPage(NOTHING_KNOWN, { entries: [], before: null })).toEqual(NOTHING_KNOWN);
  });
});

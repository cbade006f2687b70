import { accountId, CHAIN_START, type ChainedLine, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import type { EventLines } from "../../storage/journal/event-lines.ts";
import { readEventPage } from "./event-desk.ts";

const ACCOUNT = accountId("7f1c1c9e-94a2-4f0f-9d0a-000000000001");
const WANTED = { limit: 100, types: new Set(["proOffered"]) };

function lineOf(seq: number, type: string): ChainedLine {
  return {
    accountId: ACCOUNT,
    seq,
    atMs: unixMs(seq),
    origin: "clock",
    keyId: null,
    nonce: null,
    command: "passTime",
    event: JSON.stringify({ type }),
    inputs: null,
    hash: CHAIN_START,
  };
}

/** A journal with `length` lines, of which only the last one has the wanted type. */
function journalOf(length: number): Pick<EventLines, "page"> {
  return {
    page: async (_, { from, limit }) => {
      const last = Math.min(length, from + limit - 1);
      const ends = [...new Set([from, last])].filter((seq) => seq <= length);
      const lines = ends.map((seq) => lineOf(seq, seq === length ? "proOffered" : "orderHeld"));
      return { head: { sequence: length, hash: CHAIN_START }, lines };
    },
  };
}

test("a request for events of few types looks at 5,000 lines, and its next one continues there [D12.boundedScan]", async () => {
  const lines = { ...journalOf(6_000), programs: async () => [] };
  const first = await readEventPage(lines, ACCOUNT, {
    ...WANTED,
    after: { sequence: 0, hash: null },
  });
  expect(first).toMatchObject({ ok: true, lines: [], next: { sequence: 5_000 } });
  const after = { sequence: 5_000, hash: null };
  expect(await readEventPage(lines, ACCOUNT, { ...WANTED, after })).toMatchObject({
    ok: true,
    lines: [{ seq: 6_000 }],
    next: { sequence: 6_000 },
  });
});

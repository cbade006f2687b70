import { readdirSync, readFileSync } from "node:fs";
import { provedEvent } from "@propgate/server";
import fc from "fast-check";
import { expect, test } from "vitest";
import { propertySettings } from "../../../../test/environment/depth.ts";
import { wireJson } from "../../../base/src/wire-json.ts";
import { CHAIN_START, chainHash, type JournalRow } from "../../../core/src/journal/chain.ts";
import { sha256 } from "../../../ledger/src/storage/journal/line-hash.ts";
import { eventView } from "../../../wire/src/views/events/event-view.ts";
import { createEventCheck } from "./event-check.ts";

/** The folder with a stored journal line of every type of event. */
const FOLDER = new URL("../../../wire/fixtures/events/", import.meta.url);
const ROWS = readdirSync(FOLDER).map(
  (file) => JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")).line as JournalRow,
);

/** The file of a journal that has an event of every type. */
const FILE = fileOf(ROWS);

function fileOf(rows: readonly JournalRow[]): string {
  let hash = CHAIN_START;
  return rows
    .map((given, index) => {
      const row = { ...given, accountId: rows[0]?.accountId ?? given.accountId, seq: index + 1 };
      hash = chainHash(sha256, hash, row);
      return `${wireJson(eventView({ ...row, hash }, true))}\n`;
    })
    .join("");
}

/** Checks the lines of the file. `problem` is the first problem, null when there is none. */
async function checked(file: string) {
  const check = createEventCheck(provedEvent);
  const lines = file.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) {
    const problem = await check.read(line);
    if (problem !== null) return { problem, events: check.events };
  }
  return { problem: null, events: check.events };
}

test("a file with an event of every type is accepted as it was written [D9.proof]", async () => {
  const { problem, events } = await checked(FILE);
  expect(problem).toBeNull();
  expect(events).toMatchObject({ checked: ROWS.length, from: 1 });
});

test("a file of events with one bit flipped anywhere is refused [D9.proof]", async () => {
  const bytes = Buffer.from(FILE);
  await fc.assert(
    // The line feed at the end is not part of an event.
    fc.asyncProperty(fc.nat(bytes.length - 2), fc.nat(7), async (at, bit) => {
      const altered = Buffer.from(bytes);
      altered[at] = (bytes[at] ?? 0) ^ (1 << bit);
      expect((await checked(altered.toString())).problem).not.toBeNull();
    }),
    propertySettings(2_000),
  );
});

test("a file of events that lacks a line, repeats one or exchanges two is refused [D9.proof]", async () => {
  const lines = FILE.split("\n").slice(0, 6);
  const [one = "", two = "", three = ""] = lines;
  for (const altered of [
    [one, three],
    [one, one],
    [one, three, two],
    [one, two, two],
  ]) {
    const { problem } = await checked(altered.join("\n"));
    expect(problem).toMatch(/^history differs: event \d does not follow event \d by its hash$/);
  }
});

test("a file that begins later is checked from its second event on [D9.proof]", async () => {
  const later = FILE.split("\n").slice(3);
  const { problem, events } = await checked(later.join("\n"));
  expect(problem).toBeNull();
  expect(events).toMatchObject({ checked: ROWS.length - 4, from: 4 });
  const [first = "", second = ""] = later;
  expect((await checked(first)).events).toMatchObject({ checked: 0 });
  const other = FILE.split("\n")[1] ?? "";
  expect((await checked(`${other}\n${second}`)).problem).toContain("does not follow event 2");
});

import { readdirSync, readFileSync } from "node:fs";
import {
  EVENT_SCHEMAS,
  EVENT_TYPES,
  isEventType,
  linked,
  type Schema,
  schemaProblemOf,
} from "@propgate/contract";
import {
  CHAIN_START,
  type ChainedLine,
  chainHash,
  type JournalRow,
  parseEvent,
} from "@propgate/core";
import { describe, expect, test } from "vitest";
import { wireJson } from "../../../../base/src/wire-json.ts";
import { sha256 } from "../../../../ledger/src/storage/journal/line-hash.ts";
import { eventView } from "./event-view.ts";
import { EVENT_TYPE_WORDS } from "./event-views.ts";

/** Each file has a line of a journal and its view. Lines are stored forever, so a file is never changed. */
const FOLDER = new URL("../../../fixtures/events/", import.meta.url);

interface Golden {
  readonly line: JournalRow;
  readonly view: { readonly type: string };
}

const GOLDEN = readdirSync(FOLDER).map((file): readonly [string, Golden] => [
  file.replace(/\.json$/, ""),
  JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")),
]);

function chained(row: JournalRow): ChainedLine {
  return { ...row, hash: chainHash(sha256, CHAIN_START, row) };
}

describe("the views of events are frozen [D9.eventViews] [D13.observed]", () => {
  test.each(GOLDEN)("%s has the same bytes as in every release", (_name, { line, view }) => {
    expect(wireJson(eventView(chained(line), false))).toBe(JSON.stringify(view));
  });

  test.each(GOLDEN)(
    "%s has the shape that the contract publishes for its type",
    (name, { view }) => {
      expect(name.split("-")[0]).toBe(view.type);
      if (!isEventType(view.type)) throw new Error(`the contract has no type ${view.type}`);
      const schema: Schema<unknown> = EVENT_SCHEMAS[view.type];
      const { json } = "observed" in view ? linked(schema) : schema;
      expect(json.properties).toMatchObject({ type: { const: view.type } });
      expect(schemaProblemOf(json, view, "event")).toBeNull();
      expect(Object.keys(json.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(view)));
    },
  );

  test("every event of the core has a type of its own, and every type has a golden file", () => {
    const types = Object.values(EVENT_TYPE_WORDS);
    expect(types.toSorted()).toEqual(EVENT_TYPES.toSorted());
    expect(new Set(GOLDEN.map(([, { view }]) => view.type))).toEqual(new Set(types));
    const stored = new Set(GOLDEN.map(([, { line }]) => parseEvent(line.event).type));
    expect(stored).toEqual(new Set(Object.keys(EVENT_TYPE_WORDS)));
  });
});

test("a proof has the text that the line's hash covers [D9.proof]", () => {
  for (const [, { line }] of GOLDEN) {
    const row = chained(line);
    const { proof } = eventView(row, true);
    const hash = sha256(proof?.line ?? "", CHAIN_START);
    expect(proof?.hash).toBe(Buffer.from(hash).toString("hex"));
    expect(JSON.parse(proof?.line.split("\n")[0] ?? "")).toEqual([
      line.accountId,
      line.seq,
      line.atMs,
      line.origin,
      line.keyId,
      line.nonce,
      line.command,
    ]);
  }
});

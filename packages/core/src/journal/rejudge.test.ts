import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { SEED, scaledCount } from "../../../../test/environment/depth.ts";
import { randomJournals } from "../testing/lives/run-lives.ts";
import type { RejudgeableJournal } from "../testing/rejudgeable-journal.ts";
import type { JournalRow } from "./chain.ts";

/**
 * A journal that was falsified in one place, and the number of the line that must be reported as the first wrong one.
 */
interface FalsifiedJournal {
  readonly lines: readonly JournalRow[];
  readonly seq: number;
}

const LIVES = scaledCount(150, 40);
const PER_KIND_MAX = 3;

/** Falsifies the line with that index; null when there is nothing to change in it. */
type Change = (lines: readonly JournalRow[], index: number) => readonly JournalRow[] | null;

const edited =
  (edit: (line: JournalRow) => JournalRow): Change =>
  (lines, index) => {
    const line = lines[index];
    if (line === undefined) return null;
    const lied = edit(line);
    return isDeepStrictEqual(lied, line)
      ? null
      : lines.map((one, place) => (place === index ? lied : one));
  };
const ofVersion =
  (version: string) =>
  (line: JournalRow): JournalRow => ({
    ...line,
    inputs: line.inputs?.replace(/^(\[1,)"[^"]+"/, `$1"${version}"`) ?? null,
  });
const editedEvent = (from: RegExp, to: string): Change =>
  edited((line) => ({ ...line, event: line.event.replace(from, to) }));

/** Changes columns of a line that is not the first one of its decision. */
const editedInside =
  (columns: Partial<JournalRow>): Change =>
  (lines, index) =>
    isInside(lines, index) ? edited((line) => ({ ...line, ...columns }))(lines, index) : null;

const renumbered = (lines: readonly JournalRow[]): readonly JournalRow[] =>
  lines.map((line, index) => ({ ...line, seq: index + 1 }));

/** Whether the line is not the first one of its decision. */
const isInside = (lines: readonly JournalRow[], index: number): boolean =>
  index > 0 && lines[index]?.inputs === null;

const KINDS: Readonly<Record<string, Change>> = {
  "another price of a fill": editedEvent(/("type":"orderFilled".*"price":)(\d)/, "$11$2"),
  "another fee": editedEvent(/("type":"orderFilled".*"fee":)(\d+)/, "$11$2"),
  "another equity at midnight": editedEvent(/("type":"dayEnded".*"equity":)(\d)/, "$11$2"),
  "another quote": edited((line) =>
    line.event.includes('"kind":"market"') && line.inputs !== null
      ? { ...line, inputs: line.inputs.replace(/(\["[A-Z]+",)([\d.]+),([\d.]+)/g, "$11$2,1$3") }
      : line,
  ),
  "other terms at the opening": editedEvent(/(maxLossPct":)(\d)/, "$11$2"),
  "another time": edited((line) => ({ ...line, atMs: line.atMs + 1 })),
  "a sender that no service writes": edited((line) => ({ ...line, origin: "operator " })),
  "an owner without an id": edited((line) => ({ ...line, origin: "owner:" })),
  "a key for an operator's command": edited((line) => ({ ...line, keyId: "pk_1" })),
  "a nonce without a key": edited((line) => ({ ...line, nonce: "n" })),
  "a key without a nonce": edited((line) => ({ ...line, origin: "key", keyId: "pk_1" })),
  "another sender inside a decision": editedInside({ origin: "market" }),
  "another command inside a decision": editedInside({ command: "passTime" }),
  "another spelling of the inputs": edited((line) => ({
    ...line,
    inputs: line.inputs?.replace(",", ", ") ?? null,
  })),
  "inputs of a command with a name that is there twice": edited((line) => ({
    ...line,
    inputs: line.inputs?.replace(/\{("\w+":)/, "{$10,$1") ?? null,
  })),
  "a dropped line": (lines, index) =>
    isInside(lines, index) && lines[index]?.event !== lines[index + 1]?.event
      ? renumbered(lines.filter((_, place) => place !== index))
      : null,
  "two swapped lines": (lines, index) => {
    const [one, next] = [lines[index], lines[index + 1]];
    if (one === undefined || next === undefined || !isInside(lines, index)) return null;
    if (next.inputs !== null || one.event === next.event) return null;
    const swapped = [
      { ...one, event: next.event },
      { ...next, event: one.event },
    ];
    return lines.toSpliced(index, 2, ...swapped);
  },
};

function liesOf({ lines }: RejudgeableJournal, change: Change): readonly FalsifiedJournal[] {
  const lies: FalsifiedJournal[] = [];
  for (let index = 0; index < lines.length && lies.length < PER_KIND_MAX; index += 1) {
    const lied = change(lines, index);
    if (lied !== null) lies.push({ lines: lied, seq: index + 1 });
  }
  return lies;
}

describe("a judgement of random lives, with a chain that fits every lie", () => {
  const journals = randomJournals({ lives: LIVES, seed: SEED });

  test("a judgement of random lives finds no line that differs in an honest journal", () => {
    for (const journal of journals) {
      expect(journal.judge(journal.lines)).toMatchObject({ different: null });
    }
  });

  test.each(Object.entries(KINDS))("a judgement names the line of %s", (_name, change) => {
    let found = 0;
    for (const journal of journals) {
      for (const { lines, seq } of liesOf(journal, change)) {
        expect(journal.judge(lines).different?.seq).toBe(seq);
        found += 1;
      }
    }
    expect(found).toBeGreaterThan(LIVES / 8);
  });

  test("a judgement of random lives counts decisions of another version, applies their lines and judges the rest", () => {
    for (const journal of journals) {
      const index = journal.lines.findLastIndex(({ inputs }) => inputs !== null);
      const lines = edited(ofVersion("9.8.7"))(journal.lines, index) ?? [];
      const honest = journal.judge(journal.lines);
      expect(journal.judge(lines)).toEqual({
        ...honest,
        judged: honest.judged - 1,
        otherVersions: [{ version: "9.8.7", decisions: 1 }],
      });
    }
  });

  test("a judgement of random lives names the end when a decision of another version claims lines that are not there", () => {
    for (const journal of journals) {
      const index = journal.lines.findLastIndex(({ inputs }) => inputs !== null);
      const lies = (line: JournalRow): JournalRow => {
        const { inputs, ...rest } = ofVersion("9.8.7")(line);
        return { ...rest, inputs: inputs?.replace(/^(\[1,"9.8.7",\d+,)\d+/, "$11e15") ?? null };
      };
      const lines = edited(lies)(journal.lines, index) ?? [];
      const { different } = journal.judge(lines);
      expect(different).toMatchObject({ seq: lines.length + 1, why: "the line is missing" });
    }
  });

  test("a decision without inputs differs", () => {
    for (const journal of journals) {
      const lines = journal.lines.map((line, index) =>
        index > 0 ? line : { ...line, inputs: null },
      );
      const { different } = journal.judge(lines);
      expect(different).toMatchObject({ seq: 1, why: "it begins a decision and has no inputs" });
    }
  });

  test("other terms in the opening and in its inputs are named by the next decision", () => {
    for (const journal of journals) {
      const next = journal.lines.find(({ seq, inputs }) => seq > 1 && inputs !== null);
      if (next === undefined) continue;
      const lie = (text: string): string => text.replace(/(maxLossPct":)(\d)/g, "$11$2");
      const lines = journal.lines.map((line, index) =>
        index > 0 ? line : { ...line, event: lie(line.event), inputs: lie(line.inputs ?? "") },
      );
      // The inputs of the opening line contain the hash of the terms before the change, so that line differs already.
      expect(journal.judge(lines).different?.seq).toBe(1);
    }
  });
});

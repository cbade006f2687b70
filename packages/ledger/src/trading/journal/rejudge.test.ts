import { hash } from "node:crypto";
import { CHAIN_START, catalogueText, chainHash, type Judgement, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { TEST_NOON } from "../../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { createManualEngine } from "../../../../server/src/testing/manual-engine.ts";
import { SMALL_CATALOGUE } from "../../../../server/src/testing/small-market.ts";
import { sha256 } from "../../storage/journal/line-hash.ts";
import { createCatalogueStore } from "../../storage/stores/catalogue-store.ts";
import { createFileJudge, exportJournal, WHOLE_JOURNAL } from "./journal-export.ts";

function rejudgeExport(text: string): Judgement | null {
  const judge = createFileJudge();
  for (const line of text.split("\n")) if (!judge.read(line)) break;
  return judge.judgement();
}

/** The texts of an altered export, with the hashes of the chain computed again to match them. */
function rechained(texts: readonly string[]): string {
  const [head = "{}", ...rest] = texts;
  const { accountId, ...others } = JSON.parse(head);
  let before = CHAIN_START;
  let version = 0;
  const lines = rest.map((text) => {
    const line = JSON.parse(text);
    if ("catalogue" in line) return text;
    version += 1;
    before = chainHash(sha256, before, { ...line, accountId });
    return JSON.stringify({ ...line, hash: Buffer.from(before).toString("hex") });
  });
  const headHash = Buffer.from(before).toString("hex");
  return [JSON.stringify({ ...others, accountId, version, headHash }), ...lines].join("\n");
}

await describeOnEachDatabase("an exported journal", (database) => {
  test("an exported journal is judged again from its inputs alone, and names the line of each lie", async () => {
    const engine = createManualEngine(database(), { seed: "rejudge" });
    const id = await engine.openFunded();
    await engine.earn(id, 51_000);
    engine.now = unixMs(TEST_NOON + 7 * 86_400_000);
    await engine.due.runDue();
    const body = catalogueText(SMALL_CATALOGUE);
    const digest = hash("sha256", body, "buffer").subarray(0, 12);
    await createCatalogueStore(database()).insertIfMissing({
      hash: digest.toString("base64url"),
      body,
    });
    const texts: string[] = [];
    for await (const text of exportJournal(database(), id, WHOLE_JOURNAL)) texts.push(text);
    const honest = rejudgeExport(texts.join("\n"));
    expect(honest).toMatchObject({ different: null, otherVersions: [] });
    expect(honest?.judged).toBeGreaterThan(3);
    expect(rejudgeExport(rechained(texts))).toEqual(honest);

    const at = texts.findIndex((text) => text.includes('"type\\":\\"orderFilled'));
    const seqOf = (index: number): number => JSON.parse(texts[index] ?? "{}").seq;
    const edited = (index: number, edit: (text: string) => string): readonly string[] =>
      texts.map((text, place) => (place === index ? edit(text) : text));
    const fill = edited(at, (text) => text.replace(/(price\\":)(\d)/, "$19$2"));
    expect(fill).not.toEqual(texts);
    expect(rejudgeExport(fill.join("\n"))?.different?.seq).toBe(seqOf(at));
    expect(rejudgeExport(rechained(fill))?.different).toMatchObject({
      seq: seqOf(at),
      why: "its inputs give another event",
      decided: expect.stringContaining("orderFilled"),
      written: expect.stringContaining("orderFilled"),
    });
    const opening = texts.findIndex((text) => text.includes("accountOpened"));
    const terms = edited(opening, (text) => text.replace(/(maxLossPct\\":)/, "$11"));
    expect(terms).not.toEqual(texts);
    expect(rejudgeExport(rechained(terms))?.different?.seq).toBe(1);
    const spellings: readonly ((text: string) => string)[] = [
      (text) => text.replace("{", '{"seq":1,'),
      (text) => text.replace("{", '{"__proto__":{"seq":1},'),
      (text) => text.replace("{", '{"unknown":1,'),
      (text) => text.replace("{", "{ "),
      (text) => text.replace(/\}$/, ',"event":"{}"}'),
    ];
    for (const spelling of spellings) {
      const other = edited(at, spelling);
      expect(rejudgeExport(other.join("\n"))?.different).toMatchObject({
        seq: seqOf(at),
        why: "the line is not as it was written",
      });
    }
    const skipped = texts.filter((_, place) => place !== at);
    expect(rejudgeExport(rechained(skipped))?.different?.seq).toBe(seqOf(at));
  });
});

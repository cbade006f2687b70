import { unixMs } from "@propgate/core";
import { beforeAll, expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { createProgramDesk, storePrograms } from "./program-desk.ts";
import { loadPrograms, type Programs } from "./programs.ts";

const programs = (await loadPrograms(null)).programs.map((one) => ({ ...one, version: 1 }));
const [classic] = programs;
if (classic === undefined) throw new Error("no program comes with the service");

await describeOnEachDatabase("the program desk [D7.versions]", (database) => {
  let now = unixMs(1_000);
  const clock = { now: () => now };
  const desk = () => createProgramDesk({ database: database(), clock });
  const keep = (...given: Programs) =>
    storePrograms({ file: "firm.json", programs: given }, { database: database(), clock });
  const versions = async () =>
    (await desk().list()).map(({ program, addedAtMs }) => [program.id, program.version, addedAtMs]);

  beforeAll(() => keep(...programs));

  test("a file's versions are stored once, in any order", async () => {
    now = unixMs(2_000);
    await keep(...programs.toReversed());
    const stored = (await versions()).filter(([id]) => id === "classic" || id === "pro");
    expect(stored).toEqual([
      ["classic", 1, 1_000],
      ["pro", 1, 1_000],
    ]);
  });

  test("a file that changes a version is rejected, and none of it is stored", async () => {
    const changed = { ...classic, mostRestingOrders: 7 };
    const start = keep({ ...classic, id: "other" }, changed);
    await expect(start).rejects.toMatchObject({
      name: "CannotStart",
      message:
        "firm.json: programs[1] is not what classic version 1 was sold as, and a version never changes",
      fix: "Give it version 2; version 1 stays as it was sold.",
    });
    expect((await versions()).map(([id]) => id)).not.toContain("other");
  });

  test("a file must not change a program's kind", async () => {
    const [, pro] = programs;
    const start = keep({ ...(pro ?? classic), id: "classic", version: 2 });
    await expect(start).rejects.toMatchObject({
      message: 'firm.json: programs[0].variant must be "classic", as in every version of classic',
      fix: "Give it an id of its own.",
    });
  });

  test.each([
    [{ ...classic, version: 3 }, "outOfTurn", "version must be 2, the next one of classic, not 3"],
    [classic, "outOfTurn", "version must be 2, the next one of classic, not 1"],
    [
      { ...classic, id: "gold", version: 2 },
      "outOfTurn",
      "version must be 1, the next one of gold, not 2",
    ],
    [
      { ...classic, version: 2, size: { least: 1000, most: "all" } },
      "unreadable",
      'size.most must be a whole number above 0, not "all"',
    ],
    [[classic], "unreadable", /^the document must be a program, not /],
    [
      { ...programs[1], id: "classic", version: 2 },
      "outOfTurn",
      'variant must be "classic", as in every version of classic',
    ],
  ])("what cannot be added says why: %#", async (document, why, text) => {
    const expected = {
      ok: false,
      refusal: { why, text: typeof text === "string" ? text : expect.stringMatching(text) },
    };
    expect(await desk().check(document)).toEqual(expected);
    expect(await desk().add(document)).toEqual(expected);
  });

  test("one of several concurrent additions of a version wins, and all nodes see it", async () => {
    const first = { ...classic, id: "raced" };
    await keep(first);
    const raced = async () =>
      (await desk().list()).filter(({ program }) => program.id === first.id);
    const next = { ...first, version: 2, mostRestingOrders: 50 };
    expect(await desk().check(next)).toEqual({ ok: true, value: next });
    expect(await raced()).toHaveLength(1);
    now = unixMs(3_000);
    const results = await Promise.all([desk(), desk(), desk()].map((node) => node.add(next)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const refusal = {
      why: "outOfTurn",
      text: "version must be 3, the next one of raced, not 2",
    };
    expect(results.filter(({ ok }) => !ok)).toEqual([
      { ok: false, refusal },
      { ok: false, refusal },
    ]);
    expect((await raced())[1]).toEqual({ program: next, addedAtMs: 3_000 });
    // The file of the next start may still have only the first version.
    await keep(first);
  });
});

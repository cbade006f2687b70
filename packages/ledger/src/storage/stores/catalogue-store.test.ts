import { expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import type { Database } from "../databases/database.ts";
import { createCatalogueStore, replaceStartCatalogue } from "./catalogue-store.ts";

await describeOnEachDatabase("the catalogue of a start [D13.startCompares]", (database) => {
  test("of two concurrent starts, the later one makes its catalogue from the earlier one's", async () => {
    const started = (name: string) => {
      const receivedBodies: (string | null)[] = [];
      const start = replaceStartCatalogue(database(), (body) => {
        receivedBodies.push(body);
        return { hash: name, body: `of ${name}` };
      });
      return { before: receivedBodies, start };
    };
    const [one, other] = [started("one"), started("other")];
    await Promise.all([one.start, other.start]);
    const last = await createCatalogueStore(database()).findLastStarted();
    const [first, second] = last === "of other" ? [one, other] : [other, one];
    expect(second.before.at(-1)).toBe(first === one ? "of one" : "of other");
    expect(first.before).toEqual([null]);
  });

  test("no transaction is open while a catalogue is made, however long that takes", async () => {
    let open = 0;
    const watched: Database = {
      ...database(),
      async transaction(work, limits) {
        open += 1;
        try {
          return await database().transaction(work, limits);
        } finally {
          open -= 1;
        }
      },
    };
    const openMeanwhile: number[] = [];
    await replaceStartCatalogue(watched, () => {
      openMeanwhile.push(open);
      return { hash: "slow", body: "made slowly" };
    });
    expect(openMeanwhile).toEqual([0]);
    expect(await createCatalogueStore(database()).findLastStarted()).toBe("made slowly");
  });
});

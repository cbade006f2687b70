import { readFileSync } from "node:fs";
import { accountId } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import { bundledDataPath } from "../../../../market/src/catalogue/data-file.ts";
import { type Harness, openHarness } from "../../testing/harness.ts";
import { createOperatorClient, type OperatorClient } from "../../testing/operator-client.ts";

let service: Harness;
let operator: OperatorClient;

beforeAll(async () => {
  service = await openHarness();
  operator = createOperatorClient(service);
  return () => service.close();
});

const document = (name: "catalogue.json" | "programs.json") =>
  JSON.parse(readFileSync(bundledDataPath(name), "utf8"));
const [classic, pro] = document("programs.json").programs;

describe("programs over the operator's interface [D7.versions]", () => {
  test("the programs of the file are there, each with its document", async () => {
    const { items } = await operator.data("GET", "/programs");
    const addedAtMs = service.time.clock.now();
    const ofFile = (items as { id: string }[]).filter(({ id }) => id === "classic" || id === "pro");
    expect(ofFile).toEqual([
      { id: "classic", variant: "classic", version: 2, versions: 1, addedAtMs },
      { id: "pro", variant: "pro", version: 2, versions: 1, addedAtMs },
    ]);
    expect(await operator.data("GET", "/programs/pro")).toEqual({
      id: "pro",
      versions: [{ version: 2, addedAtMs, program: pro }],
    });
    expect(await operator.refusal("GET", "/programs/tin")).toEqual([404, "Program not found"]);
  });

  test("one is looked at without being added", async () => {
    const tin = { ...classic, id: "tin", version: 1 };
    expect(await operator.data("POST", "/programs/validate", tin)).toEqual({
      id: "tin",
      version: 1,
      variant: "classic",
    });
    expect((await operator.refusal("GET", "/programs/tin"))[0]).toBe(404);
  });

  test.each([
    [
      { ...classic, version: 3, profitSplit: -1 },
      400,
      "program: profitSplit must be a share above 0 and at most 2, such as 0.8 for 80 %, not -1",
    ],
    [{}, 400, 'program: variant is missing: it must be "classic" or "pro"'],
    [[], 400, "program: the document must be a program, not []"],
    [classic, 409, "program: version must be 3, the next one of classic, not 2"],
    [{ ...classic, version: 9 }, 409, "program: version must be 3, the next one of classic, not 9"],
  ])("what is wrong with one is said in one sentence: %#", async (body, status, error) => {
    for (const path of ["/programs", "/programs/validate"]) {
      expect(await operator.refusal("POST", path, body)).toEqual([status, error]);
    }
  });

  test("a new version is sold from then on; who has another keeps it [D7.terms]", async () => {
    const sold = { programId: "steel", size: 50_000 };
    const steel = { ...classic, id: "steel", version: 1 };
    await operator.data("POST", "/programs", steel);
    const before = await operator.data("POST", "/accounts", sold);
    const next = { ...steel, version: 2, dailyLossPct: { challenge: [4], funded: 4 } };
    expect(await operator.data("POST", "/programs", next)).toMatchObject({ version: 2 });
    const after = await operator.data("POST", "/accounts", sold);
    const { items } = await operator.data("GET", "/accounts");
    const line = (id: unknown) =>
      (items as { accountId: string }[]).find((item) => item.accountId === id);
    expect(line(before.accountId)).toMatchObject({ programId: "steel", programVersion: 1 });
    expect(line(after.accountId)).toMatchObject({ programId: "steel", programVersion: 2 });
    const limitOf = async (id: unknown) => {
      const signer = await service.newKey({ accountId: accountId(String(id)) });
      const { data } = (await service.get("account", { signer })).json() as {
        data: { drawdownRules: { dailyLoss: { limitPct: number } } };
      };
      return data.drawdownRules.dailyLoss.limitPct;
    };
    expect([await limitOf(before.accountId), await limitOf(after.accountId)]).toEqual([5, 4]);
  });

  test("a program of another name is sold by that name", async () => {
    const gold = { ...classic, id: "gold", version: 1, size: { least: 500, most: 700 } };
    await operator.data("POST", "/programs", gold);
    const { accountId: sold } = await operator.data("POST", "/accounts", {
      programId: "gold",
      size: 666,
    });
    const { items } = await operator.data("GET", "/accounts");
    expect(items).toContainEqual(
      expect.objectContaining({
        accountId: sold,
        programId: "gold",
        programVersion: 1,
        size: 666,
      }),
    );
    expect(await operator.refusal("POST", "/accounts", { programId: "silver", size: 666 })).toEqual(
      [400, expect.stringMatching(/^programId: must be one of classic,.* gold/)],
    );
  });
});

describe("a catalogue is looked at before a start with it [D6.catalogue]", () => {
  test("the one that comes with the service is fine", async () => {
    const { instruments } = document("catalogue.json");
    expect(await operator.data("POST", "/catalogue/validate", document("catalogue.json"))).toEqual({
      instruments: instruments.length,
    });
  });

  test("the first wrong value is named by its path", async () => {
    const catalogue = document("catalogue.json");
    catalogue.instruments[3].tick = -1;
    expect(await operator.refusal("POST", "/catalogue/validate", catalogue)).toEqual([
      400,
      "catalogue: instruments[3].tick must be a number above 0, not -1",
    ]);
    expect(await operator.refusal("POST", "/catalogue/validate", [])).toEqual([
      400,
      "catalogue: the document must be a catalogue, not []",
    ]);
  });
});

import { type AccountId, accountId, type OwnerId, ownerId, unixMs } from "@propgate/core";
import { beforeEach, expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { createEndpointStore, type StoredEndpoint } from "./endpoint-store.ts";

const [ANN, BEN] = [ownerId("ann"), ownerId("ben")];
const [ONE, TWO] = [1, 2].map((number) =>
  accountId(`00000000-0000-4000-8000-00000000000${number}`),
) as [AccountId, AccountId];
const MAX = 3;

const sealed = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

function endpoint(
  id: string,
  owner: OwnerId | null,
  account: AccountId | null,
  createdAtMs = 1_000,
): StoredEndpoint {
  return {
    id,
    ownerId: owner,
    accountId: account,
    programId: null,
    label: "",
    types: null,
    payload: "event",
    signatures: ["v1"],
    shownAddress: "https://example.com",
    sealed: { address: sealed("address"), secret: sealed("secret"), older: null },
    disabled: null,
    sinceMs: unixMs(createdAtMs),
    createdAtMs: unixMs(createdAtMs),
    revision: 0,
  };
}

await describeOnEachDatabase("the endpoints of webhooks", (database) => {
  beforeEach(() => database().query("delete from webhook_endpoints", []));

  test("endpoints are read by whom they belong to, the oldest first, and those of others are not", async () => {
    const store = createEndpointStore(database());
    const made = [
      endpoint("wh_a", ANN, ONE, 3_000),
      endpoint("wh_b", ANN, ONE, 2_000),
      endpoint("wh_c", ANN, TWO),
      endpoint("wh_d", BEN, ONE),
      endpoint("wh_e", null, ONE),
      endpoint("wh_f", null, null, 500),
    ];
    for (const one of made) expect(await store.insert(one, MAX)).toBe(true);
    const ids = (found: readonly StoredEndpoint[]) => found.map(({ id }) => id);
    expect(ids(await store.listOf({ ownerId: ANN, accountId: ONE }))).toEqual(["wh_b", "wh_a"]);
    expect(ids(await store.listOf({ ownerId: ANN, accountId: TWO }))).toEqual(["wh_c"]);
    expect(ids(await store.listOf({ ownerId: BEN, accountId: TWO }))).toEqual([]);
    expect(ids(await store.listOf(null))).toEqual(["wh_f", "wh_e"]);
    expect(await store.disable({ id: "wh_c", revision: 0 }, "gone", unixMs(9_000))).toBe(true);
    expect(ids(await store.listEnabled())).toEqual(["wh_f", "wh_d", "wh_e", "wh_b", "wh_a"]);
    expect(ids(await store.page(null, 4))).toEqual(["wh_a", "wh_b", "wh_c", "wh_d"]);
    expect(ids(await store.page("wh_d", 4))).toEqual(["wh_e", "wh_f"]);
    expect(await store.get("wh_a")).toMatchObject({ id: "wh_a", ownerId: ANN, accountId: ONE });
    expect(await store.get("wh_g")).toBeNull();
  });

  test("the maximum is counted for the operator and for each owner, over all accounts", async () => {
    const store = createEndpointStore(database());
    for (const [owner, letter] of [
      [ANN, "a"],
      [BEN, "b"],
      [null, "o"],
    ] as const) {
      for (let number = 0; number < MAX; number += 1) {
        const account = number === 0 ? ONE : TWO;
        expect(await store.insert(endpoint(`wh_${letter}${number}`, owner, account), MAX)).toBe(
          true,
        );
      }
      expect(await store.insert(endpoint(`wh_${letter}x`, owner, ONE), MAX)).toBe(false);
    }
    await store.remove("wh_a0");
    expect(await store.insert(endpoint("wh_ax", ANN, TWO), MAX)).toBe(true);
  });
});

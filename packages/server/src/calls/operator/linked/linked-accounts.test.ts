import { ACCOUNTS_LIST } from "@propgate/contract";
import { accountId, ownerId, unixMs } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import {
  appendLines,
  chainNewLines,
} from "../../../../../ledger/src/storage/journal/append-lines.ts";
import type { NewLink } from "../../../../../ledger/src/storage/rows/linked-account.ts";
import { createLinkedAccountStore } from "../../../../../ledger/src/storage/stores/network/linked-account-store.ts";
import { type Harness, openHarness, START_MS } from "../../../testing/harness.ts";
import { madeOpeningLine } from "../../../testing/made-account-link.ts";
import { createOperatorClient, type OperatorClient } from "../../../testing/operator-client.ts";

const LINKED = accountId("0d5c2a34-59b8-4a3e-9d4f-0000000000aa");
const AT = `/accounts/${LINKED}`;
const WITHOUT_VALIDATOR = "This service runs without a validator: PROPGATE_NETWORK is not vanta";

let service: Harness;
let operator: OperatorClient;

beforeAll(async () => {
  service = await openHarness();
  operator = createOperatorClient(service);
  const link: NewLink = {
    accountId: LINKED,
    ownerId: ownerId("trader-1"),
    hotkey: "entity_0",
    subaccountId: 0,
    subaccountUuid: "7c1de0ff-4c6a-4b44-9a26-6b1d1a3f0f11",
    profitSplit: 0.8,
    status: "active",
    linkedAtMs: unixMs(START_MS),
  };
  await createLinkedAccountStore(service.database).link(link, madeOpeningLine());
  return () => service.close();
});

/** Adds journal lines to the account as one reading, each line with its origin and command. */
async function observe(atMs: number, ...lines: readonly (readonly [string, string])[]) {
  await service.database.transaction(async (transaction) => {
    const [head] = await transaction.query<{
      readonly version: string;
      readonly head_hash: Uint8Array;
      readonly last_at_ms: string;
    }>("select version, head_hash, last_at_ms from accounts where account_id = $1", [LINKED]);
    if (head === undefined) throw new Error("the account is not linked");
    const before = {
      accountId: LINKED,
      version: Number(head.version),
      headHash: head.head_hash,
      lastAtMs: Number(head.last_at_ms),
    };
    const { event } = madeOpeningLine();
    const made = lines.map(([origin, command]) => ({
      origin,
      command,
      keyId: null,
      nonce: null,
      event,
    }));
    await appendLines(transaction, chainNewLines(before, made, atMs));
  });
}

/** The nullable fields of an account's item, which are all null until the validator is read. */
const UNSENT = Object.fromEntries(
  ACCOUNTS_LIST.fields.filter(({ isNullable }) => isNullable).map(({ name }) => [name, null]),
);

describe("the operator's calls for an account on a validator", () => {
  test.each([
    ["POST", `${AT}/provision`, {}, "The validator decides when an account on it can trade"],
    ["POST", `${AT}/promote`, { phase: "funded" }, "The validator promotes the accounts on it"],
    [
      "POST",
      `${AT}/offer-pro`,
      { proAccountSize: 200_000 },
      "The validator offers pro accounts to the accounts on it",
    ],
    [
      "POST",
      `${AT}/eliminate`,
      { reason: "of the firm" },
      "The validator eliminates the accounts on it; close the account to end the link",
    ],
    [
      "POST",
      `/payouts/po_${LINKED}_${START_MS}`,
      { status: "paid" },
      "The payouts of this account are the validator's and are not recorded here",
    ],
    ["POST", `${AT}/close`, {}, WITHOUT_VALIDATOR],
    ["POST", "/accounts/link", { subaccount: "entity_1", ownerId: "trader-1" }, WITHOUT_VALIDATOR],
    ["POST", "/journal/rebuild", { accountId: LINKED }, /^This service runs without/],
  ] as const)("%s %s %j is not offered, with the reason", async (method, path, body, reason) => {
    const { status, body: answer } = await operator.call(method, path, { body });
    expect([status, answer.code]).toEqual([404, "not_offered"]);
    if (typeof reason === "string") expect(answer.error).toBe(reason);
    else expect(answer.error).toMatch(reason);
  });

  test("the list has the account, without what only its network knows", async () => {
    const { items } = await operator.data("GET", "/accounts");
    expect(items).toContainEqual({
      ...UNSENT,
      accountId: LINKED,
      externalId: null,
      ownerName: null,
      ownerId: "trader-1",
      status: "active",
      network: "vanta",
      phase: null,
      programId: null,
      programVersion: null,
      size: null,
      assetClass: null,
      drawdownCriteria: null,
      balance: null,
      openedAtMs: START_MS,
      lastActivityAtMs: START_MS,
      idleSinceMs: START_MS,
      isStale: true,
    });
  });

  test("the list knows when the account was used here, and not what only its validator did [D9.accountIndex]", async () => {
    const times = async () => {
      const query = `accountId=${LINKED}&fields=lastOrderAtMs,lastActivityAtMs,idleSinceMs`;
      const { items } = await operator.data("GET", `/accounts?${query}`);
      return Object.values((items as readonly [object])[0]);
    };
    const [at, later, last] = [1_000, 2_000, 3_000].map((ms) => START_MS + ms) as [
      number,
      number,
      number,
    ];
    await observe(at, ["key", "placeLimit"], ["validator", "reading"]);
    expect(await times()).toEqual([at, at, at]);
    await observe(later, ["key", "cancelOrder"]);
    expect(await times()).toEqual([at, later, at]);
    await observe(last, ["validator", "reading"]);
    expect(await times()).toEqual([at, later, at]);
  });

  test("keys of the account are made, listed and revoked like any other", async () => {
    const { keyId } = await operator.data("POST", "/keys", {
      accountId: LINKED,
      scopes: ["trade:read"],
    });
    const { body } = await operator.call("GET", `/keys?accountId=${LINKED}`);
    expect(body.data).toMatchObject({ items: [{ keyId, accountId: LINKED }] });
    expect(await operator.data("DELETE", `/keys/${String(keyId)}`)).toEqual({
      keyId,
      armedSwitches: 0,
      restingOrders: 0,
    });
  });

  test("health has no validator without one", async () => {
    expect(await operator.data("GET", "/health")).toMatchObject({ network: null });
  });

  test("the journals of all other accounts are verified", async () => {
    expect(await operator.data("POST", "/journal/verify", {})).toMatchObject({ broken: [] });
  });
});

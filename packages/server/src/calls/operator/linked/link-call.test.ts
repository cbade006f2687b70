import { accountId as toAccountId } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import { type LinkedService, openLinkedService } from "../../../testing/linked-service.ts";

let service: LinkedService;

beforeAll(async () => {
  service = await openLinkedService();
  return () => service.close();
});

const link = (body: unknown) => service.operator.refusal("POST", "/accounts/link", body);

describe("linking a subaccount", () => {
  test("the account is listed with its network, its class and its balance, and health counts it", async () => {
    const linkedAccounts = async () => {
      const { network } = await service.operator.data("GET", "/health");
      return (network as { linkedAccounts: number }).linkedAccounts;
    };
    const linkedBefore = await linkedAccounts();
    const { hotkey } = await service.standIn.control.addSubaccount({ assetClass: "hl_all" });
    const { accountId } = await service.operator.data("POST", "/accounts/link", {
      subaccount: hotkey,
      ownerId: "trader-1",
      profitSplitPercent: 80,
    });
    await service.harness.time.pass(11_000);
    const signer = await service.harness.newKey({ accountId: toAccountId(String(accountId)) });
    await service.harness.get("account", { signer });
    const { items } = await service.operator.data("GET", "/accounts?ownerId=trader-1");
    expect(items).toMatchObject([
      { accountId, network: "vanta", assetClass: "hl_all", programId: null, status: "active" },
    ]);
    expect(await service.operator.data("GET", "/health")).toMatchObject({
      network: {
        validator: { reachable: true, isPaused: false },
        linkedAccounts: linkedBefore + 1,
        failingAccounts: 0,
        ordersSending: 0,
        oldestSendingSinceMs: null,
      },
    });
  });

  test("a subaccount is linked once", async () => {
    const { hotkey } = await service.newLinked();
    expect(await link({ subaccount: hotkey, ownerId: "trader-2" })).toEqual([
      400,
      "subaccount: is linked to an account already, or was once",
    ]);
  });

  test.each([
    [{ ownerId: "trader-1" }, 400, /^subaccount: /],
    [{ subaccount: "0" }, 400, /^ownerId: /],
    [{ subaccount: "", ownerId: "trader-1" }, 400, /^subaccount: /],
    [{ subaccount: "x".repeat(101), ownerId: "trader-1" }, 400, /^subaccount: /],
    [{ subaccount: "0", ownerId: "trader-1", profitSplitPercent: 0 }, 400, /^profitSplitPercent: /],
    [{ subaccount: "0", ownerId: "t", profitSplitPercent: 1001 }, 400, /^profitSplitPercent: /],
    [{ subaccount: "0", ownerId: "trader-1", extra: 1 }, 400, /extra/],
    [{ subaccount: "999", ownerId: "trader-1" }, 400, /^subaccount: is not known to the validator/],
    [{ subaccount: "other_0", ownerId: "trader-1" }, 400, /^subaccount: belongs to another entity/],
    [{ subaccount: "one", ownerId: "trader-1" }, 400, /^subaccount: must be a number/],
  ])("%j is refused with %i", async (body, status, error) => {
    expect(await link(body)).toEqual([status, expect.stringMatching(error)]);
  });

  test("a validator that does not answer is a 503, and nothing is linked", async () => {
    const { hotkey: other } = await service.standIn.control.addSubaccount({});
    await service.standIn.control.addFault({ call: "any", fault: { kind: "cut", when: "before" } });
    const body = { subaccount: other, ownerId: "trader-3" };
    expect(await link(body)).toEqual([503, expect.stringMatching(/^the validator cannot/)]);
    await service.standIn.control.clearFaults();
    const { items } = await service.operator.data("GET", "/accounts?ownerId=trader-3");
    expect(items).toEqual([]);
  });

  test("closing the account ends the link, and a second time is refused", async () => {
    const { accountId, hotkey } = await service.newLinked();
    const close = `/accounts/${accountId}/close`;
    expect(await service.operator.refusal("POST", close, { forfeit: true })).toEqual([
      400,
      "forfeit: the validator pays the rewards of this account",
    ]);
    expect((await service.operator.refusal("POST", close, { phase: "proFunded" }))[0]).toBe(409);
    expect(await service.operator.data("POST", close)).toEqual({
      accountId,
      payout: null,
      forfeited: null,
    });
    expect(await service.operator.refusal("POST", close)).toEqual([409, "This account is closed"]);
    expect((await link({ subaccount: hotkey, ownerId: "trader-1" }))[0]).toBe(400);
  });

  test("the audit names the operator, the subaccount and the account", async () => {
    const { accountId, hotkey } = await service.newLinked();
    const { items: lines } = await service.operator.data(
      "GET",
      "/audit?deed=accounts.link&limit=200",
    );
    expect(lines).toContainEqual(
      expect.objectContaining({
        by: "operator token root",
        deed: "accounts.link",
        subject: hotkey,
        accountId,
        succeeded: true,
      }),
    );
  });
});

import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import { OWNER, openHarness } from "../../testing/harness.ts";
import { type LinkedService, openLinkedService } from "../../testing/linked-service.ts";
import { openTestDatabase } from "../../testing/open-test-database.ts";

describe("linking a subaccount", () => {
  let service: LinkedService;
  beforeAll(async () => {
    service = await openLinkedService();
    return () => service.close();
  });

  const link = (subaccount: string) =>
    service.operator.call("POST", "/accounts/link", { body: { subaccount, ownerId: OWNER } });
  const refusal = async (subaccount: string) => {
    const { status, body } = await link(subaccount);
    return [status, body.error];
  };
  const added = (status: "active" | "pending" | "eliminated" | "failed" | "unknown") =>
    service.standIn.control.addSubaccount({ status });

  test("linking a subaccount takes its number or its whole id, and the number may be 0", async () => {
    const fresh = await openLinkedService();
    onTestFinished(() => fresh.close());
    expect((await fresh.standIn.control.addSubaccount({ status: "active" })).number).toBe(0);
    const body = { subaccount: "0", ownerId: OWNER };
    expect((await fresh.operator.call("POST", "/accounts/link", { body })).status).toBe(200);
    const second = await added("active");
    expect((await link(second.hotkey)).status).toBe(200);
    expect(await service.operator.data("GET", `/accounts?ownerId=${OWNER}`)).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ network: "vanta", status: "active", programId: null }),
      ]),
    });
  });

  test("linking a subaccount links it once, also after it was unlinked", async () => {
    const { hotkey } = await added("active");
    const { accountId } = (await link(hotkey)).body.data as { accountId: string };
    const again = [400, "subaccount: is linked to an account already, or was once"];
    const before = (await service.standIn.control.callCounts()).dashboard;
    expect(await refusal(hotkey)).toEqual(again);
    // The second try must not read items that the network sends only once.
    expect((await service.standIn.control.callCounts()).dashboard).toBe(before);
    expect((await service.operator.call("POST", `/accounts/${accountId}/close`)).status).toBe(200);
    expect(await refusal(hotkey)).toEqual(again);
    expect((await service.operator.call("POST", `/accounts/${accountId}/close`)).status).toBe(409);
  });

  test("linking a subaccount takes a pending one, which trades once the network has made it active", async () => {
    const { hotkey } = await added("pending");
    const { accountId } = (await link(hotkey)).body.data as { accountId: string };
    const status = async () => {
      const listed = await service.operator.data("GET", `/accounts?q=${accountId}`);
      return (listed.items as readonly { status: string }[])[0]?.status;
    };
    expect(await status()).toBe("provisioning");
    await service.standIn.control.changeSubaccount(hotkey, { status: "active" });
    await service.harness.time.pass(11_000);
    for (const job of service.harness.linkedJobs) await job.run();
    await eventually(async () => {
      expect(await status()).toBe("active");
    });
  });

  test.each([
    ["eliminated", "subaccount: is eliminated"],
    ["failed", "subaccount: could not be registered on the network"],
    ["unknown", "subaccount: has no status yet; try again later"],
  ] as const)("linking a subaccount that is %s is refused", async (status, text) => {
    const { hotkey } = await added(status);
    expect(await refusal(hotkey)).toEqual([400, text]);
  });

  test.each([
    ["777", "subaccount: is not known to the validator"],
    ["another_0", "subaccount: belongs to another entity than the one of this service"],
    ["-1", "subaccount: must be a number, or the hotkey of the entity, an underscore and a number"],
    ["01", "subaccount: must be a number, or the hotkey of the entity, an underscore and a number"],
    ["_", "subaccount: must be a number, or the hotkey of the entity, an underscore and a number"],
  ])("linking the subaccount %s is refused", async (subaccount, text) => {
    expect(await refusal(subaccount)).toEqual([400, text]);
  });

  test("linking a subaccount is refused when the validator does not answer or answers for another subaccount", async () => {
    const { hotkey } = await added("active");
    const { control } = service.standIn;
    await control.addFault({
      call: "dashboard",
      fault: { kind: "otherSubaccount", hotkey: "x_7" },
    });
    expect(await refusal(hotkey)).toEqual([
      503,
      "the validator's answer about the subaccount cannot be used",
    ]);
    await control.clearFaults();
    await control.addFault({ call: "dashboard", fault: { kind: "cut", when: "before" } });
    expect(await refusal(hotkey)).toEqual([
      503,
      "the validator cannot be reached; try again shortly",
    ]);
    await control.clearFaults();
    expect((await link(hotkey)).status).toBe(200);
  });
});

test("a linked account without a validator answers 503 and 502, its orders are not sent, and nothing is polled", async () => {
  const database = await openTestDatabase();
  const kept = { ...database, close: async () => undefined };
  const linked = await openLinkedService({ database: kept });
  const { signer, accountId } = await linked.newLinked();
  await linked.close();
  const alone = await openHarness({ database: kept, seed: "alone" });
  const answer = async (path: string) => {
    const { status, text } = await alone.get(path, { signer });
    return [status, (JSON.parse(text) as { error: string }).error];
  };
  const unavailable =
    "Account snapshot temporarily unavailable (Vanta validator unreachable); retry shortly";
  for (const path of ["account", "positions", "orders", "payouts", "instruments"]) {
    expect(await answer(path)).toEqual([503, unavailable]);
  }
  expect(await answer("trades")).toEqual([
    502,
    "this service runs without the network of the account",
  ]);
  const buy = { execution_type: "MARKET", trade_pair: "BTCUSDC", order_type: "LONG", quantity: 1 };
  const placed = await alone.order(buy, { signer });
  expect([placed.status, placed.json()]).toEqual([
    500,
    { error: "The trading network is unreachable; the order was not accepted" },
  ]);
  expect(alone.linkedJobs).toEqual([]);
  const browser = await alone.signIn("owner");
  expect((await browser.call("GET", `/accounts/${accountId}/state`)).status).toBe(503);
  expect((await alone.get("account")).status).toBe(200);
  await alone.close();
  await database.close();
});

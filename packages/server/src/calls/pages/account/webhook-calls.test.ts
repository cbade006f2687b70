import type { Webhook } from "@propgate/contract";
import { type AccountId, ownerId } from "@propgate/core";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../../../test/eventually.ts";
import { shardNumberOf } from "../../../../../ledger/src/storage/rows/shard-number.ts";
import { type DatabaseOutage, databaseWithOutage } from "../../../testing/database-outage.ts";
import { openTestDatabase } from "../../../testing/open-test-database.ts";
import { createOperatorClient } from "../../../testing/operator-client.ts";
import { openPagedService, type PagedService } from "../../../testing/page-client.ts";
import { openWebhookReceiver, type WebhookReceiver } from "../../../testing/webhook-receiver.ts";

const PUBLIC = { ports: new Set([443]), allowsPrivate: false };
const ANY = { ports: new Set([443]), allowsPrivate: true };
const WEBHOOKS = { rules: { operator: PUBLIC, owner: ANY }, ownListeners: () => [] };

describe("the webhooks of an owner", () => {
  let service: PagedService;
  let receiver: WebhookReceiver;
  let path: string;
  beforeAll(async () => {
    service = await openPagedService({ harness: { webhooks: WEBHOOKS } });
    path = `/accounts/${service.accountId}/webhooks`;
    return () => service.close();
  });
  beforeEach(async () => {
    receiver = await openWebhookReceiver();
  });
  afterEach(async () => {
    const { items } = await service.data<{ readonly items: readonly Webhook[] }>(path);
    for (const { id } of items) await service.page("DELETE", `${path}/${id}`, { body: {} });
    await receiver.close();
  });

  const make = async (over: object = {}): Promise<Webhook & { readonly secret: string }> => {
    const answer = await service.page("POST", path, { body: { url: receiver.url, ...over } });
    expect([answer.status, answer.error]).toEqual([200, undefined]);
    return answer.data as Webhook & { readonly secret: string };
  };
  const arm = async (): Promise<void> => {
    await service.quote("BTCUSD", 50_000, 50_010);
    const trade = {
      execution_type: "MARKET",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      leverage: 0.01,
    };
    expect((await service.order(trade)).status).toBe(200);
  };

  test("an owner's webhook gets the events of the account, and none of another account of the owner", async () => {
    const made = await make({ types: ["order.filled"] });
    expect(made).toMatchObject({ accountId: service.accountId, state: "active", payload: "event" });
    await service.newAccount();
    await arm();
    await eventually(async () => expect(receiver.received).toHaveLength(1));
    expect(receiver.received[0]).toMatchObject({
      type: "order.filled",
      accountId: service.accountId,
    });
  });

  test("an owner's webhook with sentences gets one about each event", async () => {
    await make({ types: ["order.filled"], payload: "sentence" });
    await arm();
    await eventually(async () => expect(receiver.received).toHaveLength(1));
    const body = JSON.parse(receiver.received[0]?.body ?? "") as { readonly text: string };
    expect(Object.keys(body)).toEqual(["text"]);
    expect(body.text).toMatch(/^Bought .* of BTC\/USD at 50,010/);
  });

  test("an owner's webhook gets the owner's alerts about the account as sentences, and no alert of another owner [D9.webhookAlerts]", async () => {
    await make({ types: ["webhook.disabled"], payload: "sentence" });
    const { id } = await make();
    await service.page("PATCH", `${path}/${id}`, { body: { enabled: false } });
    await eventually(async () => expect(receiver.received).toHaveLength(1));
    expect(JSON.parse(receiver.received[0]?.body ?? "")).toEqual({
      text: `The webhook ${id} is disabled: its owner switched it off.`,
    });
  });

  test("an owner's webhook is disabled by its owner, who is named as the reason", async () => {
    const { id } = await make();
    const off = await service.page("PATCH", `${path}/${id}`, { body: { enabled: false } });
    expect(off.data).toMatchObject({ enabled: false, state: "disabled", stateReason: "owner" });
  });

  test.each(["pay\u202Eee", "\u200B", "  ", "a\nb"])(
    "the label %j is refused, for an owner's webhook and the operator's [D13.visibleNames]",
    async (label) => {
      const { id } = await make({ label: "mine" });
      const operator = createOperatorClient(service);
      const wrong = [400, expect.stringMatching(/^label: must /)];
      const owner = await service.page("PATCH", `${path}/${id}`, { body: { label } });
      expect([owner.status, owner.error]).toEqual(wrong);
      const given = { url: receiver.url, label };
      const made = await service.page("POST", path, { body: given });
      expect([made.status, made.error]).toEqual(wrong);
      expect(await operator.refusal("POST", "/webhooks", given)).toEqual(wrong);
      const empty = await service.page("PATCH", `${path}/${id}`, { body: { label: "" } });
      expect(empty.data).toMatchObject({ label: "" });
    },
  );

  test("the audit has the new values of a changed webhook, and no secret of its address", async () => {
    const { id } = await make({ types: ["order.filled"] });
    const change = (body: object) => service.page("PATCH", `${path}/${id}`, { body });
    const url = `${receiver.url}/services/secretpath?token=secretquery`;
    await change({ enabled: false });
    await change({ enabled: true, label: 'my "own"', types: null });
    expect((await change({ url })).status).toBe(200);
    expect((await change({ url: "ftp://user:secretword@example.com" })).status).toBe(400);
    const details = service.audited
      .filter(({ about }) => about?.subject === id)
      .map(({ about }) => about?.detail);
    const shown = (await service.page("GET", `${path}/${id}`)).data as Webhook;
    expect(details).toEqual([
      expect.stringMatching(/…hook$/),
      "enabled: false",
      'enabled: true, label: "my \\"own\\"", types: every event',
      `url: ${shown.url}`,
      "url: not shown",
    ]);
    expect(JSON.stringify(details)).not.toContain("secret");
  });

  test("another owner, another account and the operator have no access to an owner's webhook", async () => {
    const { id } = await make();
    const other = await service.newAccount();
    expect((await service.page("GET", `/accounts/${other}/webhooks/${id}`)).status).toBe(404);
    for (const method of ["GET", "PATCH", "DELETE"] as const) {
      const body = method === "GET" ? {} : { body: {} };
      const refusal = await service.page(method, `${path}/${id}`, { as: "stranger", ...body });
      expect([method, refusal.status, refusal.error]).toEqual([method, 404, "Account not found"]);
    }
    const changed = await service.page("PATCH", `${path}/${id}`, { as: "operator", body: {} });
    expect(changed.status).toBe(403);
  });

  test.each([
    [{ url: "http://8.8.8.8/x" }, "url: "],
    [
      { accountId: "8f6f0f0a-3f9a-4a9c-9d1c-1d2f3a4b5c6d" },
      "accountId: must be the account of the path, or left out",
    ],
    [
      { programId: "classic" },
      "programId: a webhook has the accounts of a program, or one account",
    ],
    [{ payload: "text" }, "payload: must be one of event, sentence"],
  ])("an owner's webhook with %j is refused", async (wrong, sentence) => {
    const { status, error } = await service.page("POST", path, {
      body: { url: receiver.url, ...wrong },
    });
    expect([status, error]).toEqual([400, expect.stringContaining(sentence)]);
  });

  test("a receiver that is gone does not disable a webhook that has another address by then", async () => {
    const next = await openWebhookReceiver();
    onTestFinished(() => next.close());
    const { id } = await make({ types: ["order.filled"] });
    receiver.answer(() => "held");
    await arm();
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await service.page("PATCH", `${path}/${id}`, { body: { url: next.url } });
    receiver.release(410);
    await eventually(() => expect(next.received).toHaveLength(1));
    expect(await service.data<Webhook>(`${path}/${id}`)).toMatchObject({ state: "active" });
  });

  test("an owner's eleventh webhook is refused, and other owners and the operator have their own", async () => {
    for (let count = 0; count < 10; count += 1) await make();
    const { status, error } = await service.page("POST", path, { body: { url: receiver.url } });
    expect([status, error]).toEqual([409, expect.stringContaining("10 webhooks")]);
  });
});

test("the webhooks of owners on two databases each get their own events and alerts, and one goes on while the other's database is away", async () => {
  const outage: DatabaseOutage = { text: "", when: "never" };
  const otherDatabases = [databaseWithOutage(await openTestDatabase(), outage)];
  const service = await openPagedService({ harness: { otherDatabases, webhooks: WEBHOOKS } });
  onTestFinished(() => service.close());
  await service.quote("BTCUSD", 50_000, 50_010);
  const elsewhere = await service.newAccount({ ownerId: ownerId("stranger") });
  expect([shardNumberOf(service.accountId), shardNumberOf(elsewhere)]).toEqual([0, 1]);
  const open = async (as: "owner" | "stranger", accountId: AccountId) => {
    const signer = await service.newKey({ accountId });
    const receiver = await openWebhookReceiver();
    onTestFinished(() => receiver.close());
    const path = `/accounts/${accountId}/webhooks`;
    const body = { url: receiver.url, types: ["order.filled", "webhook.disabled"] };
    const call = (method: "POST" | "PATCH", given: object, id = "") =>
      service.page(method, `${path}${id}`, { as, body: given });
    const buy = {
      execution_type: "MARKET",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      value: 1_000,
    };
    const types = () => receiver.received.map(({ type }) => type);
    const ids = () => new Set(receiver.received.map((one) => one.accountId));
    expect((await call("POST", body)).status).toBe(200);
    return { call, body, types, ids, accountId, order: () => service.order(buy, { signer }) };
  };
  const [onFirst, onSecond] = [
    await open("owner", service.accountId),
    await open("stranger", elsewhere),
  ];
  for (const { order, types, call, body } of [onFirst, onSecond]) {
    expect((await order()).status).toBe(200);
    await eventually(() => expect(types()).toEqual(["order.filled"]));
    const { data } = await call("POST", { ...body, types: ["order.filled"] });
    await call("PATCH", { enabled: false }, `/${(data as Webhook).id}`);
    await eventually(() => expect(types()).toEqual(["order.filled", "webhook.disabled"]));
  }
  outage.when = "before";
  expect((await onSecond.call("POST", onSecond.body)).status).toBe(503);
  expect((await onFirst.order()).status).toBe(200);
  await eventually(() => expect(onFirst.types()).toHaveLength(3));
  outage.when = "never";
  expect((await onSecond.order()).status).toBe(200);
  await eventually(() => expect(onSecond.types()).toHaveLength(3));
  for (const { ids, accountId } of [onFirst, onSecond]) expect([...ids()]).toEqual([accountId]);
});

import { createPublicKey, verify } from "node:crypto";
import { isRecord } from "@propgate/contract";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectOperatorAnswer } from "../testing/described-operator-answer.ts";
import { createSandboxClient, type SandboxClient } from "../testing/sandbox-client.ts";
import { openWebhookReceiver, type WebhookReceiver } from "../testing/webhook-receiver.ts";
import type { RunningSandbox } from "./running-service.ts";
import { startSandbox } from "./start-sandbox.ts";

const START = Date.parse("2026-01-05T00:00:00Z");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Answer {
  readonly status: number;
  readonly data: Record<string, unknown>;
  readonly error: unknown;
  readonly code: unknown;
}

describe("webhooks of a sandbox", () => {
  let sandbox: RunningSandbox;
  let client: SandboxClient;
  let receiver: WebhookReceiver;
  let nowMs = START;
  const made: string[] = [];

  beforeAll(async () => {
    sandbox = await startSandbox({
      port: 0,
      startMs: START,
      seed: "webhooks",
      clock: "frozen",
      dataDir: null,
      networkTimeoutMs: 15_000,
      operator: true,
      writeLog: () => undefined,
    });
    client = createSandboxClient(sandbox, () => nowMs);
    return () => sandbox.stop();
  });
  beforeEach(async () => {
    receiver = await openWebhookReceiver();
  });
  afterEach(async () => {
    for (const id of made.splice(0)) await operator("DELETE", `/webhooks/${id}`);
    await receiver.close();
  });

  const operator = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const { operatorUrl, operatorToken } = sandbox.ready;
    const response = await fetch(`${operatorUrl}/operator/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${operatorToken}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    const { data, error, code } = isRecord(answer) ? answer : {};
    if (response.status === 200) expectOperatorAnswer(method, path.replace(/\?.*/, ""), data);
    return { status: response.status, data: isRecord(data) ? data : {}, error, code };
  };
  const make = async (over: Readonly<Record<string, unknown>> = {}): Promise<Answer["data"]> => {
    const { data, error } = await operator("POST", "/webhooks", { url: receiver.url, ...over });
    if (typeof data.id !== "string") throw new Error(String(error));
    made.push(data.id);
    return data;
  };
  const move = async (ms: number): Promise<void> => {
    nowMs += ms;
    await client.control("POST", "/clock", { advance: ms });
  };
  /** Opens an account, so that a test has a journal of its own. */
  const openAccount = async (ownerId?: string): Promise<string> => {
    const of = ownerId === undefined ? {} : { ownerId };
    const { data } = await operator("POST", "/accounts", { size: 100_000, ...of });
    return String(data.accountId);
  };
  const addKeyOf = (account: string): Promise<Answer> =>
    operator("POST", "/keys", { accountId: account, scopes: ["trade:read"] });
  const lane = async (id: unknown, account: string): Promise<Record<string, unknown>> => {
    const { data } = await operator("GET", `/webhooks/${String(id)}/lanes?accountId=${account}`);
    const items = Array.isArray(data.items) ? data.items.filter(isRecord) : [];
    return items.find(({ accountId }) => accountId === account) ?? {};
  };
  const sequences = (account: string) =>
    receiver.received
      .filter(({ accountId }) => accountId === account)
      .map(({ sequence, previous }) => [sequence, previous]);

  test("a receiver gets each event in order, signed for any library of Standard Webhooks", async () => {
    const { secret, url } = await make();
    const account = await openAccount();
    await move(3 * DAY);
    expect(sequences(account)).toEqual([
      [1, null],
      [2, 1],
      [3, 2],
      [4, 3],
    ]);
    expect(url).toBe(`${new URL(receiver.url).origin}/…hook`);
    const [first] = receiver.received.filter(({ accountId }) => accountId === account);
    if (first === undefined) throw new Error("nothing came");
    const verified = new Webhook(String(secret)).verify(first.body, {
      "webhook-id": first.id,
      "webhook-timestamp": String(first.headers["webhook-timestamp"]),
      "webhook-signature": String(first.headers["webhook-signature"]),
    });
    expect(verified).toMatchObject({
      type: "account.opened",
      timestamp: new Date(nowMs - 3 * DAY).toISOString(),
      data: { id: first.id, accountId: account, externalId: null, sequence: 1 },
    });
  });

  test("a webhook begins at the head of each account, or at its first event", async () => {
    const account = await openAccount();
    await move(DAY);
    await make();
    await make({ from: "start", accountId: account });
    await move(DAY);
    const both = sequences(account).map((places) => places.join(" after "));
    expect(new Set(both)).toEqual(new Set(["1 after ", "2 after 1", "3 after ", "3 after 2"]));
  });

  test("a failing receiver is tried ten times in four days, then its lane is parked and resumed without a loss", async () => {
    const account = await openAccount();
    const { id } = await make({ accountId: account });
    receiver.answer(() => 500);
    await move(DAY);
    expect(await lane(id, account)).toMatchObject({
      state: "waiting",
      attempts: 1,
      lastStatus: 500,
    });
    await move(5_000 * 1.2);
    expect(await lane(id, account)).toMatchObject({ attempts: 2 });
    await move(5 * DAY);
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(await lane(id, account)).toMatchObject({ state: "parked", attempts: 10 });
    const { data } = await operator("GET", `/webhooks/${String(id)}`);
    expect(data).toMatchObject({ state: "parked", stateReason: "ladder", parkedLanes: 1 });
    expect(data.stateSinceMs).toBeGreaterThan(nowMs - 3 * DAY);
    receiver.answer(() => 200);
    receiver.forget();
    await move(DAY);
    expect(receiver.received).toEqual([]);
    const resumed = await operator("POST", `/webhooks/${String(id)}/resume`, {});
    expect(resumed.data).toMatchObject({ state: "active", parkedLanes: 0 });
    await move(0);
    expect(sequences(account).map(([sequence]) => sequence)).toEqual([2, 3, 4, 5, 6, 7, 8]);
  });

  test("a webhook with another address or other types is tried without a wait, and its attempts count from the first", async () => {
    const account = await openAccount();
    const { id } = await make({ accountId: account, types: ["day.ended", "key.created"] });
    const path = `/webhooks/${String(id)}`;
    receiver.answer(() => 500);
    await move(DAY);
    await move(HOUR);
    expect(await lane(id, account)).toMatchObject({ state: "waiting", attempts: 4 });
    // The first undelivered event, the end of a day, is left out from now on.
    await operator("PATCH", path, { types: ["key.created", "account.closed"] });
    await move(0);
    expect(await lane(id, account)).toMatchObject({ state: "idle", attempts: 0 });
    await operator("POST", `/accounts/${account}/close`, {});
    await move(0);
    expect(await lane(id, account)).toMatchObject({ state: "waiting", attempts: 1 });
    receiver.forget();
    receiver.answer(() => 200);
    await operator("PATCH", path, { url: `${receiver.url}/repaired` });
    await move(0);
    expect(receiver.received.map(({ type }) => type)).toEqual(["account.closed"]);
  });

  test("a webhook that stops is an alert of its owner, or the operator's [D9.alerts]", async () => {
    const account = await openAccount();
    const { id } = await make({ accountId: account });
    receiver.answer(() => 500);
    await move(6 * DAY);
    await operator("PATCH", `/webhooks/${String(id)}`, { enabled: false });
    await operator("PATCH", `/webhooks/${String(id)}`, { enabled: false, label: "off" });
    await operator("PATCH", `/webhooks/${String(id)}`, { enabled: true });
    receiver.answer(() => 410);
    await operator("POST", `/webhooks/${String(id)}/resume`, {});
    await move(0);
    const { data } = await operator("GET", `/alerts?webhookId=${String(id)}&sort=number`);
    const items = Array.isArray(data.items) ? data.items.filter(isRecord) : [];
    expect(new Set(items.map(({ type, reason }) => `${String(type)} ${String(reason)}`))).toEqual(
      new Set(["webhook.disabled gone", "webhook.disabled operator", "webhook.parked ladder"]),
    );
    expect(items).toHaveLength(3);
    expect(items[0]).toMatchObject({ accountId: account, ownerId: null, keyId: null });
    const all = await operator("GET", "/alerts?ownerId=null&sort=number");
    const numbered = Array.isArray(all.data.items) ? all.data.items.filter(isRecord) : [];
    expect(numbered.map(({ number }) => number)).toEqual(numbered.map((_, index) => index + 1));
  });

  test("a webhook that names alerts gets those of each owner in order, and goes on after a failure without a loss [D9.webhookAlerts]", async () => {
    const [first, second] = [await openAccount("alert-1"), await openAccount("alert-2")];
    const { id, types } = await make({ types: ["key.created", "key.revoked"] });
    expect(types).toEqual(["key.created", "key.revoked"]);
    receiver.answer(({ accountId }) => (accountId === second ? 500 : 200));
    for (const account of [first, second, first, second]) {
      expect((await addKeyOf(account)).status).toBe(200);
    }
    await move(6 * DAY);
    const ofFirst = receiver.received.filter(({ accountId }) => accountId === first);
    expect(
      ofFirst.map(({ type, number, sequence, previous }) => [type, number, sequence, previous]),
    ).toEqual([
      ["key.created", 1, null, null],
      ["key.created", 2, null, 1],
    ]);
    const { data } = await operator(
      "GET",
      `/webhooks/${String(id)}/lanes?accountId=null&sort=ownerId`,
    );
    const lanes = Array.isArray(data.items) ? data.items.filter(isRecord) : [];
    const states = new Map(lanes.map(({ ownerId, state, behind }) => [ownerId, [state, behind]]));
    expect(states.get("alert-1")).toEqual(["idle", 0]);
    expect(states.get("alert-2")).toEqual(["parked", 2]);
    receiver.answer(() => 200);
    receiver.forget();
    await operator("POST", `/webhooks/${String(id)}/resume`, {});
    await move(0);
    expect(receiver.received.map(({ accountId, number }) => [accountId, number])).toEqual([
      [second, 1],
      [second, 2],
    ]);
    const [last] = receiver.received.slice(-1);
    receiver.forget();
    const sent = await operator("POST", `/webhooks/${String(id)}/deliveries`, {
      eventId: last?.id,
    });
    expect(sent.data).toMatchObject({ status: 200 });
    expect(receiver.received.map(({ body }) => body)).toEqual([last?.body]);
    receiver.forget();
    await operator("POST", `/webhooks/${String(id)}/replay`, { fromSequence: 1 });
    await move(0);
    const again = receiver.received.filter(({ accountId }) => accountId === second);
    expect(again.map(({ number, previous }) => [number, previous])).toEqual([
      [1, null],
      [2, 1],
    ]);
  });

  test("a replay or a resume moves the lane of one owner's alerts alone [D9.webhookAlerts]", async () => {
    const [first, second] = [await openAccount("alert-6"), await openAccount("alert-7")];
    const { id } = await make({ types: ["key.created"] });
    receiver.answer(() => 500);
    for (const account of [first, second, second]) await addKeyOf(account);
    await move(6 * DAY);
    receiver.answer(() => 200);
    const call = async (verb: string, body: object) => {
      receiver.forget();
      const { status, error } = await operator("POST", `/webhooks/${String(id)}/${verb}`, body);
      await move(0);
      const came = receiver.received.map(({ accountId, number }) => [accountId, number]);
      return status === 200 ? came : [status, error];
    };
    const ofSecond = [1, 2].map((number) => [second, number]);
    expect(await call("resume", { ownerId: "alert-7" })).toEqual(ofSecond);
    expect(await call("replay", { ownerId: "alert-7", fromSequence: 2 })).toEqual([[second, 2]]);
    expect(await call("replay", { ownerId: "alert-7", fromMs: START })).toEqual(ofSecond);
    expect(await call("replay", { ownerId: "alert-6", fromSequence: 1 })).toEqual([[first, 1]]);
    const both = { ownerId: "alert-7", accountId: second };
    const notBoth = "ownerId: give accountId or ownerId, not both";
    const refused: readonly (readonly [string, object, number, string])[] = [
      [
        "replay",
        { ownerId: "alert-7", fromSequence: 3 },
        400,
        "fromSequence: is beyond the newest alert, 2",
      ],
      [
        "replay",
        { ownerId: "nobody", fromSequence: 1 },
        404,
        "This webhook has no lane for that account or owner",
      ],
      ["replay", { ...both, fromSequence: 1 }, 400, notBoth],
      ["resume", both, 400, notBoth],
      ["replay", { fromSequence: 2 }, 400, "fromSequence: must be 1 without accountId and ownerId"],
      [
        "replay",
        { fromMs: 1_767_614_400 },
        400,
        "fromMs: must be a time in Unix milliseconds between 2000 and 2100; 1767614400 looks like seconds",
      ],
    ];
    for (const [verb, body, status, error] of refused) {
      expect(await call(verb, body)).toEqual([status, error]);
    }
  });

  test("a webhook gets the alert that another one of the operator has stopped, and none about itself [D9.webhookAlerts]", async () => {
    const { id } = await make({ types: ["webhook.disabled"] });
    const { id: other } = await make({ types: ["webhook.disabled"] });
    for (const one of [id, other])
      await operator("PATCH", `/webhooks/${String(one)}`, { enabled: false });
    for (const one of [id, other])
      await operator("PATCH", `/webhooks/${String(one)}`, { enabled: true });
    await move(0);
    const about = receiver.received.map(
      ({ body }) => JSON.parse(body).data.data.webhookId as unknown,
    );
    expect(new Set(about)).toEqual(new Set([id, other]));
    expect(about).toHaveLength(2);
  });

  test("types that name alerts later begin after the newest alert, and end with the last such type [D9.webhookAlerts] [D9.webhookNamed] [D9.webhookUnnamed]", async () => {
    const account = await openAccount("alert-3");
    const addKey = () => addKeyOf(account);
    const { id } = await make({ accountId: account, types: ["order.filled"] });
    const setTypes = (types: readonly string[]) =>
      operator("PATCH", `/webhooks/${String(id)}`, { types });
    const numbers = () => receiver.received.map(({ number, previous }) => [number, previous]);
    await addKey();
    await setTypes(["key.created"]);
    await addKey();
    await move(0);
    expect(numbers()).toEqual([[2, null]]);
    await setTypes(["order.filled"]);
    await addKey();
    await setTypes(["key.created"]);
    await addKey();
    await move(0);
    expect(numbers()).toEqual([
      [2, null],
      [4, null],
    ]);
  });

  test("a webhook of alerts alone has no lane for an account; types that name events later begin after the newest one [D9.webhookKinds] [D9.webhookNamed] [D9.webhookUnnamed]", async () => {
    const account = await openAccount("alert-4");
    const { id } = await make({ types: ["key.created"], from: "start" });
    const ofAccount = await make({ types: ["key.created"], accountId: account });
    const opened = await openAccount("alert-4");
    await move(DAY);
    const lanesOf = async (webhook: unknown): Promise<readonly unknown[]> => {
      const { data } = await operator("GET", `/webhooks/${String(webhook)}/lanes`);
      const items = Array.isArray(data.items) ? data.items.filter(isRecord) : [];
      return items.map(({ accountId }) => accountId).filter((one) => one !== null);
    };
    expect([await lanesOf(id), await lanesOf(ofAccount.id)]).toEqual([[], []]);
    const setTypes = (types: readonly string[] | null) =>
      operator("PATCH", `/webhooks/${String(id)}`, { types });
    await setTypes(null);
    expect(await lanesOf(id)).toEqual(expect.arrayContaining([account, opened]));
    await move(DAY);
    expect([sequences(account), sequences(opened)]).toEqual([[[3, null]], [[3, null]]]);
    receiver.forget();
    await setTypes(["key.created"]);
    await move(DAY);
    expect([await lanesOf(id), sequences(account)]).toEqual([[], []]);
    await setTypes(["day.ended"]);
    await move(DAY);
    expect(sequences(account)).toEqual([[5, null]]);
  });

  test("a failing lane holds no other lane and no other webhook back", async () => {
    const [bad, good] = [await openAccount(), await openAccount()];
    const other = await openWebhookReceiver();
    await make();
    await make({ url: other.url });
    receiver.answer(({ accountId }) => (accountId === bad ? 503 : 200));
    await move(DAY);
    expect(sequences(good)).toEqual([[2, null]]);
    const both = other.received.map(({ accountId }) => accountId);
    expect(both).toEqual(expect.arrayContaining([bad, good]));
    await other.close();
  });

  test("a webhook of a program has the accounts on it: one that comes begins there, one that leaves is sent nothing more [D9.webhookProgram]", async () => {
    const pro = await openWebhookReceiver();
    const [stays, moves] = [await openAccount(), await openAccount()];
    const { id } = await make({ programId: "classic", from: "start" });
    await make({ programId: "pro", url: pro.url });
    await move(DAY);
    await operator("POST", `/accounts/${moves}/offer-pro`, { proAccountSize: 200_000 });
    const opened = await openAccount();
    await move(DAY);
    const days = [
      [1, null],
      [2, 1],
    ];
    expect([sequences(moves), sequences(opened)]).toEqual([days, days]);
    expect(sequences(stays)).toEqual([...days, [3, 2]]);
    expect(
      pro.received.map(({ accountId, type, previous }) => [accountId, type, previous]),
    ).toEqual([
      [moves, "pro.started", null],
      [moves, "day.ended", 3],
    ]);
    const path = `/webhooks/${String(id)}/deliveries`;
    const eventOf = (sequence: number) => `evt_${moves.replaceAll("-", "")}_${sequence}`;
    expect((await operator("POST", path, { eventId: eventOf(3) })).status).toBe(404);
    expect((await operator("POST", path, { eventId: eventOf(2) })).status).toBe(200);
    await pro.close();
  });

  test("a delivery with v1a is verified by the published key of the installation, without a secret [D9.webhookKey]", async () => {
    const { id, signatures } = await make({ signatures: ["v1", "v1a"] });
    expect(signatures).toEqual(["v1", "v1a"]);
    await operator("POST", `/webhooks/${String(id)}/test`, {});
    const [one] = receiver.received;
    if (one === undefined) throw new Error("nothing came");
    const [shared = "", open = "", ...more] = String(one.headers["webhook-signature"]).split(" ");
    expect([shared.slice(0, 3), open.slice(0, 4), more]).toEqual(["v1,", "v1a,", []]);
    const published = await fetch(`${sandbox.ready.baseUrl}/api/v1/evidence-keys`);
    const { data } = (await published.json()) as {
      readonly data: readonly { readonly publicKey: string }[];
    };
    const x = Buffer.from(data[0]?.publicKey ?? "", "base64").toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const signed = Buffer.from(open.slice(4), "base64");
    const isGenuine = (body: string): boolean => {
      const content = `${one.id}.${String(one.headers["webhook-timestamp"])}.${body}`;
      return verify(null, Buffer.from(content), key, signed);
    };
    expect([isGenuine(one.body), isGenuine(`${one.body} `)]).toEqual([true, false]);
    const changed = await operator("PATCH", `/webhooks/${String(id)}`, { signatures: ["v1"] });
    expect(changed.data.signatures).toEqual(["v1"]);
    receiver.forget();
    await operator("POST", `/webhooks/${String(id)}/test`, {});
    expect(receiver.received[0]?.headers["webhook-signature"]).not.toContain(" ");
  });

  test("a replay sets a lane back, and the types leave events out of its order", async () => {
    const account = await openAccount();
    await move(2 * DAY);
    const { id } = await make({ types: ["day.ended"], accountId: account, from: "start" });
    await move(0);
    expect(sequences(account)).toEqual([
      [2, null],
      [3, 2],
    ]);
    receiver.forget();
    const path = `/webhooks/${String(id)}/replay`;
    await operator("POST", path, { accountId: account, fromSequence: 3 });
    await move(0);
    expect(sequences(account)).toEqual([[3, 2]]);
    receiver.forget();
    await operator("POST", path, { fromMs: nowMs - DAY });
    await move(0);
    expect(sequences(account)).toEqual([[3, 2]]);
    receiver.forget();
    await operator("POST", path, { fromSequence: 1 });
    await move(0);
    expect(sequences(account)).toEqual([
      [2, null],
      [3, 2],
    ]);
    const beyond = await operator("POST", path, { accountId: account, fromSequence: 4 });
    expect([beyond.status, beyond.error]).toEqual([
      400,
      "fromSequence: is beyond the account's newest event, 3",
    ]);
  });

  test("a rotated secret signs beside the old one until the overlap has passed", async () => {
    const { id, secret } = await make();
    const path = `/webhooks/${String(id)}/rotate`;
    const rotated = await operator("POST", path, { overlapMs: HOUR });
    const second = await operator("POST", path, { overlapMs: HOUR });
    expect([second.status, second.code]).toEqual([409, "overlap_running"]);
    const signers = async (): Promise<readonly boolean[]> => {
      receiver.forget();
      const { data } = await operator("POST", `/webhooks/${String(id)}/test`, {});
      expect(data).toMatchObject({ status: 200, error: null });
      return [rotated.data.secret, secret].map((one) => signedBy(receiver, String(one)));
    };
    expect(await signers()).toEqual([true, true]);
    await move(HOUR);
    expect(await signers()).toEqual([true, false]);
  });

  test("a receiver that is gone ends its webhook, which loses nothing until it is enabled again", async () => {
    const account = await openAccount();
    const { id } = await make({ accountId: account });
    receiver.answer(() => 410);
    await move(DAY);
    const path = `/webhooks/${String(id)}`;
    const { data } = await operator("GET", path);
    expect(data).toMatchObject({ enabled: false, state: "disabled", stateReason: "gone" });
    expect(receiver.received).toHaveLength(1);
    receiver.answer(() => 200);
    receiver.forget();
    await move(DAY);
    expect(receiver.received).toEqual([]);
    await operator("PATCH", path, { enabled: true });
    await move(0);
    expect(sequences(account)).toEqual([
      [2, null],
      [3, 2],
    ]);
  });

  test("an event is sent once more by its id, and every attempt is listed", async () => {
    const account = await openAccount();
    const { id } = await make({ accountId: account, from: "start" });
    await move(0);
    const path = `/webhooks/${String(id)}/deliveries`;
    const eventId = `evt_${account.replaceAll("-", "")}_1`;
    expect((await operator("POST", path, { eventId })).data).toMatchObject({ status: 200 });
    expect(sequences(account)).toEqual([
      [1, null],
      [1, null],
    ]);
    const missing = [`evt_${account.replaceAll("-", "")}_2`, "evt_1"];
    for (const one of missing) {
      expect((await operator("POST", path, { eventId: one })).status).toBe(404);
    }
    const pages: unknown[] = [];
    for (let after = ""; ; ) {
      const query = after === "" ? "" : `&after=${after}`;
      const { data } = await operator("GET", `${path}?limit=1${query}`);
      pages.push(...(Array.isArray(data.items) ? data.items : []));
      if (typeof data.next !== "string") break;
      after = data.next;
    }
    expect(pages).toEqual([
      expect.objectContaining({ accountId: account, eventId, attempt: 1, status: 200 }),
      expect.objectContaining({ accountId: account, eventId, attempt: 1, status: 200 }),
    ]);
  });

  test("no webhook calls the service itself, and a wrong field is named", async () => {
    const { id } = await make({ url: `${sandbox.ready.baseUrl}/x` });
    const own = await operator("POST", `/webhooks/${String(id)}/test`, {});
    expect(own.data).toMatchObject({ status: null, error: "address" });
    const { id: control } = await make({ url: `${sandbox.ready.controlUrl}/x` });
    const plane = await operator("POST", `/webhooks/${String(control)}/test`, {});
    expect(plane.data).toMatchObject({ status: null, error: "address" });
    const wrong: readonly (readonly [unknown, string])[] = [
      [{ url: "nowhere" }, "url: must be a URL"],
      [{ url: "https://169.254.169.254/x" }, "url: must not be a metadata service"],
      [{ url: receiver.url, types: ["order.filed"] }, 'types: names "order.filed"'],
      [{ url: receiver.url, from: "end" }, "from: must be one of head, start"],
      [{ url: receiver.url, accountId: START }, "accountId: must be a uuid"],
      [{ url: receiver.url, secret: "x" }, "secret: no such field"],
      [{ url: receiver.url, accountId: UNKNOWN }, "accountId: there is no such account"],
      [{ url: receiver.url, programId: "gold" }, "programId: there is no such program"],
      [{ url: receiver.url, programId: "" }, "programId: must not be empty"],
      [
        { url: receiver.url, programId: "pro", accountId: UNKNOWN },
        "programId: a webhook has the accounts of a program, or one account",
      ],
      [{ url: receiver.url, signatures: ["v1a"] }, 'signatures: must be ["v1"] or ["v1","v1a"]'],
      [{ url: receiver.url, signatures: [] }, 'signatures: must be ["v1"] or ["v1","v1a"]'],
      [{ url: receiver.url, signatures: ["v2"] }, "signatures[0]: must be one of v1, v1a"],
    ];
    for (const [body, error] of wrong) {
      const answer = await operator("POST", "/webhooks", body);
      expect([answer.status, answer.error]).toEqual([400, expect.stringContaining(error)]);
    }
  });

  test.each(["%00", "wh_1", `wh_${"F".repeat(32)}`])("no webhook has the id %s", async (id) => {
    const calls = [
      await operator("GET", `/webhooks/${id}`),
      await operator("GET", `/webhooks/${id}/lanes`),
      await operator("POST", `/webhooks/${id}/resume`, {}),
      await operator("DELETE", `/webhooks/${id}`),
    ];
    expect(calls.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  test("the sandbox's faults stand in for the receiver", async () => {
    const { id } = await make();
    await client.control("POST", "/faults", { webhooks: "fail" });
    const failed = await operator("POST", `/webhooks/${String(id)}/test`, {});
    expect(failed.data).toMatchObject({ status: 500, error: null });
    await client.control("POST", "/faults", { webhooks: "ok" });
    expect(receiver.received).toEqual([]);
  });

  test("an installation has twenty webhooks at most", async () => {
    for (let count = made.length; count < 20; count += 1) await make();
    const { status, code } = await operator("POST", "/webhooks", { url: receiver.url });
    expect([status, code]).toEqual([409, "webhook_limit"]);
  });
});

const UNKNOWN = "00000000-0000-4000-8000-000000000000";

function signedBy({ received }: WebhookReceiver, secret: string): boolean {
  const [one] = received;
  if (one === undefined) throw new Error("nothing came");
  try {
    new Webhook(secret).verify(one.body, {
      "webhook-id": one.id,
      "webhook-timestamp": String(one.headers["webhook-timestamp"]),
      "webhook-signature": String(one.headers["webhook-signature"]),
    });
    return true;
  } catch {
    return false;
  }
}

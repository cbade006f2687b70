import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@propgate/sdk";
import {
  createWebhookSender,
  startSandbox,
  systemClock,
  systemStopwatch,
  type WebhookSender,
} from "@propgate/server";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import { createManualTime } from "../../../../server/src/testing/manual-time.ts";
import { rawAnswer } from "../../../../server/src/testing/raw-server.ts";
import {
  type AccountSandbox,
  type SandboxAccount,
  startAccountSandbox,
} from "../../testing/account-sandbox.ts";
import { connectEventAgent } from "../../testing/event-agent.ts";
import { type AnswerChoice, startEventReceiver } from "../../testing/event-receiver.ts";
import { keyVariables } from "../../testing/mcp-agent.ts";
import { runCli } from "../../testing/run-cli.ts";
import { openDeliverySender } from "./delivery-sender.ts";
import { createEventFeed, type EventFeed } from "./event-feed.ts";
import { readSelection } from "./event-types.ts";
import { createEventWebhooks } from "./event-webhooks.ts";

type Fields = Readonly<Record<string, unknown>>;

const PRIVATE = { PROPGATE_WEBHOOKS_PRIVATE: "1" };
const SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(24, 2).toString("base64")}`;
const NAME = "order.filled";
const MINUTE_MS = 60_000;

let sandbox: AccountSandbox;

beforeAll(async () => {
  sandbox = await startAccountSandbox();
  return () => sandbox.stop();
});

async function buy(key: SandboxAccount): Promise<void> {
  await sandbox.control("/quotes", [{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]);
  const given = ["order", "market", "BTCUSD", "long", "--quantity", "0.01", "--yes"];
  expect((await runCli(given, { env: keyVariables(key) })).code).toBe(0);
}

const to = (url: string, more: Fields = {}): Fields => ({
  name: NAME,
  delivery: { mode: "webhook", url, secret: SECRET, ...more },
});

const RECEIVER = "http://127.0.0.1:1/held";

/** A sender whose receiver agrees to every subscription. The test decides when each event is answered. */
function heldSender() {
  const deliveries: { readonly id: string; answer(status: number): void }[] = [];
  const sender: Partial<WebhookSender> = {
    send({ id, body }) {
      const { challenge } = JSON.parse(body) as Fields;
      const result = { latencyMs: 1, error: null, retryAfterMs: null };
      if (challenge !== undefined) {
        return Promise.resolve({ ...result, status: 200, answer: JSON.stringify({ challenge }) });
      }
      return new Promise((resolve) => {
        const answer = (status: number): void => resolve({ ...result, status, answer: "" });
        deliveries.push({ id, answer });
      });
    },
  };
  return { sender, deliveries };
}

/** The subscriptions of a process for one account. The test controls the time of their waits. */
async function openWebhooks(sender: Partial<WebhookSender> = {}) {
  const key = await sandbox.open();
  const client = createClient(key);
  const events = createEventFeed(client);
  let followers = 0;
  const feed: EventFeed = {
    ...events,
    async *follow(...given) {
      followers += 1;
      try {
        yield* events.follow(...given);
      } finally {
        followers -= 1;
      }
    },
  };
  const time = createManualTime(Date.now());
  const faults: unknown[] = [];
  const webhooks = createEventWebhooks({
    client,
    keyId: key.keyId,
    feed,
    openPost: async () => ({
      ...(await openDeliverySender(PRIVATE)),
      callAfter: (ms, call) => time.timer.after(ms, call),
      ...sender,
    }),
    onFault: (cause) => faults.push(cause),
  });
  onTestFinished(async () => {
    feed.close();
    await webhooks.close();
    expect(faults).toEqual([]);
  });
  return {
    key,
    time,
    followers: () => followers,
    subscribe: async (params: Fields) =>
      (await webhooks.subscribe(readSelection(params), params)) as Fields,
    unsubscribe: (params: Fields) => webhooks.unsubscribe(readSelection(params), params),
  };
}

describe("events/subscribe of the real server", () => {
  test("a receiver that agreed gets each event, signed with the client's secret, until it is unsubscribed", async () => {
    const receiver = await startEventReceiver();
    const key = await sandbox.open();
    const agent = await connectEventAgent(key, PRIVATE);
    const made = await agent.request("events/subscribe", to(receiver.url));
    expect(made).toMatchObject({
      id: expect.stringMatching(/^sub_[0-9a-f]{32}$/),
      refreshBefore: expect.stringMatching(/^\d{4}-.*Z$/),
      cursor: expect.stringMatching(/^\d+-[0-9a-f]{32}$/),
      truncated: false,
    });
    expect(receiver.messages("verification")).toMatchObject([
      { id: expect.stringMatching(/^msg_verification_/), subscriptionId: made.id },
    ]);
    await buy(key);
    await eventually(() => expect(receiver.events()).toHaveLength(1));
    receiver.verify(SECRET);
    const [event] = receiver.events();
    expect(event).toMatchObject({
      id: event?.body.eventId,
      subscriptionId: made.id,
      body: { name: NAME, data: { tradePair: "BTCUSD" }, cursor: expect.any(String) },
    });
    const { cursor } = event?.body ?? {};
    await eventually(async () => {
      const refreshed = await agent.request("events/subscribe", to(receiver.url));
      expect(refreshed).toMatchObject({ id: made.id, cursor, deliveryStatus: { active: true } });
    });
    await agent.request("events/unsubscribe", { name: NAME, delivery: { url: receiver.url } });
    await buy(key);
    const polled = await agent.request("events/poll", { name: NAME, cursor });
    expect(polled.events).toHaveLength(1);
    expect(receiver.events()).toHaveLength(1);
    expect(receiver.messages("verification")).toHaveLength(1);
    const again = to(receiver.url);
    await agent.request("events/subscribe", { ...again, cursor });
    await eventually(() => expect(receiver.events()).toHaveLength(2));
  });

  test.each([
    [{}, "http://127.0.0.1:1/hook", "'delivery.url' must not be a private address"],
    [{}, "http://example.com/hook", "'delivery.url' must use https"],
    [{}, "https://me:word@example.com/", "'delivery.url' must not contain a user"],
    [{}, "https://example.com:444/", "'delivery.url' must use one of the ports 443, 8443"],
    [{}, "https://169.254.169.254/", "'delivery.url' must not be a metadata service"],
    [PRIVATE, "https://metadata.google.internal/", "must not be a metadata service"],
    [PRIVATE, "noon", "'delivery.url' must be a URL"],
    [{ PROPGATE_WEBHOOKS_PORTS: "444" }, "https://example.com/", "one of the ports 444"],
  ])("the settings %j refuse the address %s", async (env, url, words) => {
    const agent = await connectEventAgent(await sandbox.open(), env);
    const { code, message } = await agent.failure("events/subscribe", to(url));
    expect([code, message]).toEqual([-32_602, expect.stringContaining(words)]);
  });

  test.each([
    [{ url: 5 }, -32_602, "'delivery.url'"],
    [{ mode: "carrier" }, -32_014, "'delivery.mode'"],
    [{ secret: "secret" }, -32_602, "'delivery.secret'"],
    [{ secret: `whsec_${Buffer.alloc(23).toString("base64")}` }, -32_602, "24 to 64 bytes"],
  ])("the delivery %j is refused by name", async (more, code, words) => {
    const agent = await connectEventAgent(await sandbox.open());
    const failure = await agent.failure("events/subscribe", to("https://example.com/", more));
    expect([failure.code, failure.message]).toEqual([code, expect.stringContaining(words)]);
  });

  test("a setting of addresses with another word ends the command with 2", async () => {
    const env = { PROPGATE_KEY_ID: "pk_x", PROPGATE_SECRET: "sk_x" };
    const wrong = { ...env, PROPGATE_WEBHOOKS_PRIVATE: "yes" };
    const { code, stdout, stderr } = await runCli(["mcp"], { env: wrong });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("PROPGATE_WEBHOOKS_PRIVATE must be 0, 1 or all");
  });

  test("streams and subscriptions go on after the service was restarted", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "propgate-mcp-events-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const settings = { clock: "real", dataDir, networkTimeoutMs: 15_000, seed: "1" } as const;
    const first = await startSandbox({ ...settings, port: 0, startMs: null });
    const { baseUrl, keyId, secret } = first.ready;
    const key = { baseUrl, keyId, secret };
    const agent = await connectEventAgent(key, PRIVATE);
    const receiver = await startEventReceiver();
    await agent.request("events/subscribe", to(receiver.url));
    const stream = await agent.stream({ name: NAME });
    await eventually(() => expect(stream.notices("heartbeat").length).toBeGreaterThan(0));
    await first.stop();
    const { port } = new URL(baseUrl);
    const second = await startSandbox({ ...settings, port: Number(port), startMs: null });
    onTestFinished(() => second.stop());
    const { controlUrl, controlToken } = second.ready;
    await fetch(`${controlUrl}/quotes`, {
      method: "POST",
      headers: { Authorization: `Bearer ${controlToken}` },
      body: JSON.stringify([{ pair: "BTCUSD", bid: 50_000, ask: 50_010 }]),
    });
    const given = ["order", "market", "BTCUSD", "long", "--quantity", "0.01", "--yes"];
    expect((await runCli(given, { env: keyVariables(key) })).code).toBe(0);
    await eventually(() => {
      expect(stream.notices("event")).toHaveLength(1);
      expect(receiver.events()).toHaveLength(1);
    });
  });
});

describe("a receiver's answers", () => {
  const REDIRECT = rawAnswer("", {
    status: "302 Found",
    headers: ["Location: http://127.0.0.1:1/"],
  });
  const OTHER_ECHO = rawAnswer('{"challenge":"0"}');

  test.each<readonly [string, AnswerChoice, string]>([
    ["does not repeat the challenge", () => OTHER_ECHO, "challenge_failed"],
    ["redirects", () => REDIRECT, "http_4xx"],
    ["refuses", () => "403 No", "http_4xx"],
    ["fails", () => "503 No", "http_5xx"],
  ])("a receiver that %s is sent no event", async (_, answer, reason) => {
    const receiver = await startEventReceiver(answer);
    const { subscribe } = await openWebhooks();
    await expect(subscribe(to(receiver.url))).rejects.toMatchObject({
      code: -32_015,
      data: { reason },
    });
    expect(receiver.messages("verification")).toHaveLength(1);
    await expect(subscribe(to("http://127.0.0.1:1/"))).rejects.toMatchObject({
      data: { reason: "connection_refused" },
    });
  });

  test("a receiver that never answers is given up, and the subscription is refused", async () => {
    const receiver = await startEventReceiver(() => null);
    const time = createManualTime(Date.now());
    const sender = createWebhookSender({
      rules: null,
      clock: systemClock,
      stopwatch: systemStopwatch,
      timer: time.timer,
      ownListeners: () => [],
    });
    const { subscribe } = await openWebhooks(sender);
    const refused = expect(subscribe(to(receiver.url))).rejects.toMatchObject({
      code: -32_015,
      data: { reason: "timeout" },
    });
    await eventually(() => expect(receiver.messages("verification")).toHaveLength(1));
    await time.pass(10_000);
    await refused;
  });

  test("an event that is not taken comes again before the next one, then waits for a refresh", async () => {
    let isUp = false;
    const receiver = await startEventReceiver(({ body }) =>
      body.challenge !== undefined || isUp ? "200 OK" : "500 No",
    );
    const { key, time, subscribe } = await openWebhooks();
    await subscribe({ ...to(receiver.url), ttlMs: null });
    await buy(key);
    await buy(key);
    // The longest waits before the attempts of the first event.
    for (const [attempts, waitMs] of [0, 6_000, 6 * MINUTE_MS, 36 * MINUTE_MS].entries()) {
      await eventually(async () => {
        if (receiver.events().length === attempts) await time.pass(waitMs / 40);
        expect(receiver.events()).toHaveLength(attempts + 1);
      });
    }
    const failed = { active: false, lastDeliveryAt: null, lastError: "http_5xx" };
    isUp = true;
    await eventually(async () => {
      const { deliveryStatus } = await subscribe(to(receiver.url));
      expect(deliveryStatus).toMatchObject({ ...failed, failedSince: expect.any(String) });
    });
    await eventually(() => expect(receiver.events()).toHaveLength(6));
    const ids = receiver.events().map(({ id }) => id);
    expect(new Set(ids.slice(0, 5)).size).toBe(1);
    expect(ids[5]).not.toBe(ids[0]);
    await eventually(async () => {
      const { deliveryStatus } = await subscribe(to(receiver.url));
      expect(deliveryStatus).toMatchObject({ active: true, lastError: null });
    });
  });

  test("a receiver that is gone ends its subscription, and is asked again before the next one", async () => {
    const receiver = await startEventReceiver(({ body }) =>
      body.challenge === undefined ? "410 Gone" : "200 OK",
    );
    const { key, subscribe } = await openWebhooks();
    await subscribe(to(receiver.url));
    await buy(key);
    await eventually(() => expect(receiver.events()).toHaveLength(1));
    // While the answer to the delivery has not arrived, a request with the same address renews the subscription.
    await eventually(async () =>
      expect(await subscribe(to(receiver.url))).not.toHaveProperty("deliveryStatus"),
    );
    expect(receiver.messages("verification")).toHaveLength(2);
  });

  test("an event that is too large for the receiver is left out", async () => {
    const receiver = await startEventReceiver(({ body }, count) =>
      body.challenge === undefined && count === 2 ? "413 Too Large" : "200 OK",
    );
    const { key, subscribe } = await openWebhooks();
    await subscribe(to(receiver.url));
    await buy(key);
    await buy(key);
    await eventually(() => expect(receiver.events()).toHaveLength(2));
    const [one, two] = receiver.events();
    expect(one?.id).not.toBe(two?.id);
  });
});

describe("subscriptions", () => {
  test("the same address, name and arguments are one subscription, whose new secret signs beside the old", async () => {
    const receiver = await startEventReceiver();
    const { key, time, subscribe } = await openWebhooks();
    const [one, same] = await Promise.all([
      subscribe(to(receiver.url)),
      subscribe({ ...to(receiver.url), arguments: {} }),
    ]);
    expect(same.id).toBe(one.id);
    await subscribe(to(receiver.url, { secret: OTHER }));
    await buy(key);
    await eventually(() => expect(receiver.events()).toHaveLength(1));
    expect(receiver.events()[0]?.signatures).toHaveLength(2);
    await time.pass(11 * MINUTE_MS);
    await buy(key);
    await eventually(() => expect(receiver.events()).toHaveLength(2));
    expect(receiver.events()[1]?.signatures).toHaveLength(1);
  });

  test("a subscription that is ended during a delivery is over, and does not take its successor with it", async () => {
    const { sender, deliveries } = heldSender();
    const { key, subscribe, unsubscribe } = await openWebhooks(sender);
    const { cursor } = await subscribe(to(RECEIVER));
    await buy(key);
    await eventually(() => expect(deliveries).toHaveLength(1));
    unsubscribe(to(RECEIVER));
    const second = await subscribe({ ...to(RECEIVER), cursor });
    await eventually(() => expect(deliveries).toHaveLength(2));
    deliveries[0]?.answer(200);
    deliveries[1]?.answer(200);
    await eventually(async () => {
      const refreshed = await subscribe(to(RECEIVER));
      expect(refreshed).toMatchObject({ id: second.id, deliveryStatus: { lastError: null } });
      expect(refreshed.cursor).not.toBe(cursor);
    });
    await buy(key);
    await eventually(() => expect(deliveries).toHaveLength(3));
    unsubscribe(to(RECEIVER));
    deliveries[2]?.answer(200);
    await buy(key);
    await expect(subscribe({ ...to(RECEIVER), cursor: "9999" })).rejects.toThrow("'cursor'");
    expect(deliveries).toHaveLength(3);
  });

  test.each([1, 4])(
    "a subscription that is ended during attempt %d waits for nothing, and follows no events",
    async (attempts) => {
      const { sender, deliveries } = heldSender();
      const { key, time, subscribe, unsubscribe, followers } = await openWebhooks(sender);
      await subscribe(to(RECEIVER));
      await buy(key);
      for (let attempt = 1; attempt < attempts; attempt += 1) {
        await eventually(async () => {
          await time.pass(MINUTE_MS);
          expect(deliveries).toHaveLength(attempt);
        });
        deliveries[attempt - 1]?.answer(500);
      }
      await eventually(async () => {
        await time.pass(MINUTE_MS);
        expect(deliveries).toHaveLength(attempts);
      });
      unsubscribe(to(RECEIVER));
      expect(followers()).toBe(1);
      deliveries[attempts - 1]?.answer(500);
      await eventually(() => expect(followers()).toBe(0));
    },
  );

  test("a subscription that is not refreshed ends at the time that was granted", async () => {
    const receiver = await startEventReceiver();
    const { time, subscribe, unsubscribe } = await openWebhooks();
    const minutesOf = ({ refreshBefore }: Fields) =>
      Math.round((Date.parse(String(refreshBefore)) - Date.now()) / MINUTE_MS);
    const params = to(receiver.url);
    expect(minutesOf(await subscribe({ ...params, ttlMs: null }))).toBe(24 * 60);
    expect(minutesOf(await subscribe(params))).toBe(60);
    expect(minutesOf(await subscribe({ ...params, ttlMs: 1 }))).toBe(1);
    await expect(subscribe({ ...params, ttlMs: "soon" })).rejects.toThrow("'ttlMs'");
    await time.pass(MINUTE_MS);
    expect(() => unsubscribe(params)).toThrow("no subscription");
  });

  test("one more than the limit is refused, and says how many there may be", async () => {
    const receiver = await startEventReceiver();
    const { subscribe } = await openWebhooks();
    const params = (count: number): Fields => to(`${receiver.url}?n=${count}`);
    await Promise.all(Array.from({ length: 32 }, (_, count) => subscribe(params(count))));
    await expect(subscribe(params(32))).rejects.toMatchObject({
      code: -32_013,
      data: { limit: "subscriptions", max: 32 },
    });
    await expect(subscribe(params(0))).resolves.toHaveProperty("deliveryStatus");
  });

  test.each(["1-00000000000000000000000000000000", "9999", "noon"])(
    "the cursor %s is refused, and the receiver is not called",
    async (cursor) => {
      const receiver = await startEventReceiver();
      const { subscribe } = await openWebhooks();
      await expect(subscribe({ ...to(receiver.url), cursor })).rejects.toThrow("'cursor'");
      expect(receiver.messages("verification")).toEqual([]);
    },
  );

  test("a receiver whose account can no longer be read is told that it was the last message", async () => {
    const receiver = await startEventReceiver();
    const { key, subscribe } = await openWebhooks();
    await subscribe(to(receiver.url));
    await sandbox.revoke(key.keyId);
    await eventually(() => expect(receiver.messages("terminated")).toHaveLength(1));
    const [{ id, body } = {}] = receiver.messages("terminated");
    expect(id).toMatch(/^msg_terminated_/);
    expect(body).toMatchObject({ error: { code: -32_012 } });
    receiver.verify(SECRET);
  });
});

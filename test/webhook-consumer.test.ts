/** The client's consumer of webhooks, with bodies and events of the real service. */
import {
  type AccountEvent,
  createClient,
  createEventConsumer,
  type EventConsumerOptions,
  type EventsPage,
} from "@propgate/sdk";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { webhookBody } from "../packages/push/src/webhooks/lane-events.ts";
import { type Harness, openHarness } from "../packages/server/src/testing/harness.ts";
import { propertySettings } from "./environment/depth.ts";

const LIMIT = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.01,
  limit_price: 40_000,
} as const;

let service: Harness;
/** Twenty-one events: the opened account, and ten orders that are placed, stay pending and are cancelled. */
let events: readonly AccountEvent[];
beforeAll(async () => {
  service = await openHarness();
  await service.quote("BTCUSD", 50_000, 50_000);
  for (let acts = 0; acts < 10; acts += 1) {
    const placed = (await service.order(LIMIT)).json() as { data: { order_uuid: string } };
    const { order_uuid } = placed.data;
    await service.order({ execution_type: "LIMIT_CANCEL", order_uuid });
  }
  events = ((await service.get("events?limit=500")).json() as { data: EventsPage }).data.items;
  return () => service.close();
});

const client = async () =>
  createClient({
    ...(await service.newKey()),
    baseUrl: `http://127.0.0.1:${service.port}`,
    now: () => service.time.clock.now(),
  });

/**
 * Makes a consumer that keeps its cursor in memory. Returns it with the handled events and a function that reads the
 * cursor.
 */
function receiver(options: Partial<EventConsumerOptions> = {}) {
  const handled: AccountEvent[] = [];
  let stored: string | null = null;
  const consumer = createEventConsumer({
    load: () => stored,
    handle: (event) => void handled.push(event),
    save: (cursor) => {
      stored = cursor;
    },
    ...options,
  });
  return { handled, consumer, stored: () => stored };
}

function bodyOf(event: AccountEvent | undefined, previous: number | null): string {
  if (event === undefined) throw new Error("there is no such event");
  return webhookBody(event, {
    accountId: service.accountId,
    ownerId: "owner-1",
    externalId: null,
    previous,
  });
}

function alertBody(ownerId: string | null, number: number, previous: number | null): string {
  const type = "key.created";
  const of = { accountId: null, ownerId, externalId: null, previous };
  const data = { id: `alt_${number}`, sequence: null, number, type, atMs: 0, data: {}, ...of };
  return JSON.stringify({ type, timestamp: "2026-01-05T12:00:00.000Z", data });
}

const DIFFERS = { code: "historyDiffers" };

describe("a consumer of webhooks [D9.consumer]", () => {
  test("a consumer handles each event once and in order when deliveries are lost or come again", async () => {
    const one = await client();
    const types = ["order.cancelled"] as const;
    /** The number of times that each event is delivered. */
    const times = fc.array(fc.nat(2), { minLength: 21, maxLength: 21 });
    await fc.assert(
      fc.asyncProperty(times, fc.boolean(), async (counts, isFiltered) => {
        // A new minute gives the key its whole budget of reads.
        await service.time.pass(60_000);
        const { handled, consumer } = receiver(isFiltered ? { types } : {});
        const lane = isFiltered ? events.filter(({ type }) => type === types[0]) : events;
        const answers: string[] = [];
        const expected: string[] = [];
        for (const [index, event] of lane.entries()) {
          const body = bodyOf(event, lane[index - 1]?.sequence ?? null);
          const count = counts[index] ?? 0;
          for (let time = 0; time < count; time += 1) {
            answers.push(await consumer.receive(body, one));
          }
          expected.push(...["handled", "repeat"].slice(0, count));
        }
        expect(answers).toEqual(expected);
        const last = counts.findLastIndex((count, index) => count > 0 && index < lane.length);
        expect(handled).toEqual(lane.slice(0, last + 1));
      }),
      propertySettings(100),
    );
  });

  test("a consumer whose webhook began later handles the first event without those before", async () => {
    const { handled, consumer, stored } = receiver();
    expect(await consumer.receive(bodyOf(events[9], null), await client())).toBe("handled");
    expect([handled, stored()]).toEqual([[events[9]], events[9]?.cursor]);
  });

  test("a consumer acknowledges what is no event of the account", async () => {
    const { handled, consumer } = receiver();
    const data = {
      id: "evt_test_1",
      type: "webhook.test",
      sequence: null,
      previous: null,
      data: {},
    };
    const body = JSON.stringify({ type: data.type, timestamp: "2026-01-05T12:00:00.000Z", data });
    expect(await consumer.receive(body, await client())).toBe("other");
    expect(handled).toEqual([]);
  });

  test("a consumer with `alerts` handles those of each owner once and in order, and throws when some are missing", async () => {
    const handled: (readonly [string | null, number])[] = [];
    const numbers = new Map<string | null, number>();
    const { consumer } = receiver({
      alerts: {
        load: (ownerId) => numbers.get(ownerId) ?? null,
        handle: ({ ownerId, number }) => void handled.push([ownerId, number]),
        save: (ownerId, number) => void numbers.set(ownerId, number),
      },
    });
    const one = await client();
    const receive = (ownerId: string | null, number: number, previous: number | null) =>
      consumer.receive(alertBody(ownerId, number, previous), one);
    expect(await receive("a", 4, null)).toBe("handled");
    expect(await receive("a", 4, null)).toBe("repeat");
    expect(await receive(null, 1, null)).toBe("handled");
    await expect(receive("a", 9, 7)).rejects.toMatchObject({
      code: "alertsMissing",
      message: "alerts 5 to 7 of a are missing",
    });
    expect(await receive("a", 7, 4)).toBe("handled");
    expect(await receive("a", 9, 7)).toBe("handled");
    // Alert 12 names no alert before it, because it is the first alert of another webhook.
    await expect(receive("a", 12, null)).rejects.toMatchObject({
      message: "alerts 10 to 11 of a are missing",
    });
    expect(await receive("a", 10, null)).toBe("handled");
    expect(handled).toEqual([
      ["a", 4],
      [null, 1],
      ["a", 7],
      ["a", 9],
      ["a", 10],
    ]);
    expect(await receiver().consumer.receive(alertBody("a", 1, null), one)).toBe("other");
  });

  test("a consumer throws `history differs` for another event of its last number, of the missing ones, and ahead of the journal [D9.cursor]", async () => {
    const one = await client();
    const other = (event: AccountEvent | undefined): string =>
      bodyOf(event, null).replaceAll(event?.cursor ?? "", `${event?.sequence}-${"0".repeat(32)}`);
    const last = receiver();
    await last.consumer.receive(bodyOf(events[2], null), one);
    await expect(last.consumer.receive(other(events[2]), one)).rejects.toMatchObject(DIFFERS);
    await expect(last.consumer.receive(other(events[5]), one)).rejects.toMatchObject(DIFFERS);
    // The events before the wrong one agree with the service's events, and were handled.
    expect(last.handled).toEqual(events.slice(2, 5));

    // The consumer's cursor is at event 5. The webhook does not send this event: it sent event 4 before event 6.
    const past = receiver({ load: () => `5-${"0".repeat(32)}` });
    await expect(past.consumer.receive(bodyOf(events[5], 4), one)).rejects.toMatchObject(DIFFERS);
    const ahead = bodyOf(events[5], 998).replace('"sequence":6', '"sequence":999');
    await expect(last.consumer.receive(ahead, one)).rejects.toMatchObject(DIFFERS);
    expect(past.handled).toEqual([]);
  });

  test("a consumer handles an event once when a second attempt comes before the first has ended", async () => {
    const goOn = Promise.withResolvers<void>();
    const handled: number[] = [];
    const { consumer } = receiver({
      handle: async ({ sequence }) => {
        await goOn.promise;
        handled.push(sequence);
      },
    });
    const [one, body] = [await client(), bodyOf(events[0], null)];
    const attempts = [consumer.receive(body, one), consumer.receive(body, one)];
    goOn.resolve();
    expect([await Promise.all(attempts), handled]).toEqual([["handled", "repeat"], [1]]);
  });

  test("a consumer whose `handle` throws handles the event again at the next attempt", async () => {
    let isBroken = true;
    const { consumer, stored } = receiver({
      handle: () => {
        if (isBroken) throw new Error("no room");
      },
    });
    const [one, body] = [await client(), bodyOf(events[0], null)];
    await expect(consumer.receive(body, one)).rejects.toThrow("no room");
    isBroken = false;
    expect(await consumer.receive(body, one)).toBe("handled");
    expect(stored()).toBe(events[0]?.cursor);
  });
});

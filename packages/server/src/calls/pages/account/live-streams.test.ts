import type { IncomingMessage } from "node:http";
import type { AccountStateView } from "@propgate/contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../../../test/eventually.ts";
import {
  openPagedService,
  type PagedService,
  type TestPerson,
} from "../../../testing/page-client.ts";

const LONG = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 1 };
const SECOND = 1_000;

/** Reads a stream block by block: its events, and the text between them. */
function reader(response: IncomingMessage) {
  const bytes = response.setEncoding("utf8")[Symbol.asyncIterator]();
  let text = "";
  return {
    /** The next block of lines; null at the end of the stream. */
    async next(): Promise<string | null> {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end >= 0) {
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          return block;
        }
        const { done, value } = await bytes.next();
        if (done === true) return null;
        text += value;
      }
    },
    leave: () => void response.destroy(),
  };
}

type Reader = ReturnType<typeof reader>;

/** The next block that is not a heartbeat; null at the end of the stream. */
async function beyondBeats(stream: Reader): Promise<string | null> {
  for (;;) {
    const block = await stream.next();
    if (block?.startsWith("event: beat") !== true) return block;
  }
}

function stateOf(block: string | null): AccountStateView {
  const data = /^data: (.*)$/m.exec(block ?? "")?.[1];
  if (data === undefined) throw new Error(`no state: ${block}`);
  return JSON.parse(data);
}

describe("a stream of an account's state", () => {
  let service: PagedService;

  const start = async (given: Parameters<typeof openPagedService>[0] = {}): Promise<void> => {
    const opened = await openPagedService(given);
    onTestFinished(() => opened.close());
    service = opened;
  };
  const open = async (
    given: { readonly as?: TestPerson; readonly session?: string } = {},
  ): Promise<Reader> => {
    const response = await service.stream(`/accounts/${service.accountId}/live`, given);
    expect(response.statusCode).toBe(200);
    expect(response.headers["content-type"]).toBe("text/event-stream");
    expect(response.headers["cache-control"]).toBe("no-store");
    expect(response.headers["x-accel-buffering"]).toBe("no");
    return reader(response);
  };
  /** Lets the loop do one complete check. The check queries the database before later callers do. */
  const look = async (): Promise<void> => {
    await service.time.pass(SECOND);
    await service.page("GET", "/accounts");
  };
  const started = async (given: Parameters<typeof open>[0] = {}) => {
    const stream = await open(given);
    expect(await stream.next()).toBe("retry: 2000");
    return { stream, first: await stream.next() };
  };

  test("a stream of an account's state begins with the state of now, and tells of a quote, a fill and nothing else", async () => {
    await start();
    await service.quote("BTCUSD", 50_000, 50_000);
    await service.order(LONG);
    const { stream, first } = await started();
    const state = await service.data<AccountStateView>(`/accounts/${service.accountId}/state`);
    expect(first).toContain(`id: ${state.version}-${service.time.clock.now()}\nevent: state\n`);
    expect(stateOf(first)).toEqual(state);

    // No figure changes before the first two checks. Before the third one the price does.
    await look();
    await look();
    await service.quote("BTCUSD", 50_500, 50_500);
    await look();
    const moved = stateOf(await beyondBeats(stream));
    expect(moved).toEqual(await service.data(`/accounts/${service.accountId}/state`));
    expect(moved.account?.account.openPnL).toBe(500);
    expect(moved.version).toBe(state.version);

    await service.order({ execution_type: "FLAT_ALL" });
    await look();
    const flat = stateOf(await beyondBeats(stream));
    expect([flat.positions, flat.trades, flat.version]).toEqual([[], 1, state.version + 2]);
    stream.leave();
  });

  test("a stream of an account's state sends a beat every 3 seconds", async () => {
    await start();
    const { stream } = await started();
    const beat = stream.next();
    for (let count = 0; count < 3; count += 1) {
      await look();
    }
    expect(await beat).toBe("event: beat\ndata: here");
    stream.leave();
  });

  test("a stream of an account's state ends with its session, and not with another's", async () => {
    const over = new Set<string>();
    await start({
      signedIn: {
        sessions: {
          filterAlive: async (ids) => new Set(ids.filter((id) => !over.has(id))),
          onEnded: () => undefined,
        },
      },
    });
    const { stream: one } = await started({ session: "one" });
    const { stream: other } = await started({ session: "other" });
    over.add("one");
    const end = beyondBeats(one);
    await look();
    await look();
    expect(await end).toBeNull();
    await service.quote("BTCUSD", 50_000, 50_000);
    await service.order(LONG);
    await look();
    expect(stateOf(await beyondBeats(other)).positions).toHaveLength(1);
    other.leave();
  });

  test("a person has at most eight streams, and a stream leaves room when its reader goes away", async () => {
    await start();
    const streams = [];
    for (let count = 0; count < 8; count += 1) streams.push((await started()).stream);
    const ninth = () => service.page("GET", `/accounts/${service.accountId}/live`);
    expect(await ninth()).toMatchObject({
      status: 429,
      error: "You have 8 live streams open, which is the maximum; close a page first",
    });
    // Another person has a separate maximum.
    (await started({ as: "operator" })).stream.leave();
    for (const stream of streams) stream.leave();
    await eventually(async () => {
      const response = await service.stream(`/accounts/${service.accountId}/live`);
      response.destroy();
      expect(response.statusCode).toBe(200);
    });
  });

  test("a person has at most eight streams also when sixty are requested concurrently", async () => {
    await start();
    const path = `/accounts/${service.accountId}/live`;
    const responses = await Promise.all(Array.from({ length: 60 }, () => service.stream(path)));
    const opened = responses.filter(({ statusCode }) => statusCode === 200);
    expect(opened).toHaveLength(8);
    expect(responses.filter(({ statusCode }) => statusCode === 429)).toHaveLength(52);
    for (const stream of responses) stream.destroy();
  });

  test("a stream of an account's state ends when the service stops, and holds it up for no moment", async () => {
    service = await openPagedService();
    const { stream } = await started();
    const end = stream.next().catch(() => null);
    await service.close();
    expect(await end).toBeNull();
    expect(service.logged.join("")).not.toContain("file cut off");
  });
});

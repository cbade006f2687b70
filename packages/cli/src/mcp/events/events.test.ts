import { once } from "node:events";
import { PassThrough } from "node:stream";
import { EVENT_TYPES, type JsonSchema } from "@propgate/contract";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import { schemaProblemOf } from "../../../../contract/src/conforms.ts";
import { runCommandLine } from "../../program.ts";
import {
  type AccountSandbox,
  type SandboxAccount,
  startAccountSandbox,
} from "../../testing/account-sandbox.ts";
import { connectEventAgent, type EventAgent } from "../../testing/event-agent.ts";
import { keyVariables } from "../../testing/mcp-agent.ts";
import { createPersonTerminal } from "../../testing/person-terminal.ts";
import { runCli } from "../../testing/run-cli.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Listed {
  readonly name: string;
  readonly payloadSchema: JsonSchema;
  readonly inputSchema: { readonly properties: Fields };
}

let sandbox: AccountSandbox;

beforeAll(async () => {
  sandbox = await startAccountSandbox();
  await sandbox.control("/quotes", [
    { pair: "BTCUSD", bid: 50_000, ask: 50_010 },
    { pair: "ETHUSD", bid: 3000, ask: 3001 },
  ]);
  return () => sandbox.stop();
});

/** Fills a MARKET order, which adds one event to the journal. */
async function buy(key: SandboxAccount, pair = "BTCUSD"): Promise<void> {
  const price = { BTCUSD: 50_000, ETHUSD: 3000 }[pair] ?? 1;
  await sandbox.control("/quotes", [{ pair, bid: price, ask: price + 1 }]);
  const given = ["order", "market", pair, "long", "--quantity", "0.01", "--yes"];
  const { code, stdout, stderr } = await runCli(given, { env: keyVariables(key) });
  expect([code, stdout, stderr]).toEqual([0, expect.anything(), expect.anything()]);
}

async function openAgent(): Promise<{ key: SandboxAccount; agent: EventAgent; begin: Fields }> {
  const key = await sandbox.open();
  const agent = await connectEventAgent(key);
  const begin = await agent.request("events/poll", { name: "order.filled", cursor: null });
  return { key, agent, begin };
}

const namesOf = (notices: readonly Fields[]) => notices.map(({ name }) => name);

describe("events/list and events/poll", () => {
  test.each(["auto", "legacy"] as const)(
    "the server lists one type of event for each of ours (%s)",
    async (mode) => {
      const agent = await connectEventAgent(await sandbox.open(), {}, mode);
      const { events } = await agent.request("events/list");
      const listed = events as readonly Listed[];
      expect(namesOf(listed as never)).toEqual(EVENT_TYPES);
      expect(listed[0]).toMatchObject({ delivery: ["poll", "push", "webhook"] });
      const paired = listed.filter(({ inputSchema }) => "tradePair" in inputSchema.properties);
      expect(namesOf(paired as never)).toContain("order.filled");
      expect(namesOf(paired as never)).not.toContain("day.ended");
      expect(await agent.failure("events/list", { cursor: "2" })).toMatchObject({ code: -32_602 });
    },
  );

  test("the capability is announced in both versions of the protocol", async () => {
    const key = await sandbox.open();
    for (const method of ["initialize", "server/discover"]) {
      const line = await firstAnswer(key, method);
      expect(JSON.parse(line)).toMatchObject({
        result: { capabilities: { events: { listChanged: false } } },
      });
    }
  });

  test("a poll without a cursor begins now, and the next one brings what happened", async () => {
    const { key, agent, begin } = await openAgent();
    expect(begin).toMatchObject({ events: [], truncated: false, hasMore: false });
    expect(begin.nextPollMs).toBeGreaterThan(0);
    await buy(key);
    const name = "order.filled";
    const polled = await agent.request("events/poll", { name, cursor: begin.cursor });
    expect(polled).toMatchObject({
      events: [
        {
          eventId: expect.stringMatching(/^evt_[0-9a-f]{32}_\d+$/),
          name,
          timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
          data: { tradePair: "BTCUSD", direction: "LONG" },
        },
      ],
      hasMore: false,
    });
    const again = await agent.request("events/poll", { name, cursor: polled.cursor });
    expect(again).toMatchObject({ events: [], cursor: polled.cursor });
  });

  test("every event fits the payload schema of its type, and a page says when there is more", async () => {
    const { key, agent } = await openAgent();
    await buy(key);
    const { events: list } = await agent.request("events/list");
    const schemas = new Map((list as readonly Listed[]).map((one) => [one.name, one]));
    const params = {
      name: "account.opened",
      arguments: { types: EVENT_TYPES },
      maxEvents: 1,
    };
    const seen: string[] = [];
    for (let cursor: unknown = "0", more = true; more; ) {
      const page = await agent.request("events/poll", { ...params, cursor });
      for (const { name, data } of page.events as readonly { name: string; data: unknown }[]) {
        seen.push(name);
        expect(schemaProblemOf(schemas.get(name)?.payloadSchema ?? {}, data, name)).toBeNull();
      }
      cursor = page.cursor;
      more = page.hasMore === true;
    }
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).toContain("order.filled");
  });

  test("arguments widen a subscription by types and narrow it to a pair", async () => {
    const { key, agent, begin } = await openAgent();
    await buy(key, "ETHUSD");
    await buy(key, "BTCUSD");
    const poll = async (given: Fields) => {
      const { cursor } = begin;
      const page = await agent.request("events/poll", { name: "order.resting", cursor, ...given });
      return (page.events as readonly { data: Fields }[]).map(({ data }) => data.tradePair);
    };
    const types = ["order.filled"];
    expect(await poll({})).toEqual([]);
    expect(await poll({ arguments: { types } })).toEqual(["ETHUSD", "BTCUSD"]);
    expect(await poll({ arguments: { types, tradePair: "btc/usd" } })).toEqual(["BTCUSD"]);
  });

  test("maxAgeMs leaves older events out and says so", async () => {
    const { key, agent, begin } = await openAgent();
    await buy(key);
    const name = "order.filled";
    const old = { name, cursor: begin.cursor, maxAgeMs: 0 };
    await eventually(async () => {
      expect(await agent.request("events/poll", old)).toMatchObject({
        events: [],
        truncated: true,
      });
    });
    const young = await agent.request("events/poll", { ...old, maxAgeMs: 3_600_000 });
    expect(young).toMatchObject({ events: [{ name }], truncated: false });
  });
});

describe("bad input of events/poll, events/stream and events/subscribe", () => {
  const name = "order.filled";
  const delivery = { mode: "webhook", url: "https://example.com/", secret: "whsec_x" };

  test.each([
    [{}, -32_602, "'name'"],
    [{ name: "order.fooled" }, -32_011, "'name' is \"order.fooled\""],
    [{ name, arguments: [] }, -32_602, "'arguments' must be an object"],
    [{ name, arguments: { pair: "BTCUSD" } }, -32_602, "'pair'"],
    [{ name, arguments: { types: "order.filled" } }, -32_602, "'arguments.types' must be a list"],
    [{ name, arguments: { types: ["x"] } }, -32_602, "'arguments.types' names \"x\""],
    [{ name, arguments: { tradePair: 5 } }, -32_602, "'arguments.tradePair' must be"],
    [{ name, arguments: { tradePair: "BTCUSDX" } }, -32_602, "'arguments.tradePair' is BTCUSDX"],
    [{ name: "day.ended", arguments: { tradePair: "BTCUSD" } }, -32_602, "for day.ended"],
    [{ name, cursor: 5 }, -32_602, "'cursor'"],
    [{ name, cursor: "noon" }, -32_602, "'cursor' must be a cursor"],
    [{ name, cursor: "1-00000000000000000000000000000000" }, -32_602, "'cursor': history differs"],
    [{ name, cursor: "9999" }, -32_602, "'cursor' is ahead of the journal"],
    [{ name, cursor: "0", maxAgeMs: -1 }, -32_602, "'maxAgeMs'"],
  ])("%j is refused by name", async (params, code, words) => {
    const agent = await connectEventAgent(await sandbox.open());
    for (const method of ["events/poll", "events/stream"]) {
      const failure = await agent.failure(method, params);
      expect([failure.code, failure.message]).toEqual([code, expect.stringContaining(words)]);
      expect(failure.data.reason).toContain(words);
    }
  });

  test("a cursor of another account is another past", async () => {
    const other = await openAgent();
    await buy(other.key);
    const after = await other.agent.request("events/poll", { name, cursor: other.begin.cursor });
    const { key, agent } = await openAgent();
    await buy(key);
    const failure = await agent.failure("events/poll", { name, cursor: after.cursor });
    expect(failure).toMatchObject({ code: -32_602, data: { code: "invalidEvents" } });
  });

  test.each([
    [{ maxEvents: 0 }, "events/poll", "'maxEvents'"],
    [{}, "events/unsubscribe", "'delivery.url'"],
  ])("%j of %s is refused by name", async (params, method, words) => {
    const agent = await connectEventAgent(await sandbox.open());
    const { message } = await agent.failure(method, { name, ...params });
    expect(message).toContain(words);
  });

  test("unsubscribing from what is not there is an error", async () => {
    const agent = await connectEventAgent(await sandbox.open());
    expect(await agent.failure("events/unsubscribe", { name, delivery })).toMatchObject({
      code: -32_011,
      data: { kind: "subscription" },
    });
  });

  test("a key that may not read is told the scope that it lacks", async () => {
    const agent = await connectEventAgent(await sandbox.open(["trade:place"]));
    expect(await agent.failure("events/poll", { name })).toMatchObject({
      code: -32_012,
      data: { requiredScope: "trade:read" },
    });
  });

  test("a service that cannot be reached is an error of a poll", async () => {
    const nowhere = { baseUrl: "http://127.0.0.1:1", keyId: "pk_x", secret: "sk_x" };
    const agent = await connectEventAgent(nowhere);
    expect(await agent.failure("events/poll", { name })).toMatchObject({
      code: -32_603,
      data: { status: null, code: "unreachable" },
    });
  });
});

describe("events/stream", () => {
  test("more streams than a key may have are served over one of the service", async () => {
    const { key, agent } = await openAgent();
    const streams = await Promise.all(
      ["order.filled", "position.closed", "order.resting", "day.ended"].map((name) =>
        agent.stream({ name, arguments: { types: ["order.filled"] }, cursor: null }),
      ),
    );
    await buy(key);
    for (const stream of streams) {
      await eventually(() => expect(namesOf(stream.notices("event"))).toEqual(["order.filled"]));
      const [event] = stream.notices("event");
      expect(event?.cursor).toMatch(/^\d+-[0-9a-f]{32}$/);
    }
  });

  test("a stream begins after its cursor, beats with a cursor, and ends when it is cancelled", async () => {
    const { key, agent, begin } = await openAgent();
    await buy(key);
    const stream = await agent.stream({ name: "order.filled", cursor: begin.cursor });
    expect(stream.notices("active")).toEqual([{ cursor: begin.cursor, truncated: false }]);
    await eventually(() => {
      expect(stream.notices("event")).toHaveLength(1);
      expect(stream.notices("heartbeat").length).toBeGreaterThan(0);
    });
    const [{ cursor } = {}] = stream.notices("event");
    const last = stream.notices("heartbeat").at(-1)?.cursor;
    expect(last).toBe(cursor);
    stream.cancel();
    await expect(stream.ended).rejects.toThrow();
    await buy(key);
    const next = await agent.stream({ name: "order.filled", cursor });
    await eventually(() => expect(next.notices("event")).toHaveLength(1));
    expect(stream.notices("event")).toHaveLength(1);
  });

  test("a stream whose key is revoked says why it ends", async () => {
    const { key, agent } = await openAgent();
    const stream = await agent.stream({ name: "order.filled" });
    await sandbox.revoke(key.keyId);
    expect(await stream.ended).toMatchObject({});
    expect(stream.notices("terminated")).toMatchObject([
      { error: { code: -32_012, message: expect.stringContaining("Forbidden"), data: {} } },
    ]);
  });

  test("a stream says that the account was closed, after the event of it", async () => {
    const { key, agent } = await openAgent();
    const stream = await agent.stream({ name: "account.closed" });
    // A closed account cannot be read, so the stream has to be open before the account is closed.
    await eventually(() => expect(stream.notices("heartbeat").length).toBeGreaterThan(0));
    await sandbox.control(`/accounts/${key.accountId}/actions`, { action: "close" });
    expect(await stream.ended).toMatchObject({});
    expect(namesOf(stream.notices("event"))).toEqual(["account.closed"]);
    expect(stream.notices("terminated")).toMatchObject([{ error: { code: -32_012 } }]);
  });

  test("a client that never reads keeps one notification waiting, and then misses nothing", async () => {
    const key = await sandbox.open();
    const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark: 1 })];
    const streams = { input, output };
    const ended = runCommandLine(["mcp"], {
      ...createPersonTerminal({ env: keyVariables(key) }).terminal,
      streams,
    });
    onTestFinished(async () => {
      output.resume();
      input.end();
      await ended;
    });
    input.write(line(1, "initialize", INITIALIZE));
    await once(output, "readable");
    output.read();
    const types = { types: ["order.filled"] };
    for (const id of [2, 3, 4]) {
      input.write(line(id, "events/stream", { name: "account.opened", arguments: types }));
    }
    await eventually(() => expect(output.readableLength).toBeGreaterThan(0));
    await buy(key);
    await buy(key);
    expect(String(output.read()).split("\n").filter(Boolean)).toHaveLength(1);
    let text = "";
    output.on("data", (bytes) => {
      text += bytes;
    });
    await eventually(() => expect(text.match(/notifications\/events\/event"/g)).toHaveLength(6));
    expect(output.listenerCount("drain")).toBeLessThan(3);
  });
});

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "agent", version: "1.0.0" },
};

function line(id: number, method: string, params: Fields): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
}

/** The first line of the command's output, unparsed. */
async function firstAnswer(key: SandboxAccount, method: string): Promise<string> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const streams = { input, output };
  const ended = runCommandLine(["mcp"], {
    ...createPersonTerminal({ env: keyVariables(key) }).terminal,
    streams,
  });
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": INITIALIZE.clientInfo,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  input.write(line(1, method, method === "initialize" ? INITIALIZE : { _meta }));
  const [bytes] = (await once(output, "data")) as [Buffer];
  input.end();
  await ended;
  return bytes.toString("utf8");
}

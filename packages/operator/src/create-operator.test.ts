import { once } from "node:events";
import { createServer } from "node:http";
import {
  BULK_BYTES_MAX,
  IDEMPOTENCY_HEADER,
  isOperatorCall,
  OPERATOR_CALLS,
  OPERATOR_PREFIX,
} from "@propgate/contract";
import { InvalidSettingError, UnexpectedAnswerError, UnreachableError } from "@propgate/sdk";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { listenerPort } from "../../base/src/listener-port.ts";
import { type Harness, OPERATOR_TOKEN, openHarness } from "../../server/src/testing/harness.ts";
import { createOperator, type Operator } from "./create-operator.ts";
import { OperatorError } from "./operator-error.ts";
import type { OperatorSettings } from "./operator-settings.ts";

let service: Harness;
let baseUrl = "";

beforeAll(async () => {
  service = await openHarness({ accountsPerOwner: null });
  baseUrl = `http://127.0.0.1:${service.port}`;
  return () => service.close();
});

const client = (settings: Partial<OperatorSettings> = {}): Operator =>
  createOperator({
    baseUrl,
    token: OPERATOR_TOKEN,
    retry: { firstWaitMs: 0, wait: () => Promise.resolve() },
    ...settings,
  });

/**
 * A `fetch` that records requests and answers with `replies` in turn. `pass` sends the request to the service, and
 * `lost` fails.
 */
function wire(...replies: readonly ("pass" | "lost" | Response)[]) {
  const sent: { readonly method: string; readonly path: string; readonly key: string | null }[] =
    [];
  const fetchThrough: typeof fetch = async (url, init) => {
    const { pathname, search } = new URL(url instanceof Request ? url.url : url);
    const key = new Headers(init?.headers).get(IDEMPOTENCY_HEADER);
    sent.push({ method: init?.method ?? "GET", path: `${pathname}${search}`, key });
    const reply = replies[sent.length - 1] ?? "pass";
    if (reply instanceof Response) return reply;
    const answer = await fetch(url, init);
    if (reply === "pass") return answer;
    await answer.text();
    throw new TypeError("the connection was cut");
  };
  return { sent, fetch: fetchThrough };
}

const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ success: false, error: `${code}.`, code }, { status, headers });

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "no error",
    (error: unknown) => error,
  );
}

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const UNKNOWN = "00000000-0000-4000-8000-000000000000";

describe("the methods of the operator's client", () => {
  test.each(
    Object.entries(OPERATOR_CALLS).map(([name, { method, path }]) => [name, method, path] as const),
  )("%s sends %s %s, which the service knows", async (name, method, path) => {
    const { sent, fetch } = wire();
    const [first = "", verb = ""] = name.split(".");
    const operator = new Map<string, unknown>(Object.entries(client({ fetch })));
    const group = operator.get(first);
    const call: unknown = verb === "" ? group : Reflect.get(Object(group), verb);
    expect(call).toBeInstanceOf(Function);
    const ids = path.split("/").filter((word) => word.startsWith(":"));
    const given = name.endsWith(".bulk") ? { csv: "" } : {};
    const answer = Reflect.apply(Object(call), null, [...ids.map(() => UNKNOWN), given]);
    const error = await errorOf(answer as Promise<unknown>);
    expect(isOperatorCall(name)).toBe(true);
    expect(sent).toMatchObject([
      { method, path: `${OPERATOR_PREFIX}${path.replace(/:\w+/g, UNKNOWN)}` },
    ]);
    if (error !== "no error") {
      expect(error).toBeInstanceOf(OperatorError);
      expect([(error as OperatorError).code, (error as OperatorError).message]).not.toEqual([
        "not_found",
        "404 Not found",
      ]);
    }
  });

  test("an answer is the data of the call, and a refusal an error with its parts", async () => {
    const operator = client();
    const { accountId } = await operator.accounts.open({ size: 50_000, externalId: "shop-1" });
    const { account } = await operator.accounts.get(accountId);
    expect([account.size, account.externalId]).toEqual([50_000, "shop-1"]);
    const error = await errorOf(operator.accounts.open({ size: 50_000, externalId: "shop-1" }));
    expect(error).toBeInstanceOf(OperatorError);
    expect(error).toMatchObject({
      status: 409,
      code: "external_id_taken",
      field: "externalId",
      details: { accountId },
    });
  });

  test("a document is sent as it was given, and the service says what is wrong with it", async () => {
    const error = await errorOf(client().catalogue.validate([]));
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining("not []") });
  });

  test("a code of a newer service is kept", async () => {
    const { fetch } = wire(refusal(409, "from_the_future"));
    expect(await errorOf(client({ fetch }).health())).toMatchObject({
      status: 409,
      code: "from_the_future",
    });
  });

  test.each(["", ".", ".."])("an id %j that would make another path is not sent", async (id) => {
    const { sent, fetch } = wire();
    expect(await errorOf(client({ fetch }).accounts.payouts(id))).toBeInstanceOf(
      InvalidSettingError,
    );
    expect(sent).toEqual([]);
  });

  test.each([
    ["baseUrl", { baseUrl: "http://127.0.0.1:1/operator/v1" }],
    ["token", { token: "two words" }],
    ["timeoutMs", { timeoutMs: 0 }],
  ])("createOperator throws for an invalid %s", (setting, settings) => {
    expect(() => client(settings)).toThrow(expect.objectContaining({ setting }));
  });
});

describe("a write whose answer was lost [D12.repeatedWrites]", () => {
  test.each([
    ["no answer", "lost"],
    ["502 of a proxy", new Response("bad gateway", { status: 502 })],
    ["504 of a proxy", new Response("", { status: 504 })],
    ["503", refusal(503, "unknown_fate")],
    ["429", refusal(429, "too_many", { "Retry-After": "1" })],
    ["409 in progress", refusal(409, "idempotency_in_progress", { "Retry-After": "1" })],
  ] as const)(
    "a write is repeated with its key after %s, and carried out once",
    async (title, reply) => {
      const { sent, fetch } = wire(reply);
      const ownerId = `owner-${title.replace(/\W/g, "-")}`;
      const { accountId } = await client({ fetch }).accounts.open({ size: 50_000, ownerId });
      expect(sent).toHaveLength(2);
      expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
      expect(sent[0]?.key).toMatch(/^[0-9a-f]{32}$/);
      const owned = await client().accounts.list({ ownerId });
      expect(owned.items.map((account) => account.accountId)).toEqual([accountId]);
    },
  );

  test("each write has a key of its own, unless the caller gives one; a read has none", async () => {
    const { sent, fetch } = wire();
    const operator = client({ fetch });
    const given = { idempotencyKey: "order-7712" };
    const first = await operator.accounts.open({ size: 50_000 }, given);
    expect(await operator.accounts.open({ size: 50_000 }, given)).toEqual(first);
    await operator.accounts.open({ size: 50_000 });
    await operator.accounts.open({ size: 50_000 });
    await operator.accounts.get(first.accountId);
    const keys = sent.map(({ key }) => key);
    expect([keys[0], keys[1], keys[4]]).toEqual(["order-7712", "order-7712", null]);
    expect(new Set(keys).size).toBe(4);
  });

  test("a write under way is waited for as the service says, beyond the attempts of a failure", async () => {
    const underWay = () => refusal(409, "idempotency_in_progress", { "Retry-After": "1" });
    const { sent, fetch } = wire(...Array.from({ length: 20 }, underWay));
    const waits: number[] = [];
    const retry = { wait: async (ms: number) => void waits.push(ms) };
    await client({ fetch, retry }).accounts.open({ size: 50_000 });
    expect(sent).toHaveLength(21);
    expect(waits).toEqual(Array.from({ length: 20 }, () => 1_000));
  });

  test("a call is refused when the attempts are over, and when the wait would be longer than the plan's", async () => {
    const three = wire(...Array.from({ length: 9 }, () => refusal(503, "unavailable")));
    expect(await errorOf(client(three).health())).toMatchObject({ code: "unavailable" });
    expect(three.sent).toHaveLength(3);
    const long = wire(refusal(429, "too_many", { "Retry-After": "60" }));
    expect(await errorOf(client(long).health())).toMatchObject({
      code: "too_many",
      refusal: { retryAfterMs: 60_000 },
    });
    expect(long.sent).toHaveLength(1);
  });

  test("another refusal, and an answer of another server, are not repeated", async () => {
    const conflict = wire(refusal(409, "conflict"));
    expect(await errorOf(client(conflict).health())).toBeInstanceOf(OperatorError);
    const other = wire(new Response("hello", { status: 200 }));
    expect(await errorOf(client(other).health())).toBeInstanceOf(UnexpectedAnswerError);
    expect([conflict.sent.length, other.sent.length]).toEqual([1, 1]);
  });

  test("an aborted call ends with AbortedError", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    expect(await errorOf(client().health({}, { signal }))).toMatchObject({ code: "aborted" });
  });
});

describe("pages [D12.lists]", () => {
  test("a page is an iterator over all items, with the filters, the sort and the fields of its query", async () => {
    const operator = client();
    const ownerId = "owner-pages";
    for (const size of [25_000, 50_000, 75_000, 100_000, 125_000]) {
      await operator.accounts.open({ size, ownerId });
    }
    const query = { ownerId, sizeMin: 50_000, sort: "-size", limit: 2, fields: ["size"] } as const;
    const page = await operator.accounts.list(query);
    expect([page.items, page.total]).toEqual([[{ size: 125_000 }, { size: 100_000 }], 4]);
    const sizes = (await all(page)).map(({ size }) => size);
    expect(sizes).toEqual([125_000, 100_000, 75_000, 50_000]);
  });

  test("words may be several, and a field may be asked to be known or not known", async () => {
    const operator = client();
    const known = { status: ["active", "provisioning"], endedAtMs: null } as const;
    const { total } = await operator.accounts.list({ ...known, limit: 1 });
    expect(total).toBeGreaterThan(0);
    expect((await operator.accounts.list({ ...known, endedAtMs: "set" })).total).toBe(0);
  });

  test("the iterator over events ends at the newest event", async () => {
    const operator = client();
    const { accountId } = await operator.accounts.open({ size: 50_000 });
    await operator.accounts.close(accountId);
    const page = await operator.events.list({ after: 0, limit: 2, accountId });
    const types = (await all(page)).map(({ type }) => type);
    expect([types[0], types.at(-1)]).toEqual(["account.opened", "account.closed"]);
  });

  test("trades are a page too", async () => {
    const { accountId } = await client().accounts.open({ size: 50_000 });
    const page = await client().accounts.trades(accountId);
    expect([page.items, page.next]).toEqual([[], null]);
  });
});

describe("files", () => {
  test("a list with a format is a file of one moment", async () => {
    const operator = client();
    const ownerId = "owner-file";
    await operator.accounts.open({ size: 50_000, ownerId });
    const file = await operator.accounts.list({
      ownerId,
      fields: ["ownerId", "size"],
      format: "csv",
    });
    expect(file.contentType).toBe("text/csv; charset=utf-8");
    expect(file.asOfMs).toBe(service.time.clock.now());
    expect(await file.text()).toBe("ownerId,size\r\nowner-file,50000\r\n");
  });

  test("a file of events says where the next one begins", async () => {
    const file = await client().events.list({ after: 0, format: "ndjson" });
    expect(file.next).toMatch(/./);
    expect((await file.text()).split("\n").length).toBeGreaterThan(1);
  });

  test("a file that is refused is the refusal", async () => {
    const { accountId } = await client().accounts.open({ size: 50_000 });
    expect(await errorOf(client().accounts.evidence(accountId))).toMatchObject({
      code: "not_ended",
    });
  });

  test("a file that is cut is never taken for the whole", async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "Content-Type": "text/csv; charset=utf-8" });
      response.write("size\r\n", () => response.destroy());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const cut = client({ baseUrl: `http://127.0.0.1:${listenerPort(server.address())}` });
    const file = await cut.accounts.list({ format: "csv" });
    expect(await errorOf(file.text())).toBeInstanceOf(UnreachableError);
  });
});

describe("a bulk [D12.bulk]", () => {
  test("a file above the maximum is not sent, because its refusal would be lost [D12.bulkFile]", async () => {
    const { fetch: through, sent } = wire();
    const operator = client({ fetch: through });
    for (const csv of ["é".repeat(BULK_BYTES_MAX / 2 + 1), new Uint8Array(BULK_BYTES_MAX + 1)]) {
      const bulk = operator.accounts.bulk({ csv });
      await expect(bulk).rejects.toBeInstanceOf(InvalidSettingError);
    }
    expect(sent).toEqual([]);
  });

  test("each row has its result, and rows may be objects or a file", async () => {
    const operator = client();
    const rows = [
      { size: 50_000, externalId: "bulk-1" },
      { size: 7, externalId: "bulk-2" },
    ];
    const lines = await all(await operator.accounts.bulk({ rows }));
    expect(lines).toMatchObject([
      { row: 1, status: 200, data: { newOwner: true } },
      { row: 2, status: 400, code: "invalid", field: "size" },
    ]);
    const csv = "size,externalId\r\n50000,bulk-3\r\n";
    const checked = await operator.accounts.bulk({ csv }, { dryRun: true });
    expect(await all(checked)).toEqual([{ row: 1, status: 200, data: null }]);
    expect((await operator.accounts.list({ externalId: "bulk-3" })).total).toBe(0);
  });

  test("a file that is wrong as a whole is refused before its first row", async () => {
    const bulk = client().accounts.bulk({ csv: "sise\r\n1\r\n" });
    expect(await errorOf(bulk)).toMatchObject({ status: 400, field: "sise" });
  });

  /**
   * Makes a `fetch` that sends each bulk to the service. In the nth answer it replaces the line of row 2 by `ends[n]`.
   */
  function secondRow(...ends: readonly object[]) {
    const keys: (string | null)[] = [];
    const fetchThrough: typeof fetch = async (url, init) => {
      keys.push(new Headers(init?.headers).get(IDEMPOTENCY_HEADER));
      const answer = await fetch(url, init);
      const lines = (await answer.text()).split("\n");
      const end = ends[keys.length - 1];
      if (end !== undefined) lines[1] = JSON.stringify(end);
      return new Response(lines.join("\n"), { headers: answer.headers });
    };
    return { keys, fetch: fetchThrough };
  }
  const ROWS = [50_000, 75_000, 100_000].map((size) => ({ size }));
  const UNKNOWN_FATE = { row: 2, status: 503, code: "unknown_fate", error: "not known" };

  test("a row of unknown fate is settled with the same key, and each row comes once [D12.repeatedWrites]", async () => {
    const { keys, fetch } = secondRow(UNKNOWN_FATE);
    const rows = ROWS.map((row) => ({ ...row, ownerId: "owner-fate" }));
    const lines = await all(await client({ fetch }).accounts.bulk({ rows }));
    expect(lines.map(({ row, status }) => [row, status])).toEqual([
      [1, 200],
      [2, 200],
      [3, 200],
    ]);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect((await client().accounts.list({ ownerId: "owner-fate" })).total).toBe(3);
  });

  test("a row that stays of unknown fate is the result of that row, and the other rows come", async () => {
    const { keys, fetch } = secondRow(...Array.from({ length: 9 }, () => UNKNOWN_FATE));
    const lines = await all(await client({ fetch }).accounts.bulk({ rows: ROWS }));
    expect(lines.map(({ status }) => status)).toEqual([200, 503, 200]);
    expect(keys).toHaveLength(3);
  });

  test("a row under way is waited for beyond the attempts of a failure, as a single write is", async () => {
    const underWay = { row: 2, status: 409, code: "idempotency_in_progress", error: "under way" };
    const { keys, fetch } = secondRow(...Array.from({ length: 20 }, () => underWay));
    const waits: number[] = [];
    const retry = { wait: async (ms: number) => void waits.push(ms) };
    const lines = await all(await client({ fetch, retry }).accounts.bulk({ rows: ROWS }));
    expect(lines.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(keys).toHaveLength(21);
    expect(waits).toEqual(Array.from({ length: 20 }, () => 1_000));
  });

  test("after a lost connection the rest of the rows comes, and each row once", async () => {
    const operator = client();
    const keys: (string | null)[] = [];
    const cutOnce: typeof fetch = async (url, init) => {
      keys.push(new Headers(init?.headers).get(IDEMPOTENCY_HEADER));
      const answer = await fetch(url, init);
      if (keys.length > 1) return answer;
      const text = await answer.text();
      const first = new TextEncoder().encode(text.slice(0, text.indexOf("\n") + 9));
      const parts = [first];
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          const part = parts.shift();
          if (part === undefined) controller.error(new TypeError("cut"));
          else controller.enqueue(part);
        },
      });
      return new Response(body, { headers: answer.headers });
    };
    const ownerId = "owner-cut";
    const rows = [50_000, 75_000, 100_000].map((size) => ({ size, ownerId }));
    const lines = await all(await client({ fetch: cutOnce }).accounts.bulk({ rows }));
    expect(lines.map(({ row, status }) => [row, status])).toEqual([
      [1, 200],
      [2, 200],
      [3, 200],
    ]);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(2);
    expect((await operator.accounts.list({ ownerId })).total).toBe(3);
  });
});

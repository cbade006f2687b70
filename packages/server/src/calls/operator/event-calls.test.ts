import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OPERATOR_PREFIX, type OperatorEvents } from "@propgate/contract";
import { type AccountId, accountId, ownerId, unixMs } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import { until } from "../../../../../test/eventually.ts";
import { parseMasterKeys } from "../../../../base/src/keys/master-key.ts";
import { createSeededChance } from "../../../../base/src/random.ts";
import { checkBackup } from "../../../../ledger/src/trading/backup/backup-file.ts";
import { restoreBackup } from "../../../../ledger/src/trading/backup/restore-backup.ts";
import {
  CATALOGUE,
  type Harness,
  OPERATOR_TOKEN,
  OWNER,
  openHarness,
  START_MS,
  TEST_MASTER_KEY,
} from "../../testing/harness.ts";
import { openTestDatabase } from "../../testing/open-test-database.ts";
import { createOperatorClient, type OperatorClient } from "../../testing/operator-client.ts";
import { addBareAccount, addBareLines } from "../../testing/raw-journal.ts";
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts";

const MARKET = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.5,
  stop_loss: 45_000,
};
const LIMIT = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.1,
  limit_price: 40_000,
};

/** An account whose lines a test writes to the database, as another node would. */
const ACCOUNT_OF_OTHER_NODE = accountId("00000000-0000-4000-8000-0000000000ee");

let service: Harness;
let operator: OperatorClient;
let other: AccountId;

beforeAll(async () => {
  service = await openHarness();
  operator = createOperatorClient(service);
  await service.quote("BTCUSD", 50_000, 50_000);
  expect((await service.order(MARKET, { nonce: "the order" })).status).toBe(200);
  other = await service.newAccount({ ownerId: ownerId("owner-2") });
  expect((await service.order(LIMIT)).status).toBe(200);
  return () => service.close();
});

const events = async (
  query: string,
  by: Pick<OperatorClient, "data"> = operator,
): Promise<OperatorEvents> =>
  (await by.data("GET", `/events?${query}`)) as unknown as OperatorEvents;

/** The answer to a request for a file: its status, headers and text. */
const file = async (query: string) => {
  const response = await fetch(
    `http://127.0.0.1:${service.port}${OPERATOR_PREFIX}/events?${query}`,
    { headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` } },
  );
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
};

describe("GET /events answers", () => {
  test("GET /events answers the events that the owners read, with their accounts [D9.firehose]", async () => {
    const { items } = await events("after=0");
    expect(items.map(({ accountId, sequence, type }) => [accountId, sequence, type])).toEqual([
      [service.accountId, 1, "account.opened"],
      [service.accountId, 2, "order.filled"],
      [service.accountId, 3, "legs.attached"],
      [other, 1, "account.opened"],
      [service.accountId, 4, "order.resting"],
    ]);
    const own = (await service.get("events")).json() as { data: OperatorEvents };
    const account = { accountId: service.accountId, ownerId: OWNER, externalId: null };
    expect(items.filter(({ accountId }) => accountId === service.accountId)).toEqual(
      own.data.items.map((event) => ({ ...event, ...account })),
    );
    expect(items[3]).toMatchObject({ accountId: other, ownerId: "owner-2", externalId: null });
  });

  test("GET /events answers pages of any size, and what a filter keeps; nothing of an unknown account [D9.firehose]", async () => {
    const { items, next } = await events("after=0");
    for (const limit of [1, 2, 3]) {
      const seen: OperatorEvents["items"][number][] = [];
      let after = "0";
      while (after !== next) {
        const page = await events(`after=${after}&limit=${limit}`);
        expect(page.items.length).toBeLessThanOrEqual(limit);
        seen.push(...page.items);
        after = page.next;
      }
      expect(seen).toEqual(items);
    }
    const kept = async (query: string) => (await events(`after=0&${query}`)).items;
    expect(await kept(`accountId=${other}`)).toEqual([items[3]]);
    expect(await kept("types=order.filled,order.cancelled")).toEqual([items[1]]);
    expect(await kept("programId=none")).toEqual([]);
    expect(await kept("accountId=00000000-0000-4000-8000-00000000000a")).toEqual([]);
    expect(await events("types=pro.offered&after=0")).toEqual({ items: [], next });
    expect(await events("")).toEqual({ items: [], next });
  });

  test("GET /events answers the events by the program that the account is on after each [D9.firehose]", async () => {
    const moving = await openHarness({ seed: "moves" });
    const by = createOperatorClient(moving);
    const { accountId } = moving;
    await by.data("POST", `/accounts/${accountId}/offer-pro`, { proAccountSize: 250_000 });
    await moving.order(LIMIT);
    const of = async (query: string) =>
      (await events(`after=0${query}`, by)).items.map(({ type }) => type);
    const opened = await of("&types=account.opened");
    expect(await of("")).toEqual([...opened, "pro.started", "order.resting"]);
    expect(await of("&programId=classic")).toEqual(opened);
    expect(await of("&programId=pro")).toEqual(["pro.started", "order.resting"]);
    await moving.close();
  });

  test("GET /events answers a signed-in operator too, and no owner [D9.firehose]", async () => {
    const { items } = await events("after=0");
    const signedIn = await service.signIn("operator");
    const reply = await signedIn.call("GET", "/operator/events?after=0");
    expect([reply.status, reply.json()]).toMatchObject([200, { data: { items } }]);
    const owner = await service.signIn("owner");
    expect((await owner.call("GET", "/operator/events?after=0")).status).toBe(403);
  });

  test.each([
    ["limit=0", "limit: must be a whole number from 1 to 500", {}],
    ["limit=501", "limit: must be a whole number from 1 to 500", {}],
    ["wait=26", "wait: must be whole seconds from 0 to 25", {}],
    ["wait=", "wait: is empty; leave it out, or give a value", {}],
    ["types=order.fooled", 'types: "order.fooled" is not a type of event', {}],
    ["types=,", "types: must be types of events with commas between them", {}],
    ["accountId=x", "accountId: must be a uuid", {}],
    ["programId=", "programId: is empty; leave it out, or give a value", {}],
    ["programId=%00", "programId: must not contain control characters", {}],
    ["format=xml", "format: must be one of json, ndjson, csv", {}],
    ["format=constructor", "format: must be one of json, ndjson, csv", {}],
    ["account=x", "account: no such query parameter", { code: "unknown_field" }],
    [
      "after=418-9f2c",
      "after: must be the `next` of a page, or 0 for the first event",
      { code: "cursor_invalid" },
    ],
    [
      "after=x&format=csv",
      "after: must be the `next` of a page, or 0 for the first event",
      { code: "cursor_invalid" },
    ],
  ])(
    "GET /events answers 400 to ?%s with its name [D9.firehoseCursor]",
    async (query, error, more) => {
      const { status, body } = await operator.call("GET", `/events?${query}`);
      const field = error.slice(0, error.indexOf(":"));
      expect([status, body]).toEqual([400, { error, code: "invalid", field, ...more }]);
    },
  );
});

describe("a file of events", () => {
  test("a file of events has each event as JSON, by account and sequence, and the place of the next file [D9.firehose]", async () => {
    const { items, next } = await events("after=0");
    const { status, headers, text } = await file("after=0&format=ndjson&limit=1");
    const named = ["content-type", "x-next", "x-as-of-ms"].map((name) => headers.get(name));
    expect([status, ...named]).toEqual([200, "application/x-ndjson", next, String(START_MS)]);
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    const byAccount = [service.accountId, other]
      .toSorted()
      .flatMap((id) => items.filter(({ accountId }) => accountId === id));
    expect(lines).toEqual(byAccount);
    expect(await file(`after=${next}&format=ndjson`)).toMatchObject({ status: 200, text: "" });
  });

  test("a file of events is CSV with a header, times twice and an empty cell for null [D9.firehose]", async () => {
    const { text, headers } = await file(
      `after=0&format=csv&accountId=${service.accountId}&types=account.opened,order.filled`,
    );
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const [head, opened, filled, end] = text.split("\r\n");
    expect(head).toBe(
      "accountId,externalId,ownerId,sequence,id,type,at,atMs,causeBy,keyId,nonce,data,observed",
    );
    const id = service.accountId;
    const place = (sequence: number) =>
      `${id},,owner-1,${sequence},evt_${id.replaceAll("-", "")}_${sequence}`;
    const at = "2026-01-05T12:00:00.000Z,1767614400000";
    expect(opened).toContain(`${place(1)},account.opened,${at},operator,,,"{""`);
    expect(filled).toContain(
      `${place(2)},order.filled,${at},key,${service.signer.keyId},the order,"{""orderUuid"":`,
    );
    expect(end).toBe("");
  });
});

describe("a request that waits", () => {
  let waited: Harness;
  const read = (query: string) => events(query, createOperatorClient(waited));
  beforeAll(async () => {
    waited = await openHarness({ seed: "waits" });
    await waited.quote("BTCUSD", 50_000, 50_000);
    return () => waited.close();
  });

  test("a request that waits is answered at the commit of any account, and not before [D9.firehoseWait]", async () => {
    const { next } = await read("");
    let isAnswered = false;
    const waiting = read(`after=${next}&wait=25`).then((page) => {
      isAnswered = true;
      return page;
    });
    // These two reads are answered after the request that waits was admitted.
    await read("");
    await read("");
    expect(isAnswered).toBe(false);
    const opened = await waited.newAccount();
    const { items } = await waiting;
    expect(items.map(({ accountId, type }) => [accountId, type])).toEqual([
      [opened, "account.opened"],
    ]);
  });

  test("a request that waits finds a line of another node within a second, and waits on past what its filter leaves out [D9.firehoseWait]", async () => {
    const { next } = await read("");
    let page: OperatorEvents | null = null;
    const waiting = read(`after=${next}&wait=25&accountId=${ACCOUNT_OF_OTHER_NODE}`).then(
      (found) => {
        page = found;
      },
    );
    await read("");
    await waited.newAccount();
    const [opened] = await waited.database.query<{ readonly event: string }>(
      "select event from journal where seq = 1 limit 1",
      [],
    );
    await addBareAccount(waited.database, ACCOUNT_OF_OTHER_NODE, "owner-3");
    const lines = { version: 0, events: [opened?.event ?? ""] };
    await addBareLines(waited.database, ACCOUNT_OF_OTHER_NODE, lines);
    await until(async () => {
      await waited.time.pass(1_000);
      return page !== null;
    });
    await waiting;
    expect(page).toMatchObject({ items: [{ type: "account.opened", ownerId: "owner-3" }] });
  });

  test("a request that waits ends after its time with an empty page and the same place [D9.firehoseWait]", async () => {
    const { next } = await read("");
    const waiting = read(`after=${next}&wait=2`);
    await read("");
    await read("");
    await waited.time.pass(2_000);
    expect(await waiting).toEqual({ items: [], next });
  });

  test("a request that waits ends when the service stops [D9.firehoseWait]", async () => {
    const stopping = await openHarness({ seed: "stops" });
    const waiting = createOperatorClient(stopping)
      .call("GET", "/events?wait=25")
      .then(
        ({ status }) => status,
        () => "gone",
      );
    await createOperatorClient(stopping).data("GET", "/events");
    await stopping.close();
    expect([200, "gone"]).toContain(await waiting);
  });
});

test("a restored service refuses the places of before, and has every event from 0 [D9.firehoseCursor]", async () => {
  const before = await events("after=0&limit=500");
  const response = await fetch(`http://127.0.0.1:${service.port}${OPERATOR_PREFIX}/backup`, {
    method: "POST",
    headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` },
  });
  const path = join(await makeTemporaryFolder(), "backup.gz");
  await writeFile(path, Buffer.from(await response.arrayBuffer()));
  const masterKeys = parseMasterKeys(TEST_MASTER_KEY);
  const database = await openTestDatabase();
  await restoreBackup({
    path,
    checked: await checkBackup(path, { masterKeys, mayBeUnproved: false }),
    database,
    instruments: CATALOGUE,
    now: unixMs(1_767_700_000_000),
    chance: createSeededChance("restore"),
    log: { info: () => undefined },
  });
  const restored = await openHarness({ database, seed: "after a restore" });
  const its = createOperatorClient(restored);
  const { status, body } = await its.call("GET", `/events?after=${before.next}`);
  expect([status, body]).toMatchObject([400, { code: "history_differs", field: "after" }]);
  const byPlace = ({ items }: OperatorEvents) =>
    items.map(({ accountId, cursor }) => `${accountId} ${cursor}`).toSorted();
  const found = byPlace(await events("after=0&limit=500", its));
  const own = found.filter((place) => !place.startsWith(restored.accountId));
  expect(own).toEqual(byPlace(before));
  await restored.close();
});

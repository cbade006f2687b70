import { OPERATOR_CALLS } from "@propgate/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { BACKUP_TABLES } from "../../../../../ledger/src/trading/backup/backup-tables.ts";
import { type DatabaseOutage, databaseWithOutage } from "../../../testing/database-outage.ts";
import { openEarningTrader } from "../../../testing/earning-trader.ts";
import { type Harness, openHarness, START_MS } from "../../../testing/harness.ts";
import { madeCatalogue, madeInstrument } from "../../../testing/made-instrument.ts";
import { openTestDatabase } from "../../../testing/open-test-database.ts";
import { createOperatorClient, type OperatorAnswer } from "../../../testing/operator-client.ts";
import type { RepeatableWrite } from "../../../testing/repeatable-writes.ts";

const DAY_MS = 86_400_000;

let service: Harness;
let outage: DatabaseOutage;

beforeEach(async () => {
  outage = { text: "set state = 'ended'", when: "never" };
  const instruments = madeCatalogue(
    madeInstrument("BTCUSD"),
    madeInstrument("MSFT", { assetClass: "equities" }),
    madeInstrument("BTCPERP", { carry: { kind: "everyHour", rate: null } }),
  );
  const database = databaseWithOutage(await openTestDatabase(), outage);
  service = await openHarness({ database, instruments });
  return () => service.close();
});

const call = (
  method: string,
  path: string,
  given: { body?: unknown; raw?: string; key?: string } = {},
) => createOperatorClient(service).call(method, path, given);

async function made(path: string, body: unknown): Promise<Record<string, unknown>> {
  return createOperatorClient(service).data("POST", path, body);
}

const NOT_COUNTED: ReadonlySet<string> = new Set(["idempotency_keys", "audit", "settings"]);

/**
 * All stored data, except the keys of writes, the audit, and the revision of a webhook. The revision only makes the
 * node that delivers webhooks read all lanes again.
 */
async function stored(): Promise<unknown> {
  const tables = ["operator_tokens", "sign_in_links", "sessions"];
  const names = [...BACKUP_TABLES.map(({ name }) => name), ...tables];
  return Promise.all(
    names
      .filter((name) => !NOT_COUNTED.has(name))
      .map(async (name) => [
        name,
        await service.database.query(
          `select (to_jsonb(t) - 'revision')::text as row from ${name} t order by 1`,
          [],
        ),
      ]),
  );
}

type Sent = readonly [path: string, body?: unknown];
type Write = readonly [name: RepeatableWrite, ...Sent];

/** The writes that need more than this service. The comments name what they need. */
type Elsewhere =
  // This write needs a validator.
  | "accounts.link"
  // This write needs restored data.
  | "restore.confirm"
  // This write needs several sources of prices.
  | "prices.use"
  // These writes need a receiver, and their repetition sends to it again.
  | "webhooks.test"
  | "webhooks.send";

/** A call of every other kind of write. */
async function everyWrite(): Promise<readonly Write[]> {
  const waiting = await made("/accounts", { size: 1e5, provisioned: false });
  const account = async () => String((await made("/accounts", { size: 1e5 })).accountId);
  const at = async () => `/accounts/${await account()}`;
  const accountId = await account();
  const scopes = ["trade:read"];
  const key = await made("/keys", { accountId, scopes });
  const person = async (name: string) =>
    `/people/${String((await made("/people", { name, role: "owner" })).personId)}`;
  await made("/tokens", { name: "old", expiresInHours: 1 });
  const hook = async () =>
    `/webhooks/${String((await made("/webhooks", { url: "https://example.com/a", enabled: false })).id)}`;
  const split = { pair: "MSFT", kind: "split", newShares: 2, oldShares: 1 };
  const coming = await made("/corporate-actions", { ...split, atMs: START_MS + 40 * DAY_MS });
  const { accountId: earned } = await openEarningTrader(service, 1);
  const [payout] = (await createOperatorClient(service).data("GET", "/payouts")).items as [
    { readonly id: string },
  ];
  const atMs = service.time.clock.now() + 3_600_000;
  const hour = atMs - (atMs % 3_600_000);
  await made("/funding", { pair: "BTCPERP", rate: 0.0002, atMs: hour + 7_200_000 });
  const program = await createOperatorClient(service).data("GET", "/programs/classic");
  const [{ program: classic }] = program.versions as [{ readonly program: object }];
  expect(payout.id).toContain(earned);
  const writes: Readonly<Record<Exclude<RepeatableWrite, Elsewhere>, readonly Sent[]>> = {
    "accounts.open": [
      ["/accounts", { size: 1e5 }],
      ["/accounts", { size: 1e5, externalId: "sale-1" }],
    ],
    "accounts.update": [[await at(), { externalId: "sale-2" }]],
    "accounts.provision": [[`/accounts/${String(waiting.accountId)}/provision`, {}]],
    "accounts.close": [[`${await at()}/close`, {}]],
    "accounts.eliminate": [[`${await at()}/eliminate`, { reason: "by hand" }]],
    "accounts.promote": [[`${await at()}/promote`, { phase: "challenge" }]],
    "accounts.offerPro": [[`${await at()}/offer-pro`, { proAccountSize: 200_000 }]],
    "keys.create": [["/keys", { accountId, scopes }]],
    "keys.rekey": [["/keys/rekey", {}]],
    "keys.revoke": [[`/keys/${String(key.keyId)}`]],
    "people.add": [["/people", { name: "zoe", role: "owner" }]],
    "people.update": [[await person("yan"), { externalId: "customer-1" }]],
    "people.link": [[`${await person("xia")}/link`, {}]],
    "people.disable": [[`${await person("wim")}/disable`, {}]],
    "people.enable": [[`${await person("vic")}/enable`, {}]],
    "tokens.add": [["/tokens", { name: "new", expiresInHours: 1 }]],
    "tokens.revoke": [["/tokens/old"]],
    "owners.update": [["/owners/owner-1", { accountsMax: 50 }]],
    "payouts.record": [[`/payouts/${payout.id}`, { status: "processing", rail: "bank" }]],
    "funding.set": [["/funding", { pair: "BTCPERP", rate: 0.0001, atMs: hour }]],
    "funding.withdraw": [[`/funding/BTCPERP?atMs=${String(hour + 7_200_000)}`]],
    "corporateActions.announce": [["/corporate-actions", { ...split, atMs: atMs + 60 * DAY_MS }]],
    "corporateActions.cancel": [[`/corporate-actions/${String(coming.id)}`]],
    "programs.add": [["/programs", { ...classic, id: "own", version: 1 }]],
    "journal.rebuild": [["/journal/rebuild", { accountId, write: true }]],
    "webhooks.create": [["/webhooks", { url: "https://example.com/b", enabled: false }]],
    "webhooks.update": [[await hook(), { label: "new" }]],
    "webhooks.delete": [[await hook()]],
    "webhooks.rotate": [[`${await hook()}/rotate`, { overlapMs: 60_000 }]],
    "webhooks.resume": [[`${await hook()}/resume`, {}]],
    "webhooks.replay": [[`${await hook()}/replay`, { fromSequence: 1 }]],
    "prices.halt": [["/prices/BTCUSD/halt", { reason: "by hand" }]],
    "prices.auto": [["/prices/BTCUSD/auto", {}]],
  };
  return Object.entries(writes).flatMap(([name, sent]) =>
    sent.map((one): Write => [name as RepeatableWrite, ...one]),
  );
}

const send = ([name, path, body]: Write, key: string): Promise<OperatorAnswer> => {
  const { method } = OPERATOR_CALLS[name];
  return call(method, path, { key, ...(body === undefined ? {} : { body }) });
};

const isReplayed = ({ headers }: OperatorAnswer) => headers.get("idempotent-replayed");

describe("a write with a key [D12.repeatedWrites]", () => {
  test("every write that is repeated gets its first answer, and acts once", async () => {
    for (const [index, write] of (await everyWrite()).entries()) {
      const first = await send(write, `key ${index}`);
      expect([write[0], first.status, first.body.error]).toEqual([write[0], 200, undefined]);
      expect(isReplayed(first)).toBeNull();
      const before = await stored();
      const again = await send(write, `key ${index}`);
      expect([again.status, again.body, isReplayed(again)]).toEqual([200, first.body, "true"]);
      expect(await stored()).toEqual(before);
    }
  });

  test("every write whose answer was lost is found out by its key, and acts once", async () => {
    for (const [index, write] of (await everyWrite()).entries()) {
      outage.when = "before";
      const lost = await send(write, `key ${index}`);
      expect([write[0], lost.status, lost.body.code]).toEqual([write[0], 503, "unknown_fate"]);
      outage.when = "never";
      const before = await stored();
      const again = await send(write, `key ${index}`);
      expect([write[0], again.status, again.body.error]).toEqual([write[0], 200, undefined]);
      expect([write[0], await stored()]).toEqual([write[0], before]);
      expect(await send(write, `key ${index}`)).toMatchObject({ body: again.body });
    }
  });

  test("of repetitions at the same moment one acts, and the others get its answer or wait", async () => {
    for (const [index, write] of (await everyWrite()).entries()) {
      const ends = await Promise.all(Array.from({ length: 4 }, () => send(write, `key ${index}`)));
      const acted = ends.filter((end) => end.status === 200 && isReplayed(end) === null);
      expect([write[0], acted.length]).toEqual([write[0], 1]);
      for (const end of ends.filter(({ status }) => status !== 200)) {
        expect(end.body.code).toBe("idempotency_in_progress");
        expect(end.headers.get("retry-after")).toBe("1");
      }
      const again = await send(write, `key ${index}`);
      expect([again.body, isReplayed(again)]).toEqual([acted[0]?.body, "true"]);
    }
  });
});

describe("the key of a write [D12.repeatedWrites]", () => {
  const account = { size: 1e5, externalId: "one" };
  const open = (given: object) => call("POST", "/accounts", { body: account, ...given });
  const count = async () =>
    ((await createOperatorClient(service).data("GET", "/accounts")).items as unknown[]).length;

  test("another request with a key is refused, before its body is checked", async () => {
    const first = await open({ key: "k" });
    const requests: (readonly [method: string, path: string, body: object])[] = [
      ["POST", "/accounts", { body: { ...account, size: 2e5 } }],
      ["POST", "/accounts", { body: { nothing: 1 } }],
      ["POST", "/accounts", { raw: "{" }],
      ["POST", "/accounts?x=1", { body: account }],
      ["POST", "/people", { body: account }],
      ["PATCH", "/accounts/x", { body: account }],
    ];
    for (const [method, path, given] of requests) {
      const { status, body } = await call(method, path, { ...given, key: "k" });
      expect([status, body.code, body.field]).toEqual([
        409,
        "idempotency_mismatch",
        "Idempotency-Key",
      ]);
    }
    const raw = '\n{ "externalId" : "\\u006fne", "size":100000.0 }';
    const same = await call("POST", "/accounts", { raw, key: "k" });
    expect([same.body, isReplayed(same)]).toEqual([first.body, "true"]);
  });

  test("a refusal before anything was tried is not kept, another one is [D12.keptAnswers]", async () => {
    expect((await open({ key: "a", body: { size: -1 } })).status).toBe(400);
    expect((await open({ key: "a" })).status).toBe(200);
    const taken = await open({ key: "b" });
    expect([taken.status, taken.body.code]).toEqual([409, "external_id_taken"]);
    const again = await open({ key: "b" });
    expect([again.status, again.body, isReplayed(again)]).toEqual([409, taken.body, "true"]);
    const none = await call("DELETE", "/keys/pk_none", { key: "c" });
    expect(none.status).toBe(404);
    expect(isReplayed(await call("DELETE", "/keys/pk_none", { key: "c" }))).toBe("true");
  });

  test.each(["", "a".repeat(256), "\u00e4", "a\tb"])("%j is no key", async (key) => {
    const { status, body } = await open({ key });
    expect([status, body.code, body.field]).toEqual([400, "invalid", "Idempotency-Key"]);
  });

  test("calls that only check, and files, keep nothing", async () => {
    for (const path of ["/journal/verify", "/audit/verify"]) {
      for (let time = 0; time < 2; time += 1) {
        const answer = await call("POST", path, { key: "check", body: {} });
        expect([answer.status, isReplayed(answer)]).toEqual([200, null]);
      }
    }
    expect(await service.database.query("select * from idempotency_keys", [])).toEqual([]);
  });

  test("a key belongs to its token or person, and a token goes on with those of another", async () => {
    const root = await open({ key: "k" });
    const token = async (name: string, succeeds?: string) =>
      String((await made("/tokens", { name, expiresInHours: 1, succeeds })).token);
    const write = (by: string | null) =>
      createOperatorClient(service).call("POST", "/accounts", {
        body: account,
        key: "k",
        token: by,
      });
    const one = await token("one");
    expect((await write(one)).body.code).toBe("external_id_taken");
    const two = await token("two", "one");
    expect(isReplayed(await write(two))).toBe("true");
    const three = await token("three", "two");
    expect((await write(three)).body.code).toBe("external_id_taken");
    expect((await write(await token("four", "root"))).body).toEqual(root.body);
    expect(
      await createOperatorClient(service).refusal("POST", "/tokens", {
        name: "five",
        expiresInHours: 1,
        succeeds: "nobody",
      }),
    ).toEqual([400, "succeeds: no token has or had that name"]);
    const ann = await service.signIn("operator", { name: "ann" });
    const signedIn = (headers: Record<string, string>) =>
      ann.call("POST", "/operator/people", {
        body: { name: "zoe", role: "owner" },
        headers: { ...headers, "Idempotency-Key": "k" },
      });
    const first = await signedIn({});
    const again = await signedIn({});
    expect([first.status, again.text]).toEqual([200, first.text]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    const ben = await service.signIn("operator", { name: "ben" });
    const other = await ben.call("POST", "/operator/people", {
      body: { name: "zoe", role: "owner" },
      headers: { "Idempotency-Key": "k" },
    });
    expect(other.status).toBe(409);
  });

  test("a secret is kept sealed for a day, and then its key says what was made [D12.keptSecrets]", async () => {
    const scopes = ["trade:read"];
    const create = () =>
      call("POST", "/keys", { key: "k", body: { accountId: service.accountId, scopes } });
    const first = (await create()).body.data as { readonly keyId: string; readonly secret: string };
    const rows = JSON.stringify(await service.database.query("select * from idempotency_keys", []));
    expect(rows).not.toContain(first.secret);
    await service.time.pass(DAY_MS - 1);
    expect((await create()).body.data).toEqual(first);
    await service.time.pass(1);
    const gone = await create();
    expect([gone.status, gone.body.code, gone.body.details]).toEqual([
      409,
      "idempotency_secret_gone",
      { keyId: first.keyId },
    ]);
  });

  test("a key is free after 30 days", async () => {
    await call("POST", "/accounts", { key: "k", body: { size: 1e5 } });
    await service.time.pass(30 * DAY_MS);
    expect(isReplayed(await call("POST", "/accounts", { key: "k", body: { size: 1e5 } }))).toBe(
      "true",
    );
    await service.time.pass(1);
    const before = await count();
    expect(
      isReplayed(await call("POST", "/accounts", { key: "k", body: { size: 2e5 } })),
    ).toBeNull();
    expect(await count()).toBe(before + 1);
  });

  test("a write whose process died is under way for 30 seconds, and then carried on", async () => {
    outage.when = "before";
    await open({ key: "k" });
    outage.when = "never";
    const set = (text: string) =>
      service.database.query(
        `update idempotency_keys set state = 'running', running_since = ${text}`,
        [],
      );
    await set("clock_timestamp() - interval '29 seconds'");
    const early = await open({ key: "k" });
    expect([early.status, early.body.code]).toEqual([409, "idempotency_in_progress"]);
    await set("clock_timestamp() - interval '31 seconds'");
    const late = await open({ key: "k" });
    expect([late.status, isReplayed(late)]).toEqual([200, null]);
    expect(await count()).toBe(2);
  });
});

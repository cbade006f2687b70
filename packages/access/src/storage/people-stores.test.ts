import { ownerId, type UnixMs, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { parseMasterKeys } from "../../../base/src/keys/master-key.ts";
import { openLog } from "../../../base/src/log.ts";
import { createSeededChance, systemChance } from "../../../base/src/random.ts";
import { personId } from "../../../ledger/src/storage/rows/person-id.ts";
import {
  createAuditStore,
  type NewAuditLine,
} from "../../../ledger/src/storage/stores/audit-store.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import { createPeopleDesk } from "../people/people-desk.ts";
import type { Passkey } from "./passkey.ts";
import { createPasskeyStore } from "./passkey-store.ts";
import { nameKey, type Person } from "./person.ts";
import { createPersonStore } from "./person-store.ts";
import type { Session } from "./session.ts";
import { createSessionStore } from "./session-store.ts";

const NOON: UnixMs = unixMs(1_767_614_400_000);
const later = (ms: number): UnixMs => unixMs(NOON + ms);
const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

const made = (name: string): Person => ({
  personId: personId(systemChance.uuid()),
  name,
  role: "owner",
  ownerId: ownerId("owner-1"),
  createdAtMs: NOON,
  disabledAtMs: null,
  externalId: null,
});

const sessionOf = (person: Person, lastSeenAtMs: UnixMs): Session => ({
  sessionId: systemChance.uuid(),
  personId: person.personId,
  signedInAtMs: NOON,
  lastSeenAtMs,
  endsAtMs: later(1000),
  confirmedAtMs: NOON,
  address: "::1",
  browser: "Ünïcode",
});

const passkeyOf = (person: Person, passkeyId: string): Passkey => ({
  passkeyId,
  personId: person.personId,
  label: "Phone",
  publicKey: bytes(0, 1, 255),
  counter: 4_294_967_295,
  transports: ["internal", "hybrid"],
  createdAtMs: NOON,
  lastUsedAtMs: null,
});

const lineOf = (deed: string, given: Partial<NewAuditLine> = {}): NewAuditLine => ({
  atMs: NOON,
  personId: null,
  by: "Ann",
  role: "owner",
  address: "::1",
  deed,
  subject: null,
  accountId: null,
  detail: null,
  succeeded: true,
  ...given,
});

await describeOnEachDatabase("the stores of people", (database) => {
  test("names of people are unique case-insensitively; a password is locked until the transaction ends", async () => {
    await database().query("delete from people");
    const store = createPersonStore(database());
    expect(await store.isEmpty()).toBe(true);
    const ann = made("Ann");
    expect(await store.insert(ann, nameKey("Ann"))).toBe(true);
    expect(await store.insert(made("aNN"), nameKey("aNN"))).toBe(false);
    expect(await store.readByName(nameKey("ANN"))).toEqual({ person: ann, password: null });
    expect(await store.readById(personId(systemChance.uuid()))).toBe(null);
    await store.setPassword(ann.personId, "one");
    expect(await store.lockIfPassword(ann.personId, "one")).toBe(true);
    expect(await store.lockIfPassword(ann.personId, "two")).toBe(false);
    await store.setDisabled(ann.personId, later(5));
    expect(await store.lockIfPassword(ann.personId, "one")).toBe(false);
    expect(await store.list()).toEqual([{ ...ann, disabledAtMs: later(5) }]);
  });

  test("sessions are found by token, touched forwards only, and ended by their owners", async () => {
    const people = createPersonStore(database());
    const store = createSessionStore(database());
    const [bob, eve] = [made("Bob"), made("Eve")];
    for (const one of [bob, eve]) await people.insert(one, nameKey(one.name));
    const first = sessionOf(bob, NOON);
    const second = sessionOf(bob, later(5));
    await store.insert(first, bytes(1));
    await store.insert(second, bytes(2));
    expect(await store.findByToken(bytes(1))).toEqual({ session: first, person: bob });
    expect(await store.findByToken(bytes(3))).toBe(null);
    await store.touch(first.sessionId, later(9));
    await store.touch(first.sessionId, later(7));
    expect((await store.findByToken(bytes(1)))?.session.lastSeenAtMs).toBe(later(9));
    expect(await store.remove(eve.personId, first.sessionId)).toBe(false);
    await store.removeOthers(bob.personId, first.sessionId);
    expect((await store.listOfPerson(bob.personId)).map((one) => one.sessionId)).toEqual([
      first.sessionId,
    ]);
    await store.removeEnded(later(999), later(8));
    expect(await store.listOfPerson(bob.personId)).toHaveLength(1);
    await store.removeEnded(later(999), later(9));
    expect(await store.listOfPerson(bob.personId)).toEqual([]);
    await store.insert(second, bytes(2));
    await store.removeEnded(later(1000), NOON);
    expect(await store.findByToken(bytes(2))).toBe(null);
    await store.insert(second, bytes(2));
    await store.removeOthers(bob.personId, null);
    expect(await store.findByToken(bytes(2))).toBe(null);
  });

  test("passkeys are stored to the byte; the count only rises, unless the authenticator has none", async () => {
    const store = createPasskeyStore(database());
    const [ann, bob] = [made("A"), made("B")];
    const passkey = passkeyOf(ann, "key-1");
    expect(await store.insert(passkey)).toBe(true);
    expect(await store.insert({ ...passkey, personId: bob.personId })).toBe(false);
    const found = await store.find("key-1");
    expect({ ...found, publicKey: [...(found?.publicKey ?? [])] }).toEqual({
      ...passkey,
      publicKey: [0, 1, 255],
    });
    const use = (counter: number) => store.recordUse("key-1", { counter, atMs: later(1) });
    expect(await use(4_294_967_295)).toBe(false);
    expect(await use(0)).toBe(false);
    await store.insert({ ...passkeyOf(ann, "key-0"), counter: 0 });
    const plain = (counter: number) => store.recordUse("key-0", { counter, atMs: later(1) });
    expect([
      await plain(0),
      await plain(0),
      await plain(3),
      await plain(3),
      await plain(0),
    ]).toEqual([true, true, true, false, false]);
    expect(await store.remove(bob.personId, "key-1")).toBe(false);
    expect(await store.remove(ann.personId, "key-1")).toBe(true);
    expect((await store.listOfPerson(ann.personId)).map((one) => one.passkeyId)).toEqual(["key-0"]);
  });

  test("challenges are answered once, also concurrently; expired ones leave no row", async () => {
    const store = createPasskeyStore(database());
    const challenge = (byte: number, at: number) => ({ hash: bytes(byte), expiresAtMs: later(at) });
    const answers = Array.from({ length: 10 }, () => store.recordAnswer(challenge(1, 100), NOON));
    expect((await Promise.all(answers)).filter(Boolean)).toHaveLength(1);
    expect(await store.recordAnswer(challenge(2, 300), later(99))).toBe(true);
    expect(await store.recordAnswer(challenge(1, 100), later(99))).toBe(false);
    expect(await store.recordAnswer(challenge(3, 300), later(100))).toBe(true);
    expect(await database().query("select 1 from answered_questions", [])).toHaveLength(2);
  });

  test("the audit is numbered without a gap by concurrent writers, and listed by account", async () => {
    const store = createAuditStore(database());
    const ann = made("Ann").personId;
    const deeds = Array.from({ length: 20 }, (_, n) => lineOf(n % 2 === 0 ? "even" : "odd"));
    await Promise.all(deeds.map((line) => store.append(line)));
    await store.append(lineOf("keys.create", { personId: ann, accountId: "acc", detail: "Bot" }));
    const all = await store.list({ accountId: null, before: null, limit: 100 });
    expect(all.map((line) => line.auditId)).toEqual(Array.from({ length: 21 }, (_, n) => 21 - n));
    const mine = [{ auditId: 21, accountId: "acc", detail: "Bot", deed: "keys.create" }];
    expect(await store.list({ accountId: "acc", before: null, limit: 9 })).toMatchObject(mine);
    expect(await store.list({ accountId: "acc", before: 21, limit: 9 })).toEqual([]);
    expect(await store.list({ accountId: null, before: 21, limit: 100 })).toHaveLength(20);
  });

  test("all stores together: a link sets a password, which signs in until another link is used", async () => {
    const { clock } = createManualTime(NOON);
    const people = createPeopleDesk({
      database: database(),
      clock,
      chance: createSeededChance("people"),
      log: openLog("silent"),
      masterKeys: parseMasterKeys(Buffer.alloc(32, 1).toString("base64")),
      passwordCost: { memoryKib: 64, passes: 1 },
    });
    const from = { address: "192.0.2.1", browser: "" };
    const person = await people.roster.add({ name: "Whole", role: "operator", ownerId: null });
    if (person === null) throw new Error("the name is taken");
    const { token } = await people.links.make(person);
    const uses = [1, 2, 3, 4].map(() =>
      people.links.use({ token, password: "long enough 1" }, from),
    );
    const begun = (await Promise.all(uses)).filter((one) => one !== null && one !== "busy");
    expect(begun).toHaveLength(1);
    const signIn = (password: string) => people.passwords.signIn({ name: "whole", password }, from);
    const session = await signIn("long enough 1");
    if ("refused" in session) throw new Error(session.refused);
    expect(await people.sessions.find(session.token)).toMatchObject({ person });
    const newer = await people.links.make(person);
    await people.links.use({ token: newer.token, password: "long enough 2" }, from);
    expect(await people.sessions.find(session.token)).toBe(null);
    expect(await signIn("long enough 1")).toMatchObject({ refused: "wrong" });
    expect(await signIn("long enough 2")).toMatchObject({ person });
  });

  test("a session from a network that its person was not seen in for 90 days is an alert, the first session ever is none [D9.alerts]", async () => {
    await database().query("delete from alerts");
    const time = createManualTime(NOON);
    const people = createPeopleDesk({
      database: database(),
      clock: time.clock,
      chance: createSeededChance("networks"),
      log: openLog("silent"),
      masterKeys: parseMasterKeys(Buffer.alloc(32, 1).toString("base64")),
    });
    const owner = { role: "owner", ownerId: ownerId("owner-9") } as const;
    const person = await people.roster.add({ name: "Nomad", ...owner });
    if (person === null) throw new Error("the name is taken");
    const signIn = (address: string) =>
      database().transaction((on) =>
        people.sessions.begin(person, { address, browser: "Firefox" }, on),
      );
    const DAY = 86_400_000;
    const seen: (readonly [number, string])[] = [
      [0, "192.0.2.1"],
      [0, "192.0.2.1"],
      [1, "192.0.2.2"],
      [0, "2001:db8::1"],
      [90, "2001:db8:0:0:ffff::2"],
      [0, "192.0.2.1"],
      [2, "192.0.2.2"],
    ];
    for (const [days, address] of seen) {
      await time.pass(days * DAY);
      await signIn(address);
    }
    const found = await database().query<{ readonly owner_id: string; readonly data: string }>(
      "select owner_id, data from alerts where type = 'session.opened' order by recorded",
      [],
    );
    expect(found.map(({ owner_id, data }) => [owner_id, JSON.parse(data)])).toEqual(
      ["192.0.2.2", "2001:db8::1", "192.0.2.1", "192.0.2.2"].map((address) => [
        "owner-9",
        { address, browser: "Firefox" },
      ]),
    );
  });

  test("sixty-four concurrent sign-ins take two connections; a person keeps the newest 100 sessions", async () => {
    const { clock } = createManualTime(NOON);
    let [using, usedMax] = [0, 0];
    const counted = async <Value>(work: Promise<Value>): Promise<Value> => {
      using += 1;
      usedMax = Math.max(usedMax, using);
      return work.finally(() => {
        using -= 1;
      });
    };
    const people = createPeopleDesk({
      database: {
        ...database(),
        query: (text, parameters) => counted(database().query(text, parameters)),
        transaction: (work) => counted(database().transaction(work)),
      },
      clock,
      chance: createSeededChance("many"),
      log: openLog("silent"),
      masterKeys: parseMasterKeys(Buffer.alloc(32, 1).toString("base64")),
      passwordCost: { memoryKib: 64, passes: 1 },
    });
    const person = await people.roster.add({ name: "Many", role: "operator", ownerId: null });
    if (person === null) throw new Error("the name is taken");
    const from = (n: number) => ({ address: `192.0.2.${n}`, browser: "" });
    const { token } = await people.links.make(person);
    await people.links.use({ token, password: "long enough 1" }, from(0));
    const given = { name: "many", password: "long enough 1" };
    const attempts = Array.from({ length: 64 }, (_, n) => people.passwords.signIn(given, from(n)));
    const begun = (await Promise.all(attempts)).filter((result) => !("refused" in result));
    expect(begun.length).toBeGreaterThan(0);
    expect(usedMax).toBe(2);
    for (let n = 0; n < 101; n += 1) {
      await database().transaction((on) => people.sessions.begin(person, from(n), on));
    }
    expect(await people.sessions.list(person.personId)).toHaveLength(100);
  });
});

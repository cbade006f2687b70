import { beforeAll, describe, expect, test } from "vitest";
import { createDashboardClient, type SignedInClient } from "../../testing/dashboard-client.ts";
import { type Harness, openHarness } from "../../testing/harness.ts";
import {
  type AuthenticatorFaults,
  createSoftwareAuthenticator,
} from "../../testing/software-authenticator.ts";

const ORIGIN = "https://trade.example.com";
type Authenticator = ReturnType<typeof createSoftwareAuthenticator>;
type CreationOptions = Parameters<Authenticator["create"]>[0];
type RequestOptions = Parameters<Authenticator["get"]>[0];

let service: Harness;
let ann: SignedInClient;

beforeAll(async () => {
  service = await openHarness({ publicUrl: ORIGIN });
  ann = await service.signIn("owner", { name: "Ann" });
  return () => service.close();
});

const browser = () => createDashboardClient({ port: service.port, origin: ORIGIN });

const NOT_ADDED = [409, "The passkey was not accepted; begin again"];
const NOT_ACCEPTED = [
  401,
  "This passkey was not accepted; try again, or sign in with your password",
];

async function added(who: SignedInClient, label: string): Promise<Authenticator> {
  const device = createSoftwareAuthenticator(ORIGIN);
  const options = await who.data<CreationOptions>("POST", "/passkeys/options");
  await who.data("POST", "/passkeys", { label, response: device.create(options) });
  return device;
}

async function attempt(device: Authenticator, faults: AuthenticatorFaults = {}) {
  const page = browser();
  const options = await page.data<RequestOptions>("POST", "/sign-in/passkey/options");
  return page.refusal("POST", "/sign-in/passkey", { response: device.get(options, faults) });
}

describe("a passkey", () => {
  test("a passkey is asked for by what the browser needs: found by itself, and verified", async () => {
    expect(await ann.data("POST", "/passkeys/options")).toMatchObject({
      rp: { id: "trade.example.com", name: "Propgate" },
      user: { name: "Ann", displayName: "Ann" },
      attestation: "none",
      pubKeyCredParams: [{ alg: -8 }, { alg: -7 }, { alg: -257 }],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    expect(await browser().data("POST", "/sign-in/passkey/options")).toMatchObject({
      rpId: "trade.example.com",
      userVerification: "required",
      challenge: expect.stringMatching(/^[\w-]{72}$/),
    });
  });

  test("a passkey signs in without a name, again and again, and is listed with its last use", async () => {
    const device = await added(ann, "Phone");
    await service.time.pass(1000);
    for (const _ of [1, 2]) {
      const page = browser();
      const options = await page.data<RequestOptions>("POST", "/sign-in/passkey/options");
      const view = await page.data("POST", "/sign-in/passkey", { response: device.get(options) });
      expect(view).toMatchObject({ person: { name: "Ann" } });
      expect(page.cookie()).toMatch(/^__Host-propgate_session=[\w-]{43}$/);
      expect(await page.data("GET", "/session")).toEqual(view);
    }
    const nowMs = service.time.clock.now();
    expect(await ann.data("GET", "/passkeys")).toEqual([
      { passkeyId: device.id, label: "Phone", createdAtMs: nowMs - 1000, lastUsedAtMs: nowMs },
    ]);
  });

  test("a passkey is offered no second time to the device that has it", async () => {
    const device = await added(ann, "Key");
    const options = await ann.data<CreationOptions>("POST", "/passkeys/options");
    expect(options).toMatchObject({
      excludeCredentials: expect.arrayContaining([expect.objectContaining({ id: device.id })]),
    });
    const again = { label: "Key", response: device.create(options) };
    expect(await ann.refusal("POST", "/passkeys", again)).toEqual(NOT_ADDED);
  });

  test.each<[string, AuthenticatorFaults]>([
    ["another site's", { origin: "https://trade.example.org" }],
    ["made for another site", { partyId: "example.org" }],
    ["without a look at who is there", { isUnverified: true }],
    ["signed with another key", { isForged: true }],
    ["a copy that is behind", { counter: 1 }],
    ["of another person", { userHandle: Buffer.from("somebody").toString("base64url") }],
  ])("%s does not sign in", async (_name, faults) => {
    const device = await added(ann, "Laptop");
    const page = browser();
    const options = await page.data<RequestOptions>("POST", "/sign-in/passkey/options");
    await page.data("POST", "/sign-in/passkey", { response: device.get(options) });
    expect(await attempt(device, faults)).toEqual(NOT_ACCEPTED);
    await service.time.pass(86_400_000);
    ann = await service.signIn("owner", { name: "Ann" });
    for (const { passkeyId } of await ann.data<{ passkeyId: string }[]>("GET", "/passkeys")) {
      await ann.data("DELETE", `/passkeys/${passkeyId}`);
    }
  });

  test.each<[string, AuthenticatorFaults]>([
    ["on another site's page", { origin: "https://trade.example.org" }],
    ["for another site", { partyId: "example.org" }],
    ["without a look at who is there", { isUnverified: true }],
    ["with certificates that would be looked up", { certificates: [Buffer.alloc(200)] }],
  ])("a passkey made %s is not added", async (_name, faults) => {
    const device = createSoftwareAuthenticator(ORIGIN);
    const options = await ann.data<CreationOptions>("POST", "/passkeys/options");
    const made = { label: "Bad", response: device.create(options, faults) };
    expect(await ann.refusal("POST", "/passkeys", made)).toEqual(NOT_ADDED);
  });

  test("a passkey answers a challenge once, within five minutes, and only its own", async () => {
    const device = await added(ann, "Once");
    const page = browser();
    const options = await page.data<RequestOptions>("POST", "/sign-in/passkey/options");
    const answer = { response: device.get(options) };
    await page.data("POST", "/sign-in/passkey", answer);
    expect(await browser().refusal("POST", "/sign-in/passkey", answer)).toEqual(NOT_ACCEPTED);

    const late = await page.data<RequestOptions>("POST", "/sign-in/passkey/options");
    await service.time.pass(5 * 60_000);
    const tooLate = { response: device.get(late) };
    expect(await browser().refusal("POST", "/sign-in/passkey", tooLate)).toEqual(NOT_ACCEPTED);

    // A challenge for adding Ann's passkey: Bob cannot answer it, and it signs no person in.
    const bob = await service.signIn("operator", { name: "Bob" });
    const hers = await ann.data<CreationOptions>("POST", "/passkeys/options");
    const his = { label: "Mine", response: createSoftwareAuthenticator(ORIGIN).create(hers) };
    expect(await bob.refusal("POST", "/passkeys", his)).toEqual(NOT_ADDED);
    const request = await ann.data<CreationOptions>("POST", "/passkeys/options");
    const signed = device.get({ challenge: request.challenge, rpId: request.rp.id });
    expect(await browser().refusal("POST", "/sign-in/passkey", { response: signed })).toEqual(
      NOT_ACCEPTED,
    );
  });

  test("a passkey that was removed, or whose person is disabled, does not sign in", async () => {
    const eve = await service.signIn("owner", { name: "Eve" });
    const [one, two] = [await added(eve, "One"), await added(eve, "Two")];
    expect(await ann.refusal("DELETE", `/passkeys/${one.id}`)).toEqual([
      404,
      "Passkey not found, or removed before",
    ]);
    expect(await eve.data("DELETE", `/passkeys/${one.id}`)).toEqual({ passkeyId: one.id });
    expect(await attempt(one)).toEqual(NOT_ACCEPTED);
    await service.people.roster.disable(eve.person.personId);
    expect(await attempt(two)).toEqual(NOT_ACCEPTED);
  });

  test("a person has at most twenty passkeys", async () => {
    const max = await service.signIn("owner", { name: "Max" });
    for (let count = 0; count < 20; count += 1) await added(max, `Key ${count}`);
    const options = await max.data<CreationOptions>("POST", "/passkeys/options");
    const more = { label: "More", response: createSoftwareAuthenticator(ORIGIN).create(options) };
    expect(await max.refusal("POST", "/passkeys", more)).toEqual([
      409,
      "You have 20 passkeys, which is the maximum; remove one",
    ]);
  });

  test.each([
    [{}, "response: is required"],
    [{ response: { id: "a" } }, "response.rawId: is required"],
    [{ response: { id: "a", rawId: "a", type: "password" } }, "response.type: must be public-key"],
    [{ response: { id: "=", rawId: "a", type: "public-key" } }, "response.id: must be base64url"],
  ])("a passkey whose answer is %j is refused by the field", async (body, problem) => {
    const refusal = await browser().refusal("POST", "/sign-in/passkey", body);
    expect(refusal).toEqual([400, problem]);
  });
});

describe("where there can be no passkeys", () => {
  test("an address without a name says what is missing; localhost needs nothing", async () => {
    const plain = await openHarness();
    const none = [
      409,
      "There are no passkeys at this address: they need https and a name, set as PROPGATE_PUBLIC_URL, or localhost",
    ];
    const byAddress = createDashboardClient(plain);
    expect(await byAddress.refusal("POST", "/sign-in/passkey/options")).toEqual(none);
    const origin = `http://localhost:${plain.port}`;
    const local = createDashboardClient({ port: plain.port, origin });
    expect(await local.data("POST", "/sign-in/passkey/options")).toMatchObject({
      rpId: "localhost",
    });
    await plain.close();
  });
});

describe("challenges to authenticators", () => {
  test("challenges to authenticators leave no row, and are bounded for a network", async () => {
    const page = browser();
    const ask = () => page.refusal("POST", "/sign-in/passkey/options");
    await service.time.pass(60_000);
    const before = await service.database.query("select 1 from answered_questions", []);
    for (let count = 0; count < 60; count += 1) expect((await ask())[0]).toBe(200);
    expect(await ask()).toEqual([
      429,
      "Too many passkey challenges were requested; try again in 60 seconds",
    ]);
    await service.time.pass(60_000);
    expect((await ask())[0]).toBe(200);
    expect(await service.database.query("select 1 from answered_questions", [])).toEqual(before);
  });
});

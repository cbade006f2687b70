import { ownerId } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import {
  createDashboardClient,
  type SignedInClient,
  TEST_PASSWORD,
} from "../../testing/dashboard-client.ts";
import { type Harness, openHarness } from "../../testing/harness.ts";
import { createOperatorClient } from "../../testing/operator-client.ts";
import { createSoftwareAuthenticator } from "../../testing/software-authenticator.ts";

const ORIGIN = "https://trade.example.com";
const FIVE_MINUTES_MS = 300_000;
const KEY = { label: "bot", scopes: ["trade:read", "trade:place"] };
const NEXT = "zebra crossing at noon";

type Authenticator = ReturnType<typeof createSoftwareAuthenticator>;
type CreationOptions = Parameters<Authenticator["create"]>[0];
type RequestOptions = Parameters<Authenticator["get"]>[0];

let service: Harness;

beforeAll(async () => {
  service = await openHarness({ publicUrl: ORIGIN });
  return () => service.close();
});

/** A signed-in browser whose client does not confirm calls by itself. */
async function signedIn(role: "owner" | "operator", name: string): Promise<SignedInClient> {
  const { person } = await service.signIn(role, { name });
  const client = createDashboardClient({ port: service.port, origin: ORIGIN, confirms: false });
  await client.data("POST", "/sign-in", { name, password: TEST_PASSWORD });
  return { ...client, person };
}

async function addPasskey(who: SignedInClient): Promise<Authenticator> {
  const device = createSoftwareAuthenticator(ORIGIN);
  const options = await who.data<CreationOptions>("POST", "/passkeys/options");
  await who.data("POST", "/passkeys", { label: "Phone", response: device.create(options) });
  return device;
}

const needed = async (who: SignedInClient, path: string, body?: unknown): Promise<unknown> => {
  const reply = await who.call("POST", path, { body });
  return [reply.status, (reply.json() as { readonly code?: unknown }).code];
};
const NEEDED = [403, "confirmation_needed"];
const confirm = (who: SignedInClient, password = TEST_PASSWORD) =>
  who.refusal("POST", "/confirm", { password });

describe("a password or passkey of the last five minutes", () => {
  test("a fresh password or passkey is asked of an owner for keys, passkeys, webhooks and closing everything, and of nothing else [D13.confirmation]", async () => {
    const ann = await signedIn("owner", "Ann");
    const keys = `/accounts/${service.accountId}/keys`;
    const { key } = await ann.data<{ key: { keyId: string } }>("POST", keys, KEY);
    await service.time.pass(FIVE_MINUTES_MS - 1);
    expect((await ann.refusal("POST", "/passkeys/options"))[0]).toBe(200);
    await service.time.pass(1);
    const webhooks = `/accounts/${service.accountId}/webhooks`;
    for (const [path, body] of [
      [keys, KEY],
      [`/accounts/${service.accountId}/flatten`, { confirm: service.accountId }],
      ["/passkeys/options", {}],
      ["/passkeys", {}],
      [webhooks, {}],
      [`${webhooks}/wh_1/rotate`, {}],
    ] as const) {
      expect(await needed(ann, path, body)).toEqual(NEEDED);
    }
    for (const method of ["PATCH", "DELETE"]) {
      const reply = await ann.call(method, `${webhooks}/wh_1`, { body: {} });
      expect([reply.status, reply.json()]).toMatchObject([403, { code: NEEDED[1] }]);
    }
    for (const act of ["test", "resume", "replay", "deliveries"]) {
      expect(await needed(ann, `${webhooks}/wh_1/${act}`, {})).not.toEqual(NEEDED);
    }
    expect(await ann.data("DELETE", `${keys}/${key.keyId}`)).toEqual({ keyId: key.keyId });
    expect(await ann.data("POST", "/confirm", { password: TEST_PASSWORD })).toEqual({
      confirmedUntilMs: service.time.clock.now() + FIVE_MINUTES_MS,
    });
    expect(await ann.data("POST", keys, KEY)).toBeTruthy();
    await service.time.pass(FIVE_MINUTES_MS);
    expect(await needed(ann, keys, KEY)).toEqual(NEEDED);
  });

  test("a fresh password or passkey is asked of an operator for access, money and halts; the token needs none [D13.confirmation]", async () => {
    const operator = await signedIn("operator", "Olga");
    const owner = await signedIn("owner", "Not Olga");
    await service.time.pass(FIVE_MINUTES_MS);
    const id = operator.person.personId;
    const account = `/accounts/${service.accountId}`;
    const calls = [
      ["POST", "/people", {}],
      ["POST", `/people/${id}/link`, {}],
      ["POST", `/people/${id}/enable`, {}],
      ["POST", "/keys", {}],
      ["POST", "/keys/rekey", { all: 1 }],
      ["POST", "/tokens", {}],
      ["POST", "/payouts/po_1", {}],
      ["POST", "/backup", { database: "x" }],
      ["POST", "/restore/confirm", {}],
      ["POST", `${account}/promote`, {}],
      ["POST", `${account}/offer-pro`, {}],
      ["POST", `${account}/eliminate`, {}],
      ["POST", `${account}/close`, { forfeit: 1 }],
      ["POST", "/programs", {}],
      ["POST", "/funding", {}],
      ["DELETE", "/funding/BTCUSD?atMs=1", undefined],
      ["POST", "/corporate-actions", {}],
      ["DELETE", "/corporate-actions/1", undefined],
      ["POST", "/prices/BTCUSD/use", {}],
      ["POST", "/prices/BTCUSD/auto", { version: -1 }],
      ["POST", "/prices/BTCUSD/halt", {}],
      ["POST", "/accounts", { size: 7, override: true }],
      ["PATCH", "/owners/ann", { accountsMax: 3 }],
      ["POST", "/people/nobody/disable", { pauseKeys: true }],
      ["POST", "/journal/rebuild", { write: true }],
    ] as const;
    for (const [method, path, body] of calls) {
      const reply = await operator.call(method, `/operator${path}`, { body });
      expect([path, reply.status, reply.json()]).toMatchObject([path, 403, { code: NEEDED[1] }]);
      expect(await owner.refusal(method, `/operator${path}`, body)).toEqual([
        403,
        "Only an operator may do this",
      ]);
    }
    const free = [
      ["/people/nobody/disable", { pauseKeys: false }],
      ["/people/nobody/disable", {}],
      ["/journal/rebuild", { write: false }],
      ["/journal/rebuild", {}],
      ["/accounts", { size: 7, override: false }],
      ["/accounts", { size: 7, override: "true" }],
      ["/accounts", { size: 7 }],
      [`${account}/provision`, { all: 1 }],
    ] as const;
    for (const [path, body] of free) {
      expect(await needed(operator, `/operator${path}`, body)).not.toEqual(NEEDED);
    }
    expect((await operator.call("GET", "/operator/people")).status).toBe(200);
    const token = createOperatorClient(service);
    expect((await token.call("POST", `/people/${id}/link`, { body: {} })).status).toBe(200);
    expect((await confirm(operator))[0]).toBe(200);
    for (const [method, path, body] of calls) {
      const reply = await operator.call(method, `/operator${path}`, { body });
      expect(reply.text).not.toContain(NEEDED[1]);
    }
  });

  test("a fresh password or passkey is asked of an operator for a file in which any row overrides a maximum [D13.confirmation] [D13.accountLimit]", async () => {
    const operator = await signedIn("operator", "Otto");
    await service.time.pass(FIVE_MINUTES_MS);
    const send = async (raw: string, type: string, query = "") => {
      const headers = { "Content-Type": type };
      return operator.call("POST", `/operator/accounts/bulk${query}`, { raw, headers });
    };
    const [csv, ndjson] = ["text/csv", "application/x-ndjson"];
    const overriding = [
      ["size,override\n7,\n7,true\n", csv],
      ['{"size":7}\n{"size":7,"override":true}\n', ndjson],
      ['size,"override"\r\n7,"true"', csv],
    ] as const;
    for (const [text, type] of overriding) {
      const reply = await send(text, type);
      expect([reply.status, reply.json()]).toMatchObject([403, { code: NEEDED[1] }]);
    }
    for (const [text, type] of [
      ["size,override\n7,\n7,false\n", csv],
      ["size\n7\n", csv],
      ['{"size":7}\n', ndjson],
      ['{"size":7,"override":"true"}\n', ndjson],
    ] as const) {
      const reply = await send(text, type);
      expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('"status":400')]);
    }
    expect((await send("override,no such\ntrue,1\n", csv)).status).toBe(400);
    expect((await confirm(operator))[0]).toBe(200);
    for (const [text, type] of overriding) expect((await send(text, type)).status).toBe(200);
  });

  test("a fresh password or passkey is not guessed: a few wrong ones, and the next wait; no other person is delayed", async () => {
    const [thief, other] = [await signedIn("owner", "Robbed"), await signedIn("owner", "Other")];
    for (let count = 0; count < 6; count += 1) {
      expect(await confirm(thief, "a guess")).toEqual([403, "password: is not your password"]);
    }
    expect(await confirm(thief)).toEqual([
      429,
      "Too many failed attempts; try again in 30 seconds",
    ]);
    expect((await confirm(other))[0]).toBe(200);
    const { lines } = await service.people.audit.list({
      accountId: null,
      before: null,
      limit: 100,
    });
    const guesses = lines.filter(({ by, deed }) => by === "Robbed" && deed === "confirm");
    expect(guesses.map(({ succeeded }) => succeeded)).toEqual(Array.from(guesses, () => false));
    expect(guesses).toHaveLength(6);
  });

  test("a fresh password or passkey may be a passkey that is older than the session, and no newer or other one", async () => {
    const ann = await signedIn("owner", "Ann");
    const device = await addPasskey(ann);
    await service.time.pass(FIVE_MINUTES_MS);
    expect(await ann.refusal("POST", "/confirm/passkey/options")).toEqual([
      409,
      "You have no passkey that is older than this sign-in; confirm with your password",
    ]);
    const later = await signedIn("owner", "Ann");
    await service.time.pass(FIVE_MINUTES_MS);
    const [bob, carl] = [await signedIn("owner", "Bob"), await signedIn("owner", "Carl")];
    const bobs = await addPasskey(bob);
    await service.time.pass(FIVE_MINUTES_MS);
    const challenge = (who: SignedInClient, path = "/confirm/passkey/options") =>
      who.data<RequestOptions>("POST", path);
    const answer = (who: SignedInClient, response: unknown) =>
      who.refusal("POST", "/confirm/passkey", { response });
    const wrong = [403, "This passkey was not accepted; try again, or confirm with your password"];
    expect(await challenge(later)).toMatchObject({ allowCredentials: [{ id: device.id }] });
    // The thief has added a passkey in the stolen session, or has one of another person.
    expect(await answer(ann, device.get(await challenge(later)))).toEqual(wrong);
    expect(await answer(later, bobs.get(await challenge(later)))).toEqual(wrong);
    // A challenge of the sign-in page is invalid here, and a challenge of this dialog is invalid there. A challenge of
    // another person is invalid, too.
    expect(
      await answer(later, device.get(await challenge(later, "/sign-in/passkey/options"))),
    ).toEqual(wrong);
    expect(await answer(carl, device.get(await challenge(later)))).toEqual(wrong);
    const right = device.get(await challenge(later));
    expect((await later.refusal("POST", "/sign-in/passkey", { response: right }))[0]).toBe(401);
    expect(await needed(later, "/passkeys/options")).toEqual(NEEDED);
    expect((await answer(later, right))[0]).toBe(200);
    expect(await answer(later, right)).toEqual(wrong);
    expect((await later.refusal("POST", "/passkeys/options"))[0]).toBe(200);
  });
});

describe("a thief with a stolen cookie", () => {
  test("a thief with a stolen cookie loses passkeys and keys with the victim's one-time link", async () => {
    const thief = await signedIn("owner", "Victim");
    const device = await addPasskey(thief);
    const created = await thief.data<{ key: { keyId: string }; secret: string }>(
      ...(["POST", `/accounts/${service.accountId}/keys`, KEY] as const),
    );
    const signer = { keyId: created.key.keyId, secret: created.secret };
    const linkFor = async () => (await service.people.links.make(thief.person)).token;
    const page = createDashboardClient({ port: service.port, origin: ORIGIN });
    expect(await page.data("POST", "/link", { token: await linkFor() })).toMatchObject({
      passkeys: 1,
      activeKeys: expect.any(Number),
    });
    await page.data("POST", "/link/use", {
      token: await linkFor(),
      password: NEXT,
      keepPasskeys: true,
    });
    expect(await page.data("GET", "/passkeys")).toHaveLength(1);
    expect((await service.get("account", { signer })).status).toBe(200);
    await page.data("POST", "/link/use", {
      token: await linkFor(),
      password: NEXT,
      revokeKeys: true,
    });
    expect(await page.data("GET", "/passkeys")).toEqual([]);
    const options = await page.data<RequestOptions>("POST", "/sign-in/passkey/options");
    expect(
      (await page.refusal("POST", "/sign-in/passkey", { response: device.get(options) }))[0],
    ).toBe(401);
    expect((await service.get("account", { signer })).status).toBe(401);
  });

  test("trades no longer once the operator has paused the keys of the person, until they are resumed", async () => {
    const token = createOperatorClient(service);
    const owner = ownerId("paused-owner");
    const { accountId } = await token.data("POST", "/accounts", { size: 100_000, ownerId: owner });
    const { person } = await service.signIn("owner", { name: "Paused", ownerId: owner });
    const id = person.personId;
    const made = await token.data("POST", "/keys", { accountId, scopes: KEY.scopes });
    const signer = { keyId: String(made.keyId), secret: String(made.secret) };
    const status = async () => (await service.get("account", { signer })).status;
    const keys = () => token.call("GET", `/people/${id}/keys`);
    expect([await status(), (await keys()).body.data]).toEqual([200, { active: 1, paused: 0 }]);
    expect(await token.data("POST", `/people/${id}/disable`)).toMatchObject({ keys: 0 });
    expect(await status()).toBe(200);
    const disabled = await token.data("POST", `/people/${id}/disable`, { pauseKeys: true });
    expect(disabled).toMatchObject({ keys: 1, disabledAtMs: expect.any(Number) });
    const reply = await service.get("account", { signer });
    expect([reply.status, reply.text]).toEqual([401, '{"error":"Invalid key"}']);
    expect((await keys()).body.data).toEqual({ active: 0, paused: 1 });
    expect(await token.data("POST", `/people/${id}/enable`)).toMatchObject({ keys: 0 });
    expect(await status()).toBe(401);
    expect(await token.data("POST", `/people/${id}/enable`, { resumeKeys: true })).toMatchObject({
      keys: 1,
      disabledAtMs: null,
    });
    expect(await status()).toBe(200);
    expect(await token.refusal("POST", `/people/${id}/disable`, { pauseKeys: 1 })).toEqual([
      400,
      "pauseKeys: must be true or false",
    ]);
  });
});

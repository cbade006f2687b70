import { type CreatedKeyView, type KeyLine, LIMITS } from "@propgate/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { OPERATOR_TOKEN } from "../../../testing/harness.ts";
import { openPagedService, type PagedService } from "../../../testing/page-client.ts";

const BOTH = ["trade:read", "trade:place"];
const REFUSED_ORDER = { execution_type: "MARKET", trade_pair: "NOPAIR", order_type: "LONG" };

describe("the keys of an account", () => {
  let service: PagedService;
  let path: string;
  beforeAll(async () => {
    service = await openPagedService();
    path = `/accounts/${service.accountId}/keys`;
    return () => service.close();
  });

  const lineOf = async (keyId: string): Promise<KeyLine | undefined> =>
    (await service.data<readonly KeyLine[]>(path)).find((key) => key.keyId === keyId);
  const create = async (body: unknown): Promise<CreatedKeyView> => {
    const { status, data, error } = await service.page("POST", path, { body });
    expect([status, error]).toEqual([200, undefined]);
    return data as CreatedKeyView;
  };

  test("the list of keys is live: a key is made, used for a signed call, counted, revoked, and then unknown", async () => {
    const { key, secret } = await create({ label: "bot", scopes: BOTH, addresses: ["127.0.0.1"] });
    const signer = { keyId: key.keyId, secret };
    const nowMs = service.time.clock.now();
    expect(key).toEqual({
      keyId: signer.keyId,
      label: "bot",
      scopes: BOTH,
      addresses: ["127.0.0.1"],
      createdAtMs: nowMs,
      expiresAtMs: null,
      revokedAtMs: null,
      pausedAtMs: null,
      lastUsedAtMs: null,
      lastUsedFrom: null,
      reads: { used: 0, most: 120, windowEndsAtMs: nowMs - (nowMs % 60_000) + 60_000 },
      rejections: { used: 0, most: 30, cooldownUntilMs: null },
    });
    expect(await lineOf(key.keyId)).toEqual(key);

    expect((await service.get("account", { signer })).status).toBe(200);
    expect((await service.get("positions", { signer })).status).toBe(200);
    expect((await service.order(REFUSED_ORDER, { signer })).status).toBe(400);
    expect(await lineOf(key.keyId)).toMatchObject({
      lastUsedAtMs: nowMs,
      lastUsedFrom: "127.0.0.1",
      reads: { used: 2 },
      rejections: { used: 1 },
    });

    expect(await service.page("DELETE", `${path}/${key.keyId}`)).toMatchObject({
      status: 200,
      data: { keyId: key.keyId },
    });
    expect((await service.get("account", { signer })).status).toBe(401);
    expect(await lineOf(key.keyId)).toMatchObject({ revokedAtMs: nowMs });
    expect(await service.page("DELETE", `${path}/${key.keyId}`)).toMatchObject({
      status: 409,
      error: "The key was revoked before",
    });
    const about = {
      subject: key.keyId,
      accountId: service.accountId,
      detail: '"bot", trade:read trade:place, from 127.0.0.1, for ever',
    };
    expect(service.audited.filter(({ about }) => about?.subject === key.keyId)).toEqual([
      { name: "keys.create", status: 200, about },
      { name: "keys.revoke", status: 200, about },
      { name: "keys.revoke", status: 409, about },
    ]);
    expect(JSON.stringify(service.audited)).not.toContain(secret);
  });

  test("a label cannot look like the rest of its line in the audit [D13.visibleNames]", async () => {
    await create({ label: 'x", trade:place', scopes: ["trade:read"] });
    expect(service.audited.at(-1)?.about?.detail).toBe(
      '"x\\", trade:place", trade:read, from anywhere, for ever',
    );
  });

  test("one that expires has its end in the audit", async () => {
    const expiresAtMs = service.time.clock.now() + 3_600_000;
    const { key } = await create({ label: "short", scopes: BOTH, expiresAtMs });
    expect(key.expiresAtMs).toBe(expiresAtMs);
    expect(service.audited.at(-1)?.about?.detail).toContain(
      `until ${new Date(expiresAtMs).toISOString()}`,
    );
  });

  test("reads and rejections of windows that are over do not count", async () => {
    const { key, secret } = await create({ label: "old", scopes: BOTH });
    const signer = { keyId: key.keyId, secret };
    await service.order(REFUSED_ORDER, { signer });
    await service.get("account", { signer });
    // A success sets the count of rejections back to 0, so the next rejection is the only one.
    await service.order(REFUSED_ORDER, { signer });
    expect(await lineOf(key.keyId)).toMatchObject({ reads: { used: 1 }, rejections: { used: 1 } });
    await service.pass(60_000);
    expect(await lineOf(key.keyId)).toMatchObject({ reads: { used: 0 }, rejections: { used: 1 } });
    await service.pass(600_000);
    expect(await lineOf(key.keyId)).toMatchObject({ rejections: { used: 0 } });
  });

  test("thirty rejections show until when the key may place nothing", async () => {
    const { key, secret } = await create({ label: "wrong", scopes: BOTH });
    const signer = { keyId: key.keyId, secret };
    for (let count = 0; count < 30; count += 1) await service.order(REFUSED_ORDER, { signer });
    const cooldownUntilMs = service.time.clock.now() + 900_000;
    expect((await lineOf(key.keyId))?.rejections).toMatchObject({ cooldownUntilMs });
    await service.pass(900_000);
    expect((await lineOf(key.keyId))?.rejections).toMatchObject({ cooldownUntilMs: null });
  });

  test("a key of another account is not revoked here", async () => {
    const other = await service.newKey({ accountId: await service.newAccount() });
    expect(await service.page("DELETE", `${path}/${other.keyId}`)).toMatchObject({
      status: 404,
      error: "Key not found",
    });
    expect((await service.get("account", { signer: other })).status).toBe(200);
  });

  test.each([
    [{}, "label: is required"],
    [{ label: "", scopes: BOTH }, "label: must not be empty"],
    [{ label: "x".repeat(101), scopes: BOTH }, "label: must have at most 100 characters"],
    [{ label: "a\u0000b", scopes: BOTH }, "label: must not contain control characters"],
    [{ label: "bot" }, "scopes: is required"],
    [{ label: "bot", scopes: [] }, "scopes: must name a scope"],
    [{ label: "bot", scopes: ["all"] }, "scopes[0]: must be one of trade:read, trade:place"],
    [
      { label: "bot", scopes: BOTH, expiresAtMs: 946_684_800_000 },
      "expiresAtMs: must lie in the future",
    ],
    [
      { label: "bot", scopes: BOTH, expiresAtMs: 9e15 },
      "expiresAtMs: must be a time in Unix milliseconds between 2000 and 2100, not 9000000000000000",
    ],
    [
      { label: "bot", scopes: BOTH, addresses: ["10.0.0.0/33"] },
      "addresses[0]: must be an address or CIDR block, without a zone",
    ],
    [{ label: "bot", scopes: BOTH, accountId: "x" }, "accountId: no such field"],
  ])("%j is refused: %s", async (body, error) => {
    expect(await service.page("POST", path, { body })).toMatchObject({ status: 400, error });
  });

  test("the keys of an account are as many as an account may have, and no more [D12.activeKeys]", async () => {
    const accountId = await service.newAccount();
    const [first] = await Promise.all(
      Array.from({ length: LIMITS.activeKeysMax }, () => service.newKey({ accountId })),
    );
    const keys = `/accounts/${accountId}/keys`;
    const body = { label: "one more", scopes: BOTH };
    expect(await service.page("POST", keys, { body })).toMatchObject({
      status: 409,
      error: "The account has 50 active keys, which is the maximum; revoke one first",
    });
    const byOperator = async (): Promise<unknown> => {
      const reply = await service.call("/operator/v1/keys", {
        signer: null,
        method: "POST",
        headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` },
        body: JSON.stringify({ accountId, scopes: BOTH }),
      });
      return { status: reply.status, ...(reply.json() as object) };
    };
    expect(await byOperator()).toMatchObject({ status: 409, code: "key_limit" });
    await service.page("DELETE", `${keys}/${first?.keyId}`);
    expect((await service.page("POST", keys, { body })).status).toBe(200);
    expect(await byOperator()).toMatchObject({ status: 409, code: "key_limit" });
  });
});

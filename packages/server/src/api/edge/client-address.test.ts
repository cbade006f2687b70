import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, OPERATOR_TOKEN, openHarness } from "../../testing/harness.ts";
import { type Signer, sendRequest, signedHeaders } from "../../testing/signed-request.ts";

const CLIENT = "203.0.113.7";
const STRANGER = "198.51.100.66";

describe("the address of a request behind a trusted proxy [D10.addressOnce]", () => {
  let service: Harness;
  let key: Signer;
  beforeAll(async () => {
    service = await openHarness({ trustedProxies: ["127.0.0.1", "10.9.0.0/16"] });
    key = await service.newKey({ addresses: [CLIENT], label: "listed" });
    return () => service.close();
  });

  const account = (forwarded: string, signer: Signer = key) =>
    service.get("account", { signer, headers: { "X-Forwarded-For": forwarded } });

  const lastUsedFrom = async (signer: Signer): Promise<string | null | undefined> => {
    const keys = await service.keys.list(service.accountId);
    return keys.find(({ keyId }) => keyId === signer.keyId)?.lastUsedFrom;
  };

  test.each([
    ["the client's own", CLIENT],
    ["two trusted proxies", `${CLIENT}, 10.9.1.1`],
    ["a client that writes hops of its own", `10.0.0.1, ${STRANGER}, ${CLIENT}`],
    ["IPv4 in IPv6", `::ffff:${CLIENT}`],
    ["an address with a port", `${CLIENT}:54321`],
    ["proxies with ports", `${CLIENT}:54321, 10.9.1.1:443`],
    ["IPv4 in IPv6 with a port", `[::ffff:${CLIENT}]:443`],
    ["an address in brackets", `[::ffff:${CLIENT}]`],
    ["a header of 10 kB", `${"1.1.1.1, ".repeat(1_100)}${CLIENT}`],
  ])("a trusted proxy's listed client is allowed: %s", async (_, forwarded) => {
    expect((await account(forwarded)).status).toBe(200);
    expect(await lastUsedFrom(key)).toBe(CLIENT);
  });

  test.each([
    ["another client", STRANGER],
    ["a forged hop on the left", `${CLIENT}, ${STRANGER}`],
    ["a forged trusted hop", `${CLIENT}, ${STRANGER}, 10.9.1.1`],
    ["no header", ""],
    ["no address", "garbage"],
    ["another client with a port", `${STRANGER}:4711`],
    ["a port that is none", `${CLIENT}:http`],
    ["a forged hop before one with a port", `${CLIENT}:1, ${STRANGER}:2, 10.9.1.1:3`],
    ["an address with a zone", "fe80::1%eth0"],
  ])("a trusted proxy's other client is rejected: %s", async (_, forwarded) => {
    const reply = await account(forwarded);
    expect([reply.status, reply.text]).toEqual([401, '{"error":"Invalid key"}']);
  });

  test("a client outside the list cannot distinguish a listed key from an unknown one [D2.4]", async () => {
    const listed = await account(STRANGER);
    const unknown = await account(STRANGER, { keyId: "pk_00000000000000000000", secret: "x" });
    const unsigned = await account(STRANGER, { ...key, secret: "x" });
    for (const reply of [unknown, unsigned]) {
      expect([reply.status, reply.text]).toEqual([listed.status, listed.text]);
      expect(Object.keys(reply.headers).toSorted()).toEqual(Object.keys(listed.headers).toSorted());
    }
    expect(listed.headers["x-service-seen-target"]).toBeUndefined();
  });

  test("several headers count as one list, and the last address counts", async () => {
    const target = "/api/v1/trading/account";
    const send = async (...forwarded: string[]): Promise<number> => {
      const timestamp = String(service.time.clock.now());
      const nonce = `several-${forwarded[0]}`;
      const signed = signedHeaders(key, { method: "GET", target, body: "", timestamp, nonce });
      const headers = { ...signed, "X-Forwarded-For": forwarded };
      return (await sendRequest({ port: service.port, path: target, headers })).status;
    };
    expect(await send(STRANGER, CLIENT)).toBe(200);
    expect(await send(CLIENT, STRANGER)).toBe(401);
  });

  test("a key without a list records the client and not the proxy, garbage as the proxy", async () => {
    const signer = await service.newKey();
    expect((await account(STRANGER, signer)).status).toBe(200);
    expect(await lastUsedFrom(signer)).toBe(STRANGER);
    expect((await account("garbage", signer)).status).toBe(200);
    expect(await lastUsedFrom(signer)).toBe("127.0.0.1");
  });

  test("the operator's log and audit have the same address", async () => {
    const reply = await service.call("/operator/v1/keys", {
      method: "POST",
      signer: null,
      body: JSON.stringify({
        accountId: service.accountId,
        scopes: ["trade:read"],
        addresses: ["fe80::1%eth0"],
      }),
      headers: { Authorization: `Bearer ${OPERATOR_TOKEN}`, "X-Forwarded-For": `::ffff:${CLIENT}` },
    });
    expect([reply.status, reply.json()]).toEqual([
      400,
      {
        error: "addresses[0]: must be an address or CIDR block, without a zone",
        code: "invalid",
        field: "addresses[0]",
      },
    ]);
    expect(service.logged.some((line) => line.includes(`"from":"${CLIENT}"`))).toBe(true);
  });

  test("an owner's key with a zone in its list is refused by the field's name", async () => {
    const owner = await service.signIn("owner");
    const reply = await owner.call("POST", `/accounts/${service.accountId}/keys`, {
      body: { label: "zone", scopes: ["trade:read"], addresses: ["10.0.0.1", "fe80::1%eth0"] },
    });
    expect(reply).toMatchObject({ status: 400 });
    expect(JSON.stringify(reply)).toContain("addresses[1]: must be an address or CIDR block");
  });
});

describe("the address of a request without trusted proxies [D10.addressOnce]", () => {
  test("the address of a request without trusted proxies is the connection's, regardless of X-Forwarded-For", async () => {
    const service = await openHarness();
    const key = await service.newKey({ addresses: [CLIENT] });
    const reply = await service.get("account", {
      signer: key,
      headers: { "X-Forwarded-For": CLIENT },
    });
    expect(reply.status).toBe(401);
    await service.close();
  });
});

import { describe, expect, test } from "vitest";
import { createDashboardClient, TEST_PASSWORD } from "../../testing/dashboard-client.ts";
import { type Harness, openHarness } from "../../testing/harness.ts";

const PUBLIC = "https://trade.example.com";
const OTHER =
  "Origin: is not this service's; PROPGATE_PUBLIC_URL must be the address that the browser shows";
const MISSING = "Origin: is required of a call that changes something";
const BODY = { name: "owner", password: TEST_PASSWORD };

async function withService(
  options: Parameters<typeof openHarness>[0],
  work: (service: Harness) => Promise<void>,
): Promise<void> {
  const service = await openHarness(options);
  try {
    await service.signIn("owner");
    await work(service);
  } finally {
    await service.close();
  }
}

describe("a call that changes something comes from the service's own page", () => {
  test("a call that changes something must come from the address that the browser asked for", async () => {
    await withService({}, async (service) => {
      const send = async (headers: Record<string, string>): Promise<unknown> => {
        const page = createDashboardClient(service);
        const reply = await page.call("POST", "/sign-in", { body: BODY, headers });
        return reply.status === 200 ? 200 : (reply.json() as { error: unknown }).error;
      };
      const { port } = service;
      expect(await send({})).toBe(200);
      expect(await send({ Origin: "" })).toBe(MISSING);
      expect(await send({ Origin: "null" })).toBe(OTHER);
      expect(await send({ Origin: "https://evil.example" })).toBe(OTHER);
      expect(await send({ Origin: `https://127.0.0.1:${port}` })).toBe(OTHER);
      expect(await send({ Origin: `http://127.0.0.1:${port + 1}` })).toBe(OTHER);
      expect(await send({ Origin: `http://localhost:${port}` })).toBe(OTHER);
      const local = { Host: `localhost:${port}`, Origin: `http://localhost:${port}` };
      expect(await send(local)).toBe(200);
      expect(await send({ "Sec-Fetch-Site": "cross-site" })).toBe(
        "Another site's page may not call this",
      );
    });
  });

  test("a call that changes something must come from the address that the settings name, or from this machine", async () => {
    await withService({ publicUrl: PUBLIC }, async (service) => {
      const send = async (headers: Record<string, string>): Promise<number> =>
        (await createDashboardClient(service).call("POST", "/sign-in", { body: BODY, headers }))
          .status;
      const { port } = service;
      expect(await send({ Host: "trade.example.com", Origin: PUBLIC })).toBe(200);
      // A proxy may send another host to the service than the browser shows.
      expect(await send({ Host: "propgate.internal:8787", Origin: PUBLIC })).toBe(200);
      expect(await send({})).toBe(200);
      expect(await send({ Host: `localhost:${port}`, Origin: `http://localhost:${port}` })).toBe(
        200,
      );
      const itself = { Host: "propgate.internal:8787", Origin: "http://propgate.internal:8787" };
      expect(await send(itself)).toBe(403);
      expect(await send({ Host: "evil.example", Origin: "http://evil.example" })).toBe(403);
      expect(await send({ Origin: "http://trade.example.com" })).toBe(403);
    });
  });

  test("a call from another page is not even looked at: neither body nor session", async () => {
    await withService({}, async (service) => {
      const ann = await service.signIn("owner");
      const foreign = { Origin: "https://evil.example" };
      const out = await ann.call("POST", "/sign-out", { headers: foreign });
      expect([out.status, out.json()]).toMatchObject([403, { error: OTHER }]);
      const broken = await ann.call("POST", "/sign-in", { raw: "{", headers: foreign });
      expect(broken.status).toBe(403);
      expect(await ann.data("GET", "/session")).toBeTruthy();
    });
  });

  test("a read needs no origin, but another site's page may not do that either", async () => {
    await withService({}, async (service) => {
      const ann = await service.signIn("owner");
      const read = async (site: string): Promise<number> => {
        const headers = { "Sec-Fetch-Site": site };
        return (await ann.call("GET", "/session", { headers })).status;
      };
      expect(await read("")).toBe(200);
      expect(await read("none")).toBe(200);
      expect(await read("cross-site")).toBe(403);
    });
  });

  test("no answer invites other sites, and none is kept", async () => {
    await withService({}, async (service) => {
      const page = createDashboardClient(service);
      const replies = [
        await page.call("POST", "/sign-in", { body: BODY }),
        await page.call("GET", "/session"),
        await page.call("GET", "/session", { headers: { Origin: "https://evil.example" } }),
        await page.call("OPTIONS", "/sign-in", { headers: { Origin: "https://evil.example" } }),
        await page.call("POST", "/sign-in", { headers: { Origin: "https://evil.example" } }),
      ];
      for (const { headers } of replies) {
        expect(headers["cache-control"]).toBe("no-store");
        expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual(
          [],
        );
      }
    });
  });
});

describe("the cookie", () => {
  const setBy = async (publicUrl: string | null): Promise<readonly [string, string]> => {
    const service = await openHarness(publicUrl === null ? {} : { publicUrl });
    await service.signIn("owner");
    const page = createDashboardClient({
      port: service.port,
      ...(publicUrl === null ? {} : { origin: publicUrl }),
    });
    const [set = ""] =
      (await page.call("POST", "/sign-in", { body: BODY })).headers["set-cookie"] ?? [];
    const [gone = ""] = (await page.call("POST", "/sign-out")).headers["set-cookie"] ?? [];
    await service.close();
    return [set.replace(/=[\w-]{43};/, "=TOKEN;"), gone];
  };

  test("the cookie is no script's, no other site's and, with https, no other host's", async () => {
    expect(await setBy(PUBLIC)).toEqual([
      "__Host-propgate_session=TOKEN; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=604800",
      "__Host-propgate_session=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0",
    ]);
    const plain = [
      "propgate_session=TOKEN; Path=/; HttpOnly; SameSite=Strict; Max-Age=604800",
      "propgate_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0",
    ];
    expect(await setBy(null)).toEqual(plain);
    expect(await setBy("http://trade.lan:8787")).toEqual(plain);
  });
});

import { type IncomingMessage, request } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import {
  createDashboardClient,
  type SignedInClient,
  TEST_PASSWORD,
} from "../../testing/dashboard-client.ts";
import { type Harness, openHarness } from "../../testing/harness.ts";

const NOT_SIGNED_IN = [401, "Not signed in"];
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NEXT = "another long password";

let service: Harness;

beforeAll(async () => {
  service = await openHarness();
  return () => service.close();
});

interface Line {
  readonly sessionId: string;
  readonly current: boolean;
}

describe("a session", () => {
  test("every call without a session is refused, with any cookie", async () => {
    const stranger = createDashboardClient(service);
    expect(await stranger.refusal("GET", "/session")).toEqual(NOT_SIGNED_IN);
    expect(await stranger.refusal("POST", "/sign-out")).toEqual(NOT_SIGNED_IN);
    for (const token of ["", "x", "A".repeat(43), "A".repeat(44)]) {
      const headers = { Cookie: `a=1; propgate_session=${token}; b=2` };
      expect((await stranger.call("GET", "/session", { headers })).status).toBe(401);
    }
  });

  test("a session goes on for twelve hours after the last call, and ends after seven days all the same", async () => {
    const ann = await service.signIn("owner", { name: "Ann" });
    const { endsAtMs } = await ann.data<{ endsAtMs: number }>("GET", "/session");
    for (let count = 0; count < 15; count += 1) {
      await service.time.pass(11 * HOUR_MS);
      const view = await ann.data("GET", "/session");
      const idleEndsAtMs = Math.min(service.time.clock.now() + 12 * HOUR_MS, endsAtMs);
      expect(view).toMatchObject({ endsAtMs, idleEndsAtMs });
    }
    await service.time.pass(endsAtMs - service.time.clock.now() - 1);
    await ann.data("GET", "/session");
    await service.time.pass(1);
    expect(await ann.refusal("GET", "/session")).toEqual(NOT_SIGNED_IN);
  });

  test("a session ends after twelve hours of nothing", async () => {
    const ann = await service.signIn("owner", { name: "Ann" });
    await service.time.pass(12 * HOUR_MS);
    expect(await ann.refusal("GET", "/session")).toEqual(NOT_SIGNED_IN);
  });

  test("a session is written down once a minute at most", async () => {
    const ann = await service.signIn("owner", { name: "Ann" });
    const lastSeen = async (): Promise<unknown> =>
      (await ann.data<{ lastSeenAtMs: number }[]>("GET", "/sessions"))[0]?.lastSeenAtMs;
    const beganAtMs = service.time.clock.now();
    await service.time.pass(MINUTE_MS - 1);
    expect(await lastSeen()).toBe(beganAtMs);
    await service.time.pass(1);
    expect(await lastSeen()).toBe(beganAtMs + MINUTE_MS);
  });

  test("a session ends when its person signs out, in one browser or everywhere", async () => {
    const [one, two, three] = await Promise.all([
      service.signIn("owner", { name: "Out 1" }),
      service.signIn("operator", { name: "Out 2" }),
      service.signIn("operator", { name: "Out 3" }),
    ]);
    const headers = { Cookie: one.cookie() };
    expect(await one.data("POST", "/sign-out")).toEqual({});
    expect(one.cookie()).toBe("");
    expect((await one.call("GET", "/session", { headers })).status).toBe(401);
    const elsewhere = await service.signIn("operator", { name: "Out 2" });
    await two.data("POST", "/sign-out-everywhere");
    expect(await elsewhere.refusal("GET", "/session")).toEqual(NOT_SIGNED_IN);
    expect(await three.data("GET", "/session")).toBeTruthy();
  });
});

describe("the list of sessions", () => {
  test("the list of sessions is the newest first, and each can be ended by its person alone", async () => {
    const laptop = await service.signIn("owner", { name: "Lists" });
    await service.time.pass(MINUTE_MS);
    const phone = createDashboardClient({ ...service, browser: "Phone ".repeat(100) });
    await phone.data("POST", "/sign-in", { name: "lists", password: TEST_PASSWORD });
    const nowMs = service.time.clock.now();
    const lines = await laptop.data<Line[]>("GET", "/sessions");
    expect(lines).toEqual([
      {
        sessionId: expect.any(String),
        current: false,
        address: "127.0.0.1",
        signedInAtMs: nowMs,
        lastSeenAtMs: nowMs,
        browser: "Phone ".repeat(100).slice(0, 200),
      },
      {
        sessionId: expect.any(String),
        current: true,
        address: "127.0.0.1",
        signedInAtMs: nowMs - MINUTE_MS,
        lastSeenAtMs: nowMs,
        browser: "Test browser",
      },
    ]);
    const sessionId = lines[0]?.sessionId ?? "";
    const other = await service.signIn("operator", { name: "Other" });
    const missing = [404, "Session not found, or ended before"];
    expect(await other.refusal("DELETE", `/sessions/${sessionId}`)).toEqual(missing);
    for (const id of ["no-uuid", "%00", "-".repeat(36)]) {
      expect(await laptop.refusal("DELETE", `/sessions/${id}`)).toEqual(missing);
    }
    expect(await laptop.data("DELETE", `/sessions/${sessionId}`)).toEqual({ sessionId });
    expect(await laptop.refusal("DELETE", `/sessions/${sessionId}`)).toEqual(missing);
    expect(await phone.refusal("GET", "/session")).toEqual(NOT_SIGNED_IN);
  });
});

describe("a live stream", () => {
  /** Opens a stream without reading it. The returned promise settles when the stream has ended. */
  const openStream = async (who: SignedInClient) => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const path = `/dashboard/v1/accounts/${service.accountId}/live`;
      const headers = { Cookie: who.cookie() };
      request({ port: service.port, path, headers, agent: false }, resolve)
        .on("error", reject)
        .end();
    });
    expect(response.statusCode).toBe(200);
    const ended = new Promise<"ended">((resolve) => response.once("end", () => resolve("ended")));
    response.resume();
    return { response, ended };
  };

  test.each([
    ["sign-out", (who: SignedInClient) => who.data("POST", "/sign-out")],
    ["sign-out everywhere", (who: SignedInClient) => who.data("POST", "/sign-out-everywhere")],
    ["disabling", ({ person }: SignedInClient) => service.people.roster.disable(person.personId)],
    [
      "another sign-in in the same browser",
      (who: SignedInClient) =>
        who.data("POST", "/sign-in", { name: who.person.name, password: TEST_PASSWORD }),
    ],
    [
      "the use of a link",
      async ({ person }: SignedInClient) => {
        const { token } = await service.people.links.make(person);
        await createDashboardClient(service).data("POST", "/link/use", { token, password: NEXT });
      },
    ],
    [
      "another password, set elsewhere",
      async ({ person: { name } }: SignedInClient) => {
        const elsewhere = await service.signIn("owner", { name });
        const next = "zebra crossing at noon";
        await elsewhere.data("POST", "/password", { current: TEST_PASSWORD, next });
      },
    ],
  ])("a live stream ends with %s, without a moment's wait", async (what, deed) => {
    const who = await service.signIn("owner", { name: `Watches ${what}` });
    const { ended } = await openStream(who);
    await deed(who);
    expect(await ended).toBe("ended");
  });

  test("a live stream ends also when another node has ended its session", async () => {
    const gone = await service.signIn("owner", { name: "Gone" });
    const kept = await service.signIn("owner", { name: "Kept" });
    const [first, second] = [await openStream(gone), await openStream(kept)];
    await service.database.query("delete from sessions where person_id = $1", [
      gone.person.personId,
    ]);
    const over: string[] = [];
    void first.ended.then(() => over.push("gone"));
    void second.ended.then(() => over.push("kept"));
    for (let look = 0; look < 10 && over.length === 0; look += 1) {
      await service.time.pass(1_000);
      await kept.data("GET", "/session");
    }
    expect(over).toEqual(["gone"]);
    second.response.destroy();
  });
});

describe("another password", () => {
  test("another password needs the current one, and ends the person's other sessions", async () => {
    const laptop = await service.signIn("owner", { name: "Changes" });
    const phone = await service.signIn("owner", { name: "Changes" });
    const change = (current: string, next: string) =>
      laptop.refusal("POST", "/password", { current, next });
    expect(await change("not the password", NEXT)).toEqual([403, "current: is not your password"]);
    expect(await change(TEST_PASSWORD, "too short")).toEqual([
      400,
      "next: must have at least 12 characters",
    ]);
    expect(await phone.data("GET", "/session")).toBeTruthy();
    expect(await laptop.data("POST", "/password", { current: TEST_PASSWORD, next: NEXT })).toEqual(
      {},
    );
    expect(await laptop.data("GET", "/session")).toMatchObject({ person: { name: "Changes" } });
    expect(await phone.refusal("GET", "/session")).toEqual(NOT_SIGNED_IN);
    const signIn = (password: string) =>
      phone.refusal("POST", "/sign-in", { name: "changes", password });
    expect((await signIn(TEST_PASSWORD))[0]).toBe(401);
    expect((await signIn(NEXT))[0]).toBe(200);
  });

  test("another password cannot be guessed from a session that was stolen", async () => {
    const thief = await service.signIn("owner", { name: "Stolen" });
    const guess = () => thief.refusal("POST", "/password", { current: "a guess", next: NEXT });
    for (let count = 0; count < 6; count += 1) expect((await guess())[0]).toBe(403);
    expect(await guess()).toEqual([429, "Too many failed attempts; try again in 30 seconds"]);
  });
});

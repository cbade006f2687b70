import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDashboardClient, TEST_PASSWORD } from "../../testing/dashboard-client.ts";
import { type Harness, OWNER, openHarness } from "../../testing/harness.ts";

const WRONG = [401, "Wrong name or password. Passwords are case-sensitive."];
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let service: Harness;

beforeAll(async () => {
  service = await openHarness();
  return () => service.close();
});
// Passes the time after which failed attempts of the previous test no longer count.
beforeEach(() => service.time.pass(2 * DAY_MS));

const attempt = (name: string, password: string) =>
  createDashboardClient(service).refusal("POST", "/sign-in", { name, password });

describe("signing in with a password", () => {
  test("signing in with a password begins a session that the cookie carries", async () => {
    const ann = await service.signIn("owner", { name: "Ann" });
    const nowMs = service.time.clock.now();
    expect(await ann.data("GET", "/session")).toEqual({
      person: { personId: ann.person.personId, name: "Ann", role: "owner", ownerId: OWNER },
      sessionId: expect.any(String),
      signedInAtMs: nowMs,
      idleEndsAtMs: nowMs + 12 * 60 * MINUTE_MS,
      endsAtMs: nowMs + 7 * DAY_MS,
      brand: "Service",
      networkName: "Propgate",
      baseUrl: ann.origin,
    });
  });

  test("signing in with a password takes the name in any case, and a password that another keyboard writes otherwise", async () => {
    const person = await service.people.roster.add({
      name: "Zoë",
      role: "operator",
      ownerId: null,
    });
    if (person === null) throw new Error("the name is taken");
    const { token } = await service.people.links.make(person);
    const page = createDashboardClient(service);
    await page.data("POST", "/link/use", { token, password: "pässwörd of mine" });
    const decomposed = { name: "ZOE\u0308", password: "pa\u0308sswo\u0308rd of mine" };
    expect(await page.data("POST", "/sign-in", decomposed)).toMatchObject({
      person: { name: "Zoë", ownerId: null },
    });
  });

  test("a wrong password, an unknown name and a disabled person get one answer", async () => {
    await service.signIn("owner", { name: "Careless" });
    const bob = await service.signIn("operator", { name: "Bob" });
    await service.people.roster.disable(bob.person.personId);
    expect(await attempt("careless", "not the password")).toEqual(WRONG);
    expect(await attempt("an unknown name", TEST_PASSWORD)).toEqual(WRONG);
    expect(await attempt("bob", TEST_PASSWORD)).toEqual(WRONG);
    expect(await bob.refusal("GET", "/session")).toEqual([401, "Not signed in"]);
    await service.people.roster.enable(bob.person.personId);
    expect(await bob.refusal("GET", "/session")).toEqual([401, "Not signed in"]);
    expect(
      await bob.data("POST", "/sign-in", { name: "bob", password: TEST_PASSWORD }),
    ).toBeTruthy();
  });

  test("a person without a password cannot sign in with an empty one", async () => {
    await service.people.roster.add({ name: "New", role: "operator", ownerId: null });
    expect(await attempt("new", "")).toEqual(WRONG);
    expect(await attempt("new", TEST_PASSWORD)).toEqual(WRONG);
  });

  test("signing in again in the same browser ends the session before", async () => {
    const ann = await service.signIn("owner", { name: "Twice" });
    const { sessionId } = await ann.data("GET", "/session");
    await ann.data("POST", "/sign-in", { name: "Twice", password: TEST_PASSWORD });
    const sessions = await ann.data<{ sessionId: string }[]>("GET", "/sessions");
    expect(sessions.map((one) => one.sessionId)).not.toContain(sessionId);
    expect(sessions).toHaveLength(1);
  });

  test.each([
    [{}, "name: is required"],
    [{ name: "", password: "x" }, "name: must not be empty"],
    [{ name: "a".repeat(65), password: "x" }, "name: must have at most 64 characters"],
    [{ name: "ann" }, "password: is required"],
    [{ name: "ann", password: 7 }, "password: must be a string"],
    [{ name: "ann", password: "x".repeat(257) }, "password: must have at most 256 characters"],
    [{ name: "ann", password: "x", code: 1 }, "code: no such field"],
  ])("%j is refused by the field", async (body, problem) => {
    expect(await createDashboardClient(service).refusal("POST", "/sign-in", body)).toEqual([
      400,
      problem,
    ]);
  });
});

describe("how often one may guess", () => {
  test("five failures are free, then each costs a longer wait, which the answer tells", async () => {
    await service.signIn("owner", { name: "Guessed" });
    for (let count = 0; count < 6; count += 1) {
      expect(await attempt("guessed", "not the password")).toEqual(WRONG);
    }
    const blocked = await createDashboardClient(service).call("POST", "/sign-in", {
      body: { name: "GUESSED", password: TEST_PASSWORD },
    });
    expect([blocked.status, blocked.json(), blocked.headers["retry-after"]]).toEqual([
      429,
      { error: "Too many failed attempts; try again in 30 seconds", code: "too_many" },
      "30",
    ]);
    await service.time.pass(29_000);
    expect(await attempt("guessed", TEST_PASSWORD)).toEqual([
      429,
      "Too many failed attempts; try again in 1 second",
    ]);
    await service.time.pass(1_000);
    expect(await attempt("guessed", "not the password")).toEqual(WRONG);
    await service.time.pass(59_000);
    expect((await attempt("guessed", TEST_PASSWORD))[0]).toBe(429);
    await service.time.pass(1_000);
    expect((await attempt("guessed", TEST_PASSWORD))[0]).toBe(200);
    // The success has made the service forget the failures, so it counts from the first one again.
    for (let count = 0; count < 6; count += 1) {
      expect(await attempt("guessed", "not the password")).toEqual(WRONG);
    }
    expect((await attempt("guessed", TEST_PASSWORD))[0]).toBe(429);
  });

  test("a browser in which the person has signed in before is let in while strangers are not", async () => {
    const own = await service.signIn("owner", { name: "Besieged" });
    await own.data("POST", "/sign-out");
    const attempt = { name: "besieged", password: TEST_PASSWORD };
    const stranger = createDashboardClient(service);
    for (let count = 0; count < 6; count += 1) {
      await stranger.refusal("POST", "/sign-in", { ...attempt, password: "a guess" });
    }
    expect((await stranger.refusal("POST", "/sign-in", attempt))[0]).toBe(429);
    expect(await own.data("POST", "/sign-in", attempt)).toBeTruthy();
    expect((await stranger.refusal("POST", "/sign-in", attempt))[0]).toBe(429);
    // The browser is no longer accepted once the service has forgotten it. Disabling the person makes the service
    // forget the browsers; the use of a one-time link does too.
    await service.people.roster.disable(own.person.personId);
    await service.people.roster.enable(own.person.personId);
    expect((await own.refusal("POST", "/sign-in", attempt))[0]).toBe(429);
  });

  test("an unknown name is slowed down like a known one", async () => {
    const answers: number[] = [];
    for (let count = 0; count < 7; count += 1) {
      answers.push((await attempt("no such name", "not the password"))[0]);
    }
    expect(answers).toEqual([401, 401, 401, 401, 401, 401, 429]);
  });

  test("guesses side by side gain nothing", async () => {
    await service.signIn("owner", { name: "Hurried" });
    const many = Array.from({ length: 15 }, () => attempt("hurried", "not the password"));
    const statuses = (await Promise.all(many)).map(([status]) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(6);
    expect(statuses.filter((status) => status === 429)).toHaveLength(9);
  });

  test("many names from one address are too many as well; who signs in there is not one", async () => {
    await service.signIn("owner", { name: "Regular" });
    for (let count = 0; count < 40; count += 1) {
      expect((await attempt("regular", TEST_PASSWORD))[0]).toBe(200);
    }
    for (let count = 0; count < 21; count += 1) {
      expect(await attempt(`name ${count}`, "not the password")).toEqual(WRONG);
    }
    expect((await attempt("regular", TEST_PASSWORD))[0]).toBe(429);
    await service.time.pass(30_000);
    expect((await attempt("regular", TEST_PASSWORD))[0]).toBe(200);
  });
});

describe("where a call comes from, behind a proxy", () => {
  const FORWARDED = { "X-Forwarded-For": "203.0.113.9" };
  const addressSeen = async (trustedProxies: readonly string[]): Promise<unknown> => {
    const behind = await openHarness({ trustedProxies });
    const ann = await behind.signIn("owner");
    const body = { name: "owner", password: TEST_PASSWORD };
    await ann.call("POST", "/sign-in", { body, headers: FORWARDED });
    const [session] = await ann.data<{ address: string }[]>("GET", "/sessions");
    await behind.close();
    return session?.address;
  };

  test("a call comes from the address that a trusted proxy says, and else from the proxy", async () => {
    expect(await addressSeen(["10.0.0.0/8", "127.0.0.1"])).toBe("203.0.113.9");
    expect(await addressSeen([])).toBe("127.0.0.1");
    expect(await addressSeen(["10.0.0.0/8"])).toBe("127.0.0.1");
  });
});

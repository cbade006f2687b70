import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dashboardClient, TEST_PASSWORD } from "../testing/dashboard-client.ts";
import { type Harness, OWNER, openHarness } from "../testing/harness.ts";

let service: Harness;

beforeAll(async () => {
  service = await openHarness();
});
afterAll(() => service.close());

describe("signing in with a password", () => {
  test("begins a session that the cookie carries", async () => {
    const ann = await service.signIn("owner", { name: "Ann" });
    const view = await ann.data("GET", "/session");
    expect(view).toEqual({
      person: { personId: ann.person.personId, name: "Ann", role: "owner", ownerId: OWNER },
      sessionId: expect.any(String),
      signedInAtMs: service.time.clock.now(),
      idleEndsAtMs: service.time.clock.now() + 12 * 3_600_000,
      endsAtMs: service.time.clock.now() + 7 * 86_400_000,
      brand: "Service",
      networkName: "Propgate",
      baseUrl: ann.origin,
    });
  });

  test("without a session nothing is told", async () => {
    const stranger = dashboardClient(service);
    expect(await stranger.refusal("GET", "/session")).toEqual([401, "Not signed in"]);
    expect(await stranger.refusal("POST", "/sign-out")).toEqual([401, "Not signed in"]);
  });

  test("a wrong password, an unknown name and a disabled person get one answer", async () => {
    const bob = await service.signIn("operator", { name: "Bob" });
    await service.people.roster.disable(bob.person.personId);
    const stranger = dashboardClient(service);
    const wrong = [401, "Name or password is wrong"];
    const attempt = (name: string, password: string) =>
      stranger.refusal("POST", "/sign-in", { name, password });
    expect(await attempt("ann", "not the password")).toEqual(wrong);
    expect(await attempt("nobody at all", TEST_PASSWORD)).toEqual(wrong);
    expect(await attempt("bob", TEST_PASSWORD)).toEqual(wrong);
    expect(await bob.refusal("GET", "/session")).toEqual([401, "Not signed in"]);
  });
});

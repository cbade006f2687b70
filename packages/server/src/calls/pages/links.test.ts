import { beforeAll, describe, expect, test } from "vitest";
import { createDashboardClient, TEST_PASSWORD } from "../../testing/dashboard-client.ts";
import { type DatabaseOutage, databaseWithOutage } from "../../testing/database-outage.ts";
import { type Harness, OWNER, openHarness } from "../../testing/harness.ts";
import { openTestDatabase } from "../../testing/open-test-database.ts";

const GONE = [
  404,
  "This link was used before, has expired or was replaced by a newer one; ask the operator for another",
];
const DAY_MS = 86_400_000;
const PASSWORD = "my first password";

let service: Harness;

beforeAll(async () => {
  service = await openHarness();
  return () => service.close();
});

async function newcomer(name: string) {
  const { roster, links } = service.people;
  const person = await roster.add({ name, role: "owner", ownerId: OWNER });
  if (person === null) throw new Error("the name is taken");
  return { person, ...(await links.make(person)) };
}

const page = () => createDashboardClient(service);
const look = (token: string) => page().refusal("POST", "/link", { token });
const use = (token: string, password = PASSWORD) =>
  page().refusal("POST", "/link/use", { token, password });

describe("a link that gives a password", () => {
  test("a link says whose it is, works once, and signs in", async () => {
    const { token, expiresAtMs, person } = await newcomer("Ann");
    expect(await page().data("POST", "/link", { token })).toEqual({
      name: "Ann",
      role: "owner",
      expiresAtMs,
      passkeys: 0,
      activeKeys: 1,
    });
    expect(expiresAtMs).toBe(service.time.clock.now() + DAY_MS);
    const browser = page();
    const view = await browser.data("POST", "/link/use", { token, password: PASSWORD });
    expect(view).toMatchObject({ person: { personId: person.personId } });
    expect(await browser.data("GET", "/session")).toEqual(view);
    expect(await look(token)).toEqual(GONE);
    expect(await use(token)).toEqual(GONE);
    const again = { name: "ann", password: PASSWORD };
    expect(await page().data("POST", "/sign-in", again)).toBeTruthy();
  });

  test("a link that was looked at, or used with a password that is too short, still works", async () => {
    const { token } = await newcomer("Short");
    expect(await use(token, "too short")).toEqual([
      400,
      "password: must have at least 12 characters",
    ]);
    // Each of these twelve characters is two UTF-16 code units.
    const keys = Array.from({ length: 12 }, (_, n) => String.fromCodePoint(0x1f511 + n));
    expect((await use(token, keys.slice(1).join("")))[0]).toBe(400);
    expect((await use(token, keys.join("")))[0]).toBe(200);
  });

  test("a link takes no password that is easy to guess, such as the person's own name", async () => {
    const { token } = await newcomer("Easy Jet");
    for (const password of ["password1234", "easyjeteasyjet", "propgate 2026"]) {
      expect(await use(token, password)).toEqual([
        400,
        expect.stringMatching(/^password: is easy to guess: /),
      ]);
    }
    expect((await use(token))[0]).toBe(200);
  });

  test("a link lets in one of two who use it concurrently", async () => {
    const { token } = await newcomer("Race");
    const answers = await Promise.all([1, 2, 3].map((n) => use(token, `${PASSWORD} ${n}`)));
    expect(answers.map(([status]) => status).toSorted((one, other) => one - other)).toEqual([
      200, 404, 404,
    ]);
  });

  test("a link expires after a day", async () => {
    const { token } = await newcomer("Late");
    await service.time.pass(DAY_MS - 1);
    expect((await look(token))[0]).toBe(200);
    await service.time.pass(1);
    expect(await look(token)).toEqual(GONE);
    expect(await use(token)).toEqual(GONE);
  });

  test("a link is replaced by a newer one", async () => {
    const { token, person } = await newcomer("Again");
    const newer = await service.people.links.make(person);
    expect(await use(token)).toEqual(GONE);
    expect((await use(newer.token))[0]).toBe(200);
  });

  test("a link ends every session that the person had, and the password before", async () => {
    const lost = await service.signIn("operator", { name: "Lost" });
    const { token } = await service.people.links.make(lost.person);
    expect(await lost.data("GET", "/session")).toBeTruthy();
    expect((await use(token))[0]).toBe(200);
    expect(await lost.refusal("GET", "/session")).toEqual([401, "Not signed in"]);
    const before = { name: "lost", password: TEST_PASSWORD };
    expect((await page().refusal("POST", "/sign-in", before))[0]).toBe(401);
  });

  test("a link is not used up by a call that could not revoke the keys", async () => {
    const outage: DatabaseOutage = { text: "update keys", when: "before" };
    const own = await openHarness({
      database: databaseWithOutage(await openTestDatabase(), outage),
    });
    const { links, roster } = own.people;
    const person = await roster.add({ name: "Robbed", role: "owner", ownerId: OWNER });
    if (person === null) throw new Error("the name is taken");
    const { token } = await links.make(person);
    const body = { token, password: PASSWORD, revokeKeys: true };
    const statuses = async () => [
      (await createDashboardClient(own).refusal("POST", "/link/use", body))[0],
      (await own.get("account")).status,
    ];
    expect(await statuses()).toEqual([503, 200]);
    outage.when = "never";
    expect(await statuses()).toEqual([200, 401]);
    await own.close();
  });

  test("a link goes with its person when that is disabled", async () => {
    const { token, person } = await newcomer("Gone");
    await service.people.roster.disable(person.personId);
    expect(await look(token)).toEqual(GONE);
    await service.people.roster.enable(person.personId);
    expect(await use(token)).toEqual(GONE);
  });

  test.each(["", "x", "A".repeat(43), "A".repeat(100)])("%j is none", async (token) => {
    expect(await look(token)).toEqual(GONE);
    expect(await use(token)).toEqual(GONE);
  });
});

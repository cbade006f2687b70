import { expect, test } from "vitest";
import { createSeededChance } from "../../../base/src/random.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import { createFailureLimits } from "./limits/failure-limits.ts";
import { createOneTimeLinks } from "./one-time-links.ts";
import { createPasswords, type PasswordCost, type Passwords } from "./passwords/password.ts";
import { createRoster } from "./roster.ts";
import { createSessions } from "./sessions.ts";
import { createPasswordDesk } from "./sign-in.ts";

const NOON = 1_767_614_400_000;
const WORK: PasswordCost = { memoryKib: 64, passes: 1 };
const FROM = { address: "192.0.2.1", browser: "" };
const [FIRST, SECOND, THIEFS] = ["first of mine", "second of mine", "not of mine"] as const;

await describeOnEachDatabase("a password that a link replaces meanwhile", (database) => {
  /** A person whose password is `FIRST`, and the function that sets `SECOND` by a link. */
  async function open(name: string) {
    const { clock } = createManualTime(NOON);
    const chance = createSeededChance(name);
    const on = { database: database(), clock, chance };
    const sessions = createSessions(on);
    const limits = createFailureLimits(on);
    const passwords = createPasswords({ chance, cost: WORK });
    const links = createOneTimeLinks({ ...on, passwords, sessions });
    const person = await createRoster({ ...on, sessions }).add({
      name,
      role: "operator",
      ownerId: null,
    });
    if (person === null) throw new Error("the name is taken");
    const byLink = async (password: string) => {
      const begun = await links.use({ ...(await links.make(person)), password }, FROM);
      if (begun === null || begun === "busy") throw new Error("the link is not valid");
      return begun;
    };
    const session = await byLink(FIRST);
    /** The desk, with one method of its passwords replaced. */
    const deskWith = (over: Partial<Passwords>) =>
      createPasswordDesk({ ...on, sessions, limits, passwords: { ...passwords, ...over } });
    const signIn = (password: string) => deskWith({}).signIn({ name, password }, FROM);
    return { deskWith, passwords, session, signIn, replace: () => byLink(SECOND) };
  }

  test("a change of the password that was checked before sets none, and ends no session", async () => {
    const { deskWith, passwords, session, signIn, replace } = await open("Changed");
    const desk = deskWith({
      async hash(text) {
        await replace();
        return passwords.hash(text);
      },
    });
    const given = { password: FIRST, next: THIEFS, address: FROM.address };
    expect(await desk.change(session, given)).toMatchObject({ refused: "wrong" });
    expect(await signIn(THIEFS)).toMatchObject({ refused: "wrong" });
    expect(await signIn(SECOND)).toHaveProperty("token");
  });

  test("a hash at another cost, which a sign-in renews, does not come back", async () => {
    const { deskWith, passwords, signIn, replace } = await open("Renewed");
    const desk = deskWith({
      isOutdated: () => true,
      async hash(text) {
        await replace();
        return passwords.hash(text);
      },
    });
    expect(await desk.signIn({ name: "Renewed", password: FIRST }, FROM)).toHaveProperty("token");
    expect(await signIn(FIRST)).toMatchObject({ refused: "wrong" });
    expect(await signIn(SECOND)).toHaveProperty("token");
  });

  test("a sign-in with the former password clears no failures", async () => {
    const { deskWith, passwords, signIn, replace } = await open("Guessed");
    for (let count = 0; count < 5; count += 1) {
      expect(await signIn(THIEFS)).toMatchObject({ refused: "wrong" });
    }
    const desk = deskWith({
      async matches(stored, text) {
        const isRight = await passwords.matches(stored, text);
        await replace();
        return isRight;
      },
    });
    const refused = await desk.signIn({ name: "Guessed", password: FIRST }, FROM);
    expect(refused).toMatchObject({ refused: "wrong" });
    expect(await signIn(THIEFS)).toEqual({ refused: "wait", waitMs: 30_000 });
  });
});

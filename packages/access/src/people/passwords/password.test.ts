import { describe, expect, test } from "vitest";
import { createSeededChance } from "../../../../base/src/random.ts";
import { createPasswords, PASSWORD_COST } from "./password.ts";

const CHEAP = { memoryKib: 64, passes: 1 };
const cheap = () => createPasswords({ chance: createSeededChance("passwords"), cost: CHEAP });

describe("a password", () => {
  test("a password is stored as Argon2id with 64 MiB, 3 passes and a salt of its own", async () => {
    const passwords = createPasswords({ chance: createSeededChance("salt") });
    const stored = await passwords.hash("correct horse battery");
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await passwords.matches(stored, "correct horse battery")).toBe(true);
    expect(await passwords.matches(stored, "correct horse batterz")).toBe(false);
    expect(await passwords.hash("correct horse battery")).not.toBe(stored);
    expect(PASSWORD_COST).toEqual({ memoryKib: 65_536, passes: 3 });
  });

  test("a password has the hash of the reference implementation", async () => {
    // argon2 of the Password Hashing Competition: `echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32`
    const known =
      "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
    const passwords = cheap();
    expect(await passwords.matches(known, "password")).toBe(true);
    expect(await passwords.matches(known, "differentpassword")).toBe(false);
  });

  test("a password with another cost still matches, and counts as outdated", async () => {
    const stored = await cheap().hash("correct horse battery");
    const today = createPasswords({
      chance: createSeededChance("x"),
      cost: { memoryKib: 128, passes: 1 },
    });
    if (stored === null) throw new Error("no such person");
    expect(await today.matches(stored, "correct horse battery")).toBe(true);
    expect(today.isOutdated(stored)).toBe(true);
    expect(cheap().isOutdated(stored)).toBe(false);
  });

  test("a password of an unknown person is always wrong", async () => {
    expect(await cheap().matches(null, "")).toBe(false);
  });

  test("a password in another stored form throws and never matches", () => {
    const passwords = cheap();
    expect(() => passwords.matches("plain", "plain")).toThrow("has an unknown form");
  });

  test("a flood waits in a queue, and is rejected beyond it", async () => {
    const passwords = cheap();
    const many = Array.from({ length: 100 }, (_, n) => passwords.matches(null, `guess ${n}`));
    const answers = await Promise.all(many);
    expect(answers.filter((one) => one === null)).toHaveLength(100 - 1 - 64);
    expect(answers.slice(0, 65)).toEqual(Array(65).fill(false));
    expect(await passwords.matches(null, "later")).toBe(false);
  });
});

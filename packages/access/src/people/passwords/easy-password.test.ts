import { describe, expect, test } from "vitest";
import { passwordProblem } from "./easy-password.ts";

const WORDS = ["Ann Miller", "Vanta", "Vanta Network"];

describe("a new password", () => {
  test.each([
    "password1234",
    "P@ssw0rd2026!",
    "ownerownerowner",
    "aaaaaaaaaaaaaaaa",
    "xk4xk4xk4xk4xk4",
    "123456789012",
    "qwertyuiop12345",
    "1qaz2wsx3edc4rfv",
    "abcdefghijklmnop",
    "9876543210987654",
    "iloveyouforever",
    "ManchesterUnited1",
    "Summer2026!!!!",
    "letmeinletmein!",
    "annmiller1985",
    "miller-ann-2024",
    "vantanetwork2026",
    "V4nt@ N3tw0rk 123",
    "trading account 1",
    "ｐａｓｓｗｏｒｄ１２３４",
    "abababcabababc",
    "            x",
  ])("%s is easy to guess", (password) => {
    expect(passwordProblem(password, WORDS)).toMatch(/^is easy to guess/);
  });

  test.each([
    "correct horse battery staple",
    "a long enough password",
    "another long password",
    "zebra crossing one",
    "my first password",
    "password-8f3k2m9qz",
    "Kx7#mQ2$vL9p",
    "tschüss mein lieber kater",
    "грустный синий паровоз",
    "正確な馬の電池とホッチキスの話",
    "my uncle drives 2 trams",
    "ann likes brown umbrellas",
  ])("%s is not easy to guess", (password) => {
    expect(passwordProblem(password, WORDS)).toBe(null);
  });

  test("a new password may have the name of another person", () => {
    expect(passwordProblem("archibald-99x", ["Archibald"])).not.toBe(null);
    expect(passwordProblem("archibald-99x", WORDS)).toBe(null);
  });
});

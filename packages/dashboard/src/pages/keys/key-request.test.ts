import { describe, expect, test } from "vitest";
import {
  EMPTY_FORM,
  hasNoProblems,
  keyFormProblems,
  keyRequest,
  keyState,
  readsLeft,
} from "./key-request.ts";

const NOW = 1_767_780_000_000; // 2026-01-07 10:00 UTC
const DAY = 86_400_000;
const form = { ...EMPTY_FORM, label: " Bot " };

describe("the form of a new key [D13.dates] [D13.dateExpiry]", () => {
  test("the form of a new key becomes a request with the same values", () => {
    expect(hasNoProblems(keyFormProblems(form, NOW))).toBe(true);
    expect(keyRequest(form, NOW)).toEqual({
      label: "Bot",
      scopes: ["trade:read"],
      expiresAtMs: NOW + 90 * DAY,
      addresses: [],
    });
  });

  test.each([
    ["30", "", NOW + 30 * DAY],
    ["365", "", NOW + 365 * DAY],
    ["never", "", null],
    ["date", "2026-02-01", Date.UTC(2026, 1, 2)],
    ["date", "2028-02-29", Date.UTC(2028, 2, 1)],
  ] as const)("the chosen expiry becomes a time: %s %s", (life, day, expiresAtMs) => {
    expect(keyRequest({ ...form, life, day }, NOW).expiresAtMs).toBe(expiresAtMs);
  });

  test("the form of a new key sends scopes in the order of the contract and addresses as typed", () => {
    const scopes = ["trade:place", "trade:read"] as const;
    expect(keyRequest({ ...form, scopes, addresses: "::1\n10.0.0.0/8" }, NOW)).toMatchObject({
      scopes: ["trade:read", "trade:place"],
      addresses: ["::1", "10.0.0.0/8"],
    });
  });

  test.each([
    ["label", { label: "  " }],
    ["scopes", { scopes: [] }],
    ["day", { life: "date", day: "" }],
    ["day", { life: "date", day: "2026-01-06" }],
    ["day", { life: "date", day: "2027-02-29" }],
    ["day", { life: "date", day: "2026-13-01" }],
    ["addresses", { addresses: "10.0.0" }],
  ] as const)("the form of a new key reports the problem of %s", (field, change) => {
    const problems = keyFormProblems({ ...form, ...change }, NOW);
    expect(problems[field]).not.toBeNull();
    expect(hasNoProblems(problems)).toBe(false);
    expect(Object.values(problems).filter((problem) => problem !== null)).toHaveLength(1);
  });
});

describe("a key", () => {
  test.each([
    [{ revokedAtMs: null, pausedAtMs: null, expiresAtMs: null }, "active"],
    [{ revokedAtMs: null, pausedAtMs: null, expiresAtMs: NOW + 1 }, "active"],
    [{ revokedAtMs: null, pausedAtMs: null, expiresAtMs: NOW }, "expired"],
    [{ revokedAtMs: NOW, pausedAtMs: NOW, expiresAtMs: NOW - 1 }, "revoked"],
    [{ revokedAtMs: null, pausedAtMs: NOW, expiresAtMs: null }, "paused"],
    [{ revokedAtMs: null, pausedAtMs: NOW, expiresAtMs: NOW }, "expired"],
  ] as const)("the key %j is %s", (key, state) => {
    expect(keyState(key, NOW)).toBe(state);
  });

  test.each([
    [{ used: 20, most: 120, windowEndsAtMs: NOW + 1 }, 100],
    [{ used: 121, most: 120, windowEndsAtMs: NOW + 1 }, 0],
    [{ used: 120, most: 120, windowEndsAtMs: NOW }, 120],
  ])("a key with the budget %j has %i reads left", (reads, left) => {
    expect(readsLeft(reads, NOW)).toBe(left);
  });
});

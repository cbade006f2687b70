import { ACCOUNT_ELIMINATED, ACCOUNT_STATIC, PAYOUTS_FIRST_PAGE } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { accrualWords, withheldWords } from "./accrual-words.ts";

const { accrual } = PAYOUTS_FIRST_PAGE;
const unknown = accrual === null ? null : { ...accrual, estimatedAmount: null };

describe("the text beside the estimate", () => {
  test("an estimate needs no text", () => {
    expect(accrualWords({ accrualStatus: "ok", accrual }, ACCOUNT_STATIC)).toBeNull();
  });

  test.each([
    ["ok", ACCOUNT_STATIC, "Nothing was traded"],
    ["not_applicable", ACCOUNT_STATIC, "An evaluation earns no payouts"],
    ["not_applicable", ACCOUNT_ELIMINATED, "The account has ended"],
    ["not_applicable", null, "earns nothing in its present phase"],
    ["unavailable", ACCOUNT_STATIC, "cannot be computed"],
    ["omitted", ACCOUNT_STATIC, "Reload the page"],
  ] as const)("the text explains the status %s", (accrualStatus, account, words) => {
    expect(accrualWords({ accrualStatus, accrual: unknown }, account)).toContain(words);
  });
});

test.each([
  ["while the account cannot be read", null, "unknown"],
  ["when it is zero", 0, "nothing is withheld"],
  ["of earlier weeks", 12.5, "by soft breaches"],
])("a withheld amount %s is explained", (_, deferred, words) => {
  const deferredBalance = deferred === 0 ? null : deferred;
  const given = deferred === null || accrual === null ? null : { ...accrual, deferredBalance };
  expect(withheldWords(given)).toBe(words);
});

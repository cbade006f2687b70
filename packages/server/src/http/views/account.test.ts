import { ACCOUNT_PRO, type Account } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { withoutStatistics } from "../../network/without-statistics.ts";
import { PRO_TERMS, ToldAccount } from "../../testing/told-account.ts";
import { accountView } from "./account.ts";

const OFFER = { type: "offerPro", terms: PRO_TERMS } as const;

/** The account of the published example, trade by trade. */
function proChallenge(): ToldAccount {
  const account = new ToldAccount("2026-01-02T08:00", { id: ACCOUNT_PRO.accountId, price: 1.1 });
  account.at("2026-01-02T09:00");
  account.run(OFFER);
  account.order("long", 2);
  account.at("2026-01-02T12:30", 1.105);
  account.close();
  account.at("2026-01-05T09:00", 1.1);
  account.order("long", 2);
  account.at("2026-01-05T10:00", 1.09196);
  account.at("2026-01-05T12:30", 1.11255);
  account.close();
  account.order("long", 1);
  account.at("2026-01-05T16:00", 1.10755);
  account.close();
  account.at("2026-01-06T09:00");
  account.order("short", 2.01);
  account.at("2026-01-06T12:30", 1.1025);
  account.close();
  account.at("2026-01-07T10:00");
  return account;
}

describe("an account on the pro track [S2.1.1] [S2.1.1.phase] [S2.1.1.objectives]", () => {
  test("reads as the published example", () => {
    const account = proChallenge();
    expect(accountView(account.reading())).toEqual(ACCOUNT_PRO);
  });
});

import { type AccountId, accountId } from "@propgate/core";
import { expect, test } from "vitest";
import { createDoubtfulAccounts } from "./doubtful-accounts.ts";

const ACCOUNT = accountId("00000000-0000-4000-8000-00000000000a");

test("a failed settlement is tried again by the sweep that finds the account's lease, once", () => {
  const settled: AccountId[] = [];
  let isOwned = false;
  const doubts = createDoubtfulAccounts(
    { onUnknownFate: () => undefined },
    { isOwned: () => isOwned, settle: (account) => settled.push(account) },
  );
  doubts.keepForSweep(ACCOUNT);
  doubts.settleNew();
  doubts.sweep();
  expect(settled).toEqual([]);
  isOwned = true;
  doubts.sweep();
  doubts.sweep();
  expect(settled).toEqual([ACCOUNT]);
  doubts.keepForSweep(ACCOUNT);
  doubts.forget((account) => account === ACCOUNT);
  doubts.sweep();
  expect(settled).toEqual([ACCOUNT]);
});

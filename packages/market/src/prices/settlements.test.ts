import { randomUUID } from "node:crypto";
import { accountId } from "@propgate/core";
import { expect, test } from "vitest";
import { QuotesBehind } from "../../../ledger/src/trading/executor-port.ts";
import { NotOwner } from "../../../ledger/src/trading/ownership.ts";
import { DatabaseAtFault } from "../../../ledger/src/trading/try-later.ts";
import { createSettlements } from "./settlements.ts";

const ACCOUNT = accountId(randomUUID());
const LEFT = [
  ["unchanged", ACCOUNT],
  ["unsettled", ACCOUNT],
];

/** Settles an account whose command ends with this fault. Resolves with the reports that were made. */
async function settledWith(fault: Error) {
  const reports: unknown[] = [];
  const settlements = createSettlements({
    executor: {
      submit: () => Promise.reject(fault),
      idle: async () => undefined,
      onCommit() {},
      onUnknownFate() {},
    },
    observe: () => reports.push("observed"),
    onUnchanged: (account) => reports.push(["unchanged", account]),
    onUnsettled: (account) => reports.push(["unsettled", account]),
    onFault: (cause) => reports.push(cause),
  });
  await settlements.nominate(ACCOUNT, "allPrices");
  return reports;
}

// The lease may be renewed before another node takes the account, and the account's verdict is then still due.
test.each([new NotOwner(), new QuotesBehind(), new DatabaseAtFault()])(
  "a settlement that did not happen because of $name leaves its account to the next check of all prices",
  async (fault) => {
    expect(await settledWith(fault)).toEqual(LEFT);
  },
);

test("a settlement of unknown fate is reported too", async () => {
  const fault = new Error("the connection was lost");
  expect(await settledWith(fault)).toEqual([fault, ...LEFT]);
});

import type { PlantedBug } from "./planted-bugs.ts";

/** Mistakes in the mechanisms that keep two nodes from deciding the same account. */
export const PLANTED_NODE_BUGS: readonly PlantedBug[] = [
  {
    name: "a batch that does not compare the epochs of its leases",
    harm: "a stopped owner wakes up and writes to accounts that another node decides now",
    edits: [
      {
        file: "packages/ledger/src/storage/leases/write-fence.ts",
        from: "  where l.epoch = w.epoch and l.owner = w.owner and (select lock_wait from limits) is not null\n",
        to: "  where (select lock_wait from limits) is not null\n",
      },
    ],
    simulation: { faults: "pause,storage", steps: 1500, checker: "old epochs" },
    tests: ["packages/ledger/src/trading/execution/fence.test.ts"],
  },
  {
    name: "an account that is decided at older quotes than before",
    harm: "after a restart or on another node, a stop fills at a price from before its order",
    edits: [
      {
        file: "packages/ledger/src/trading/execution/decide-command.ts",
        from: "  if (quotes !== null) return awaitingQuotesOutcome(submission, quotes);\n",
        to: "  if (quotes === null && lostEpoch < 0) throw submission;\n",
      },
    ],
    tests: ["packages/ledger/src/trading/execution/waiting-for-quotes.test.ts"],
  },
  {
    name: "a forwarded command without a nonce that has no receipt",
    harm: "an operator's command is carried out twice when its owner is killed before the answer",
    edits: [
      {
        file: "packages/ledger/src/trading/receipts/receipt-key.ts",
        from: "  return commandId === undefined ? null : { keyId: COMMAND, nonce: commandId };\n",
        to: "  return commandId !== COMMAND ? null : { keyId: COMMAND, nonce: commandId };\n",
      },
    ],
    tests: ["packages/cluster/src/forwarding/forwarding.test.ts"],
  },
];

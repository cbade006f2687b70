import { PLANTED_CLOCK_BUGS } from "./planted-clock-bugs.ts";
import { PLANTED_FEED_BUGS } from "./planted-feed-bugs.ts";
import { PLANTED_NODE_BUGS } from "./planted-node-bugs.ts";
import { PLANTED_ORDER_BUGS } from "./planted-order-bugs.ts";
import { PLANTED_PRICE_BUGS } from "./planted-price-bugs.ts";
import { PLANTED_STRANGER_BUGS } from "./planted-stranger-bugs.ts";
import { PLANTED_UPSTREAM_BUGS } from "./planted-upstream-bugs.ts";

/** The runs of the simulator in which `checker` must find the bug. Without the bug these runs have no findings. */
export interface CatchingSimulation {
  /** The kinds of faults, as for `--faults`. */
  readonly faults: string;
  /** The number of steps of each seed. */
  readonly steps: number;
  /** The checker of the promise that the bug breaks. */
  readonly checker: string;
}

/**
 * A deliberate mistake. When it names a simulation, that simulation must catch it. Otherwise a test or any run of the
 * simulator must catch it.
 */
export interface PlantedBug {
  readonly name: string;
  /** The harm that the mistake would do to a user. */
  readonly harm: string;
  readonly edits: readonly {
    readonly file: string;
    /** A text that the file contains exactly once. */
    readonly from: string;
    readonly to: string;
  }[];
  /**
   * The simulation that must catch the mistake. Without one a test may catch it, and the simulator runs with all kinds
   * of faults when no test does.
   */
  readonly simulation?: CatchingSimulation;
  /** The test files and folders that are run to catch the mistake. */
  readonly tests: readonly string[];
}

const EXECUTION = "packages/ledger/src/trading/execution";

/** All planted bugs, in the order of the reliability page. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: "a leg attached outside the fill's transaction",
    harm: "a service that dies between the two transactions leaves a position without its stop",
    edits: [
      {
        file: `${EXECUTION}/decide-command.ts`,
        from: "  const decision = decider.decide(before?.state ?? null, command, recorded.moment);\n",
        to: `  const legs = plantedLegs.get(submission);
  const whole = decider.decide(before?.state ?? null, command, recorded.moment);
  const isLeg = (event) => event.type === "legsAttached";
  if (!legs && whole.ok && whole.value.some(isLeg) && whole.value.some((event) => !isLeg(event)))
    plantedLegs.set(submission, whole.value.filter(isLeg));
  const decision = legs
    ? { ok: true, value: legs }
    : whole.ok && plantedLegs.has(submission)
      ? { ok: true, value: whole.value.filter((event) => !isLeg(event)) }
      : whole;
`,
      },
      {
        file: `${EXECUTION}/decide-command.ts`,
        from: 'const NO_ORDER = "null";',
        to: 'const NO_ORDER = "null";\nexport const plantedLegs = new Map();',
      },
      {
        file: `${EXECUTION}/batch-run.ts`,
        from: "import { createBatchDeciders, ",
        to: "import { createBatchDeciders, plantedLegs, ",
      },
      {
        file: `${EXECUTION}/batch-run.ts`,
        from: "      return await writeDecided(decided, submissions);\n",
        to: `      const first = [...(await writeDecided(decided, submissions))];
      const late = submissions.filter((submission) => plantedLegs.has(submission));
      const second = late.length > 0 ? await writeDecided(await decideAll(late), late) : [];
      for (const [index, submission] of late.entries()) {
        const place = submissions.indexOf(submission);
        const { execution } = second[index];
        const events = [...first[place].execution.events, ...execution.events];
        first[place] = { is: "done", execution: { ...execution, events } };
        plantedLegs.delete(submission);
      }
      return first;
`,
      },
    ],
    tests: ["packages/ledger/src/trading", "proofs/simulate", "proofs/kills"],
  },
  {
    name: "a nonce admitted before its commit",
    harm: "after a crash, or on another node, the same signed order is carried out again",
    edits: [
      {
        file: "packages/server/src/storage/admission-store.ts",
        from: "        const rows = await admitOnce(database, left, moment);\n",
        to: `        let rows = [];
        const looked = new Error("looked only");
        await database
          .transaction(async (transaction) => {
            rows = await admitOnce(transaction, left, moment);
            throw looked;
          })
          .catch((cause) => {
            if (cause !== looked) throw cause;
          });
        admitOnce(database, left, moment).catch(() => undefined);
`,
      },
    ],
    tests: ["packages/server/src/api/race.test.ts", "packages/server/src/storage", "proofs/nodes"],
  },
  {
    name: "a breach at equality",
    harm: "an account exactly at its limit is eliminated, although it has not breached",
    edits: [
      {
        file: "packages/core/src/rules/limit.ts",
        from: "microUsd(floorOf(allowance) - 1)",
        to: "floorOf(allowance)",
      },
    ],
    tests: ["packages/core/src/rules", "packages/core/src/scenarios"],
  },
  {
    name: "a commit with a lost answer that is not checked again",
    harm: "a stop whose order was committed while the answer was lost is not watched",
    edits: [
      {
        file: "packages/market/src/prices/doubtful-accounts.ts",
        from: "    for (const account of doubtful) settle(account);\n",
        to: "",
      },
    ],
    tests: ["packages/market/src/prices"],
  },
  {
    name: "an order that is given up while it is on its way",
    harm: "a bot learns that its order was never placed, places it again, and holds twice as much",
    edits: [
      {
        file: "packages/sdk/src/orders/settle-order.ts",
        from: "    if (isDone) return this.#rejected(null);\n    return",
        to: '    if (receipt.fate === "unseen") return this.#rejected(null);\n    return',
      },
    ],
    tests: ["packages/sdk", "proofs/cuts"],
  },
  ...PLANTED_ORDER_BUGS,
  ...PLANTED_FEED_BUGS,
  ...PLANTED_NODE_BUGS,
  ...PLANTED_CLOCK_BUGS,
  ...PLANTED_PRICE_BUGS,
  ...PLANTED_STRANGER_BUGS,
  ...PLANTED_UPSTREAM_BUGS,
];

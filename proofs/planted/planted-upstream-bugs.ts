import type { PlantedBug } from "./planted-bugs.ts";

const ORDERS = "packages/vanta/src/orders";
/** Only the test of the validator proof counts: it has to catch these mistakes without the unit tests. */
const TESTS = ["proofs/validator"];

/** Mistakes with orders that are on their way to a validator. */
export const PLANTED_UPSTREAM_BUGS: readonly PlantedBug[] = [
  {
    name: "an order that is sent again after a timeout",
    harm: "a gateway that forgets ids in a restart opens the position twice",
    edits: [
      {
        file: `${ORDERS}/order-desk.ts`,
        from: "    const answer = await gateway.submit(body, leftMs, about.trace);\n",
        to: "    const first = await gateway.submit(body, leftMs, about.trace);\n    const answer = first.ok ? first : await gateway.submit(body, leftMs, about.trace);\n",
      },
    ],
    tests: TESTS,
  },
  {
    name: "an order without an answer that counts as not accepted",
    harm: "a bot learns that nothing happened, places the order again, and holds twice as much",
    edits: [
      {
        file: `${ORDERS}/answer/gateway-answer.ts`,
        from: "return failure.wasSent ? UNKNOWN : NOT_TAKEN_JUDGEMENT;",
        to: "return NOT_TAKEN_JUDGEMENT;",
      },
    ],
    tests: TESTS,
  },
  {
    name: "an acceptance that is believed although the account does not show the order",
    harm: "a trader holds no position although the receipt says so",
    edits: [
      {
        file: `${ORDERS}/fate/ending.ts`,
        from: "about.isFinal !== true && (answered === null || isMissing)",
        to: "false",
      },
    ],
    tests: TESTS,
  },
  {
    name: "an unknown order that a clock gives up while its request may still arrive",
    harm: "the receipt says rejected, and then the validator opens the position",
    edits: [
      {
        file: `${ORDERS}/fate/order-fate.ts`,
        from: '    case "notFound":\n    case "notTaken":',
        to: '    case "notFound":\n      return clock.now() > orderDeadline(search.unsettled, options.times)\n        ? { ok: false, state: "never", rejection: { error: "notCarriedOut" } }\n        : null;\n    case "notTaken":',
      },
    ],
    tests: TESTS,
  },
];

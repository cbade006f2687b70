import type { PlantedBug } from "./planted-bugs.ts";

/** Mistakes that let a stranger, or a missing price, harm an account. */
export const PLANTED_STRANGER_BUGS: readonly PlantedBug[] = [
  {
    name: "a guard that counts repeats",
    harm: "a listener who repeats one captured order pauses its key",
    edits: [
      {
        file: "packages/server/src/api/respond.ts",
        from: "  return status === 400 || status === 403;\n",
        to: "  return status >= 400 && status < 500 && status !== 429;\n",
      },
    ],
    simulation: { faults: "repeats", steps: 100, checker: "paused keys" },
    tests: ["packages/server/src/api/routes/place-order/429.test.ts"],
  },
  {
    name: "a quote of the bus without its seal",
    harm: "a program that may publish on the bus ends accounts at prices that it has invented",
    edits: [
      {
        file: "packages/base/src/transport/sealed-transport.ts",
        from: '        const text = seal.open(Buffer.from(received.content).toString("utf8"), received.subject);\n',
        to: `        const sent = Buffer.from(received.content).toString("utf8");
        const text = sent.slice(sent.indexOf("\\n") + 1);
`,
      },
    ],
    simulation: { faults: "forged", steps: 100, checker: "forged prices" },
    tests: ["packages/cluster/src/bus/shared-bus.test.ts"],
  },
  {
    name: "a judgement that does not ask the conversion rate",
    harm: "an account ends by a rate of any age, although at the true one it has not breached",
    edits: [
      {
        file: "packages/core/src/account/judging-price.ts",
        from: "    for (const valued of valuationInstruments(instrument, prices)) {\n",
        to: "    for (const valued of valuationInstruments(instrument, prices).slice(0, 1)) {\n",
      },
    ],
    simulation: { faults: "prices", steps: 600, checker: "stale rates" },
    tests: ["packages/core/src/account", "packages/core/src/scenarios"],
  },
];

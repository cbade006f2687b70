import { listOf, numberOf, type Plan, type Proof, part, summed, textOf, total } from "./proof.ts";

const HOUR_MS = 3_600_000;
const LEAST_SCORE_PCT = 90;

/** Every proof, in the order of the page. */
export const PROOFS: readonly Proof[] = [
  {
    name: "simulation",
    title: "Deterministic simulation",
    promise:
      "Two nodes on one database, many clients, and everything that goes wrong between them: crashes between any two awaits, lost and late answers, failing and slow storage, " +
      "clocks that step, prices twice and out of order. After each quiet moment the checkers compare what clients were told with what the journal says.",
    command: ({ seeds, steps }) => [
      "simulate",
      ...["--seed", "1", "--seeds", String(seeds), "--steps", String(steps)],
    ],
    result: { flag: "--json" },
    read(result) {
      const runs = listOf(result, "runs");
      const [simulatedMs, realMs] = [total(runs, "simulatedMs"), total(runs, "realMs")];
      const findings = runs.flatMap((run) => listOf(run, "findings"));
      return {
        passed: findings.length === 0,
        figures: {
          seeds: runs.length,
          steps: total(runs, "steps"),
          "simulated hours": Math.round(simulatedMs / HOUR_MS),
          "times real time": Math.round(simulatedMs / realMs),
          ...prefixed("fault: ", summed(runs, "faults")),
          ...prefixed("exchanges: ", summed(runs, "exchanges")),
          "broken promises": findings.length,
        },
      };
    },
  },
  killProof("kills-embedded", "Real kills, embedded database", () => []),
  killProof("kills-postgres", "Real kills, PostgreSQL", ({ databaseUrl }) => [
    "--database-url",
    databaseUrl ?? "postgres://…",
  ]),
  {
    name: "cuts",
    title: "Orders over a line that is cut",
    promise:
      "The client places orders over connections that are cut at random bytes, in either direction, what was cut off arriving late half of the time, and the questions that follow cut as well. No order is carried out twice, " +
      "and what the client says of each is what the journal says.",
    command: ({ cuts }) => ["cuts", "--cuts", String(cuts), "--seed", "1"],
    result: { flag: "--json" },
    read(result) {
      const wrong = {
        "carried out twice": listOf(result, "doubled").length,
        "said to be accepted, and were not": listOf(result, "notAccepted").length,
        "said to be rejected, and were not": listOf(result, "notRejected").length,
        "of unknown fate": listOf(result, "unknown").length,
        "positions unlike what was said": listOf(result, "differentPositions").length,
        "broken chains": listOf(result, "brokenChains").length,
      };
      const fates = part(result, "fates");
      return {
        passed: Object.values(wrong).every((count) => count === 0),
        figures: {
          "orders cut": numberOf(result, "cutOrders"),
          cuts: numberOf(result, "cuts"),
          accepted: numberOf(fates, "accepted"),
          rejected: numberOf(fates, "rejected"),
          "withdrawn before they arrived": numberOf(result, "withdrawn"),
          ...wrong,
        },
      };
    },
  },
  {
    name: "faults",
    title: "Failing disks and connections",
    promise:
      "The real service on a disk that is full, read-only or fails at fsync, on connections that are cut or fall silent, on a database that restarts: 5xx, told in health, nothing answered that is not durable, and well again by itself.",
    command: () => ["test", "test/faults", "packages/server/src/backup", "--reporter=json"],
    result: { flag: "--outputFile" },
    read: testFigures,
  },
  {
    name: "lives",
    title: "Random lives of accounts",
    promise:
      "Accounts that trade, fail, pass, go pro and are paid, step by step beside models written apart from the rules: ledger, carry, days, objectives, payouts.",
    command: ({ lives }) => ["lives", "--seed", "1", "--lives", String(lives)],
    result: { flag: "--json" },
    read(result) {
      const figures = { lives: numberOf(result, "lives"), steps: numberOf(result, "steps") };
      return { passed: true, figures: { ...figures, events: numberOf(result, "events") } };
    },
  },
  {
    name: "fuzz",
    title: "Fuzzing",
    promise:
      "Headers, raw targets, bodies, cursors, files and single bits of every signed part: never a 500, never a hang, no secret in any answer, and the journal whole afterwards.",
    command: ({ fuzzRuns }) => ["fuzz", "--seed", "1", "--runs", String(fuzzRuns)],
    result: { flag: "--json" },
    read(result) {
      const suites = listOf(result, "suites");
      const failures = total(suites, "failures");
      return {
        passed: failures === 0,
        figures: { properties: suites.length, inputs: total(suites, "runs"), failures },
      };
    },
  },
  {
    name: "mutation",
    title: "Mutation testing",
    promise:
      "Small faults in the code that matters most, one at a time: signer, gates, sizing, drawdown and payouts. The score is the share that a test notices.",
    command: () => ["mutate"],
    result: { file: "test/mutation/score.json" },
    read(result) {
      const areas = Object.entries(Object(part(result, "areas")));
      const rows = areas.map(([area, figures]) => ({
        area,
        mutants: numberOf(figures, "mutants"),
        noticed: numberOf(figures, "killed") + numberOf(figures, "timeout"),
        score: `${numberOf(figures, "scorePct")} %`,
        run: textOf(figures, "date"),
      }));
      const sum = (name: "mutants" | "noticed"): number =>
        rows.reduce((total, row) => total + row[name], 0);
      return {
        passed: areas.every(([, figures]) => numberOf(figures, "scorePct") >= LEAST_SCORE_PCT),
        figures: { mutants: sum("mutants"), noticed: sum("noticed") },
        rows,
      };
    },
  },
  {
    name: "planted",
    title: "Bugs planted on purpose",
    promise:
      "A proof that cannot fail proves nothing. Each of these mistakes is made in a copy of the sources, and somebody has to notice.",
    command: () => ["planted"],
    result: { flag: "--json" },
    read(result) {
      const bugs = listOf(result, "bugs");
      const rows = bugs.map((bug) => ({
        bug: textOf(bug, "name"),
        harm: textOf(bug, "harm"),
        simulator: part(bug, "bySimulation") === null ? "" : textOf(bug, "bySimulation"),
        tests: listOf(bug, "byTests").map(String).slice(0, 3).join("; "),
      }));
      const caught = rows.filter(({ simulator, tests }) => simulator !== "" || tests !== "");
      return {
        passed: caught.length === rows.length,
        figures: { planted: rows.length, caught: caught.length },
        rows,
      };
    },
  },
];

function killProof(name: string, title: string, where: (plan: Plan) => readonly string[]): Proof {
  return {
    name,
    title,
    promise:
      "kill -9 at random moments while clients trade, and during starts. Every answered order is in the journal under its own nonce, byte-identical replays are refused, no nonce is carried out twice, chains and states are whole.",
    command: (plan) => ["kills", "--kills", String(plan.kills), ...where(plan)],
    result: { flag: "--json" },
    read(result) {
      const wrong = {
        "answered orders lost": listOf(result, "lost").length,
        "nonces admitted twice": listOf(result, "admittedTwice").length,
        "orders carried out twice": listOf(result, "carriedOutTwice").length,
        "broken chains": listOf(result, "brokenChains").length,
        "states unlike their journal": listOf(result, "differentStates").length,
      };
      return {
        passed: Object.values(wrong).every((count) => count === 0),
        figures: {
          "kills under load": numberOf(result, "kills"),
          "killed starts": numberOf(result, "killedStarts"),
          "answered orders": numberOf(result, "answeredOrders"),
          "requests cut off": numberOf(result, "cut"),
          replays: numberOf(result, "replays"),
          ...wrong,
        },
      };
    },
  };
}

function testFigures(result: unknown): ReturnType<Proof["read"]> {
  const failed = numberOf(result, "numFailedTests");
  const skipped = numberOf(result, "numPendingTests");
  return {
    passed: failed === 0 && skipped === 0,
    figures: { "tests passed": numberOf(result, "numPassedTests"), failed, skipped },
  };
}

function prefixed(prefix: string, counts: Readonly<Record<string, number>>) {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [prefix + name, count]));
}

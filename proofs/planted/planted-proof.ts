import { type Proof, textOption, wholeNumberOption } from "../proof.ts";
import { resultList, resultPart, resultText } from "../result-parts.ts";

/**
 * The number of failed tests that the reliability page names for a bug. The tests of a bug end after this many
 * failures, because the bug may make every further test hang.
 */
const TESTS_SHOWN = 1;

/**
 * Plants each known mistake in its own copy of the sources. Its tests run on the copy, and the simulator where it is
 * needed.
 */
export const PLANTED: Proof = {
  name: "planted",
  sentence: "Makes known mistakes in a copy of the sources and names the tests that catch them.",
  options: {
    seeds: { value: "K", fallback: "20", meaning: "seeds of the simulator for each bug" },
    steps: { value: "M", fallback: "3000", meaning: "steps of each seed" },
    depth: { value: "X", fallback: "0.2", meaning: "PROPGATE_DEPTH of the tests, as in the check" },
    only: { value: "TEXT", fallback: "", meaning: "only bugs whose name contains this text" },
  },
  async run(given, report) {
    const { findCatchers } = await import("./find-catchers.ts");
    const { PLANTED_BUGS } = await import("./planted-bugs.ts");
    const plan = {
      seeds: wholeNumberOption(given, "seeds"),
      steps: wholeNumberOption(given, "steps"),
      depth: textOption(given, "depth"),
      failures: TESTS_SHOWN,
    };
    const chosen = PLANTED_BUGS.filter(({ name }) => name.includes(textOption(given, "only")));
    const bugs = chosen.map((bug) => {
      const caught = findCatchers(bug, plan);
      report(JSON.stringify(caught, null, 2));
      return caught;
    });
    return { bugs };
  },
  read(result) {
    const bugs = resultList(result, "bugs");
    const rows = bugs.map((bug) => ({
      bug: resultText(bug, "name"),
      harm: resultText(bug, "harm"),
      simulator: resultPart(bug, "bySimulation") === null ? "" : resultText(bug, "bySimulation"),
      tests: resultList(bug, "byTests").map(String).slice(0, TESTS_SHOWN).join("; "),
    }));
    const isCaught = (bug: unknown): boolean =>
      resultPart(bug, "bySimulation") !== null ||
      (resultPart(bug, "needsSimulation") !== true && resultList(bug, "byTests").length > 0);
    const caught = bugs.filter(isCaught);
    return {
      passed: caught.length === rows.length,
      figures: { planted: rows.length, caught: caught.length },
      rows,
    };
  },
  fullRuns: [
    {
      record: "planted",
      title: "Bugs planted on purpose",
      promise:
        "A proof that cannot fail proves nothing. Each of these mistakes is made in a copy of the sources, and the simulator or a test has to catch it. Where a run of the simulator is named for a mistake, that run has to.",
      size: {},
    },
  ],
};

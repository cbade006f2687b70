import { MUTATION_AREAS, type MutationAreaName } from "./areas.ts";

const CONDITIONS = ["@propgate/source"];
const TIMEOUT_MS = 60_000;

/** The configuration of vitest that runs only the tests of an area. */
export function areaVitestConfig(name: MutationAreaName) {
  return {
    resolve: { conditions: CONDITIONS },
    ssr: { resolve: { conditions: CONDITIONS } },
    test: {
      include: [...MUTATION_AREAS[name].tests],
      testTimeout: TIMEOUT_MS,
      hookTimeout: TIMEOUT_MS,
      maxWorkers: 1,
    },
  };
}

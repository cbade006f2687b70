import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The slowest test files in the order in which they start. A slow file that started last would run on alone at the end.
 */
export const SLOWEST_FILES: readonly string[] = [
  "test/packed",
  "test/pages/looks",
  "test/pages/live",
  "test/pages/connection",
  "test/pages/docs",
  "test/pages/owner",
  "proofs/failover/failover",
  "proofs/nodes/forwarding",
  "proofs/simulate/simulation",
  "proofs/nodes/partitions",
  "proofs/nodes/feed",
  "packages/server/src/calls/operator/lists/list-model.property",
  "proofs/validator/validator",
  "packages/cli/src/commands/backup",
  "test/docs",
  "packages/cli/src/commands/serve",
  "test/snippets",
  "packages/server/src/start/nodes/start-together",
  "packages/push/src/webhooks/webhook-lanes",
  "test/e2e/stop/stop",
  "packages/server/src/start/scales.property",
  "proofs/nodes/least-privileges",
  "test/recipes",
  "test/event-streams",
  "packages/ledger/src/trading/backup/backup",
  "packages/push/src/firehose/firehose",
  "packages/market/src/prices/venues/ccxt/many-pairs",
  "packages/server/src/start/tracing/tracing",
  "test/sdk-types",
  "packages/market/src/prices/venues/ccxt/ccxt-source",
  "test/signers/signers",
  "packages/server/src/start/hot-statements",
  "test/deploy/image",
  "test/command-starts",
  "test/hostile/memory",
  "test/proxies/proxies",
  "packages/core/src/network/life.property",
  "packages/core/src/network/orders.property",
  "packages/ccxt/src/watch/watch",
];

/**
 * The order of the projects. A worker ends when the next file is of another project. The files of the last projects are
 * short, so that all workers end at about the same time.
 */
const PROJECTS: readonly string[] = ["pages", "service", "pure"];

/**
 * Sorts the test files by project. Within a project the slowest come first, and the rest are in the order of vitest's
 * own sequencer.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted(
      (one, other) => projectRank(one) - projectRank(other) || rank(one) - rank(other),
    );
  }
}

/** Whether a test file, as a path from the root, is one of the slowest. */
export function isSlow(path: string): boolean {
  return SLOWEST_FILES.some((name) => path === `${name}.test.ts`);
}

function rank({ moduleId }: TestSpecification): number {
  const place = SLOWEST_FILES.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return place === -1 ? SLOWEST_FILES.length : place;
}

function projectRank({ project }: TestSpecification): number {
  return PROJECTS.indexOf(project.name);
}

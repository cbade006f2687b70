import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files, in this order. One that started last would run on alone. */
const SLOWEST: readonly string[] = [
  "test/pages/looks",
  "test/hostile/memory",
  "test/pages/live",
  "packages/cli/src/mcp/mcp",
  "packages/cli/src/mcp/silent-service",
  "test/snippets",
  "test/pages/connection",
  "test/pages/docs",
  "packages/cli/src/commands/serve",
  "test/pages/owner",
  "test/proxies/proxies",
  "test/signers/signers",
  "test/packed",
  "test/e2e/bad-input",
  "test/e2e/sandbox",
  "test/walkthrough",
  "test/sdk-pages",
  "packages/core/src/network/life.property",
  "packages/core/src/network/orders.property",
];

/** The order of the test files; the rest comes by size, as in every run of vitest. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

/** Whether it is one of the slowest; a path from the root. */
export function isSlow(path: string): boolean {
  return SLOWEST.some((name) => path === `${name}.test.ts`);
}

function rank({ moduleId }: TestSpecification): number {
  const place = SLOWEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return place === -1 ? SLOWEST.length : place;
}

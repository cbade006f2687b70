/** What one full run of a proof showed, as it stands in `test/proofs`. */
export interface ProofRecord {
  /** The day of the run, such as 2026-11-21. */
  readonly at: string;
  /** What reproduces it. */
  readonly command: string;
  readonly passed: boolean;
  /** What was counted, by what it is called on the page. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** Things to tell one by one, such as which test caught which planted bug. */
  readonly rows?: readonly Readonly<Record<string, number | string>>[];
}

/** How large a run is to be. */
export interface Plan {
  readonly seeds: number;
  readonly steps: number;
  readonly kills: number;
  readonly cuts: number;
  readonly lives: number;
  readonly fuzzRuns: number;
  readonly databaseUrl: string | null;
}

/** One proof of the page: what it holds the service to, and how it is run. */
export interface Proof {
  readonly name: string;
  readonly title: string;
  readonly promise: string;
  /** The npm script and its arguments, behind `npm run`. */
  readonly command: (plan: Plan) => readonly [script: string, ...flags: string[]];
  /** How the command is told where to write its result, or where it writes it always. */
  readonly result: { readonly flag: "--json" | "--outputFile" } | { readonly file: string };
  /** What the run left, in the file that the command was told to write. */
  readonly read: (result: unknown) => Pick<ProofRecord, "passed" | "figures" | "rows">;
}

/** A result whose shape is its tool's; a part that is missing ends the making of the record. */
export function part(value: unknown, name: string): unknown {
  if (typeof value === "object" && value !== null) {
    const found = Object.entries(value).find(([key]) => key === name);
    if (found !== undefined) return found[1];
  }
  throw new Error(`a result without ${name}: ${JSON.stringify(value)?.slice(0, 200)}`);
}

export function numberOf(value: unknown, name: string): number {
  const found = part(value, name);
  if (typeof found === "number") return found;
  throw new Error(`${name} is no number: ${JSON.stringify(found)}`);
}

export function textOf(value: unknown, name: string): string {
  const found = part(value, name);
  if (typeof found === "string") return found;
  throw new Error(`${name} is no text: ${JSON.stringify(found)}`);
}

export function listOf(value: unknown, name: string): readonly unknown[] {
  const found = part(value, name);
  if (Array.isArray(found)) return found;
  throw new Error(`${name} is no list: ${JSON.stringify(found)}`);
}

/** Counts by name, added up over several results. */
export function summed(results: readonly unknown[], name: string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const result of results) {
    for (const [key, count] of Object.entries(part(result, name) ?? {}))
      sums[key] = (sums[key] ?? 0) + Number(count);
  }
  return sums;
}

export function total(results: readonly unknown[], name: string): number {
  return results.reduce<number>((sum, result) => sum + numberOf(result, name), 0);
}

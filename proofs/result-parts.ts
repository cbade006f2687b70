/** Reads a part of a result whose type is unknown. @throws when the part is missing. */
export function resultPart(value: unknown, name: string): unknown {
  if (typeof value === "object" && value !== null) {
    const found = Object.entries(value).find(([key]) => key === name);
    if (found !== undefined) return found[1];
  }
  throw new Error(`a result without ${name}: ${JSON.stringify(value)?.slice(0, 200)}`);
}

/** Reads a number of a result. @throws when it is missing or not a number */
export function resultNumber(value: unknown, name: string): number {
  const found = resultPart(value, name);
  if (typeof found === "number") return found;
  throw new Error(`${name} is not a number: ${JSON.stringify(found)}`);
}

/** Reads a text of a result. @throws when it is missing or not a text */
export function resultText(value: unknown, name: string): string {
  const found = resultPart(value, name);
  if (typeof found === "string") return found;
  throw new Error(`${name} is not a string: ${JSON.stringify(found)}`);
}

/** Reads a list of a result. @throws when it is missing or not a list */
export function resultList(value: unknown, name: string): readonly unknown[] {
  const found = resultPart(value, name);
  if (Array.isArray(found)) return found;
  throw new Error(`${name} is not a list: ${JSON.stringify(found)}`);
}

/** The lengths of the lists of a result, by label. `labels` has the name of each list by its label. */
export function resultListLengths(
  value: unknown,
  labels: Readonly<Record<string, string>>,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(labels).map(([label, name]) => [label, resultList(value, name).length]),
  );
}

export function areAllZero(counts: Readonly<Record<string, number>>): boolean {
  return Object.values(counts).every((count) => count === 0);
}

/** Adds up the counts of the object `name` over several results. */
export function sumCounts(results: readonly unknown[], name: string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const result of results) {
    for (const [key, count] of Object.entries(resultPart(result, name) ?? {}))
      sums[key] = (sums[key] ?? 0) + Number(count);
  }
  return sums;
}

/** The sum of one number over several results. */
export function sumNumber(results: readonly unknown[], name: string): number {
  return results.reduce<number>((sum, result) => sum + resultNumber(result, name), 0);
}

import { LIMITS } from "../limits.ts";

/** Collects what is wrong with a body; only the first problem is ever told. */
export interface Problems {
  report(problem: string): void;
  first(): string | null;
}

export function noProblems(): Problems {
  let first: string | null = null;
  return {
    report: (problem) => {
      first ??= problem;
    },
    first: () => first,
  };
}

/**
 * Reads the fields of one object. A field that is absent or null reads as null; a wrong one reads
 * as null too, with a problem reported. What nobody reads is a field to be ignored.
 */
export interface FieldReader {
  isGiven(name: string): boolean;
  /** Reports a field that is not given. */
  require(name: string): void;
  report(problem: string): void;
  text(name: string): string | null;
  word<Word extends string>(name: string, words: readonly Word[]): Word | null;
  /** A finite number above 0. */
  positive(name: string): number | null;
  /** 0 < x < 1, or 0 < x ≤ 1 with `oneAllowed`. */
  fraction(name: string, oneAllowed: boolean): number | null;
  object(name: string): FieldReader | null;
  objects(name: string): readonly FieldReader[] | null;
  /** Says that these were read but count for nothing. */
  disregard(names: readonly string[]): void;
  /** What nobody read, in the order sent, with the path in front. */
  ignored(): readonly string[];
}

export interface ReaderOf {
  readonly value: object;
  readonly problems: Problems;
  /** In front of ignored names: `trade.`. */
  readonly path: string;
  /** In front of problems: `bracket_orders[0]: `. */
  readonly prefix: string;
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fieldReader({ value, problems, path, prefix }: ReaderOf): FieldReader {
  const members = new Map<string, unknown>(Object.entries(value));
  const unread = new Set([...members.keys()].filter((name) => members.get(name) !== null));
  const children: FieldReader[] = [];

  const peek = (name: string): unknown => members.get(name) ?? null;
  const take = (name: string): unknown => {
    unread.delete(name);
    return peek(name);
  };
  const report = (problem: string): void => problems.report(`${prefix}${problem}`);
  const wrong = (name: string, must: string): null => {
    report(`'${name}' must be ${must}`);
    return null;
  };
  const child = (inside: object, name: string, childPrefix: string): FieldReader => {
    const reader = fieldReader({
      value: inside,
      problems,
      path: `${path}${name}.`,
      prefix: childPrefix,
    });
    children.push(reader);
    return reader;
  };
  const number = (name: string): number | null => {
    const given = take(name);
    if (given === null) return null;
    return typeof given === "number" && Number.isFinite(given) ? given : wrong(name, "a number");
  };

  return {
    isGiven: (name) => peek(name) !== null,
    require: (name) => {
      if (peek(name) === null) report(`'${name}' is required`);
    },
    report,
    text: (name) => {
      const given = take(name);
      if (given === null) return null;
      return typeof given === "string" && given !== "" ? given : wrong(name, "a non-empty string");
    },
    word: (name, words) => {
      const given = take(name);
      if (given === null) return null;
      return words.find((one) => one === given) ?? wrong(name, `one of ${words.join(", ")}`);
    },
    positive: (name) => {
      const given = number(name);
      if (given === null) return null;
      if (given <= 0) return wrong(name, "greater than 0");
      return given <= LIMITS.orderAmountMax
        ? given
        : wrong(name, `at most ${LIMITS.orderAmountMax}`);
    },
    fraction: (name, oneAllowed) => {
      const given = number(name);
      if (given === null) return null;
      if (given > 0 && (given < 1 || (oneAllowed && given === 1))) return given;
      return wrong(name, `greater than 0 and ${oneAllowed ? "at most" : "less than"} 1`);
    },
    object: (name) => {
      const given = take(name);
      if (given === null) return null;
      return isObject(given) ? child(given, name, prefix) : wrong(name, "an object");
    },
    objects: (name) => {
      const given = take(name);
      if (given === null) return null;
      if (!Array.isArray(given)) return wrong(name, "an array");
      const items: readonly unknown[] = given;
      return items.flatMap((item, index) => {
        const place = `${name}[${index}]`;
        if (isObject(item)) return [child(item, place, `${place}: `)];
        problems.report(`${place}: must be an object`);
        return [];
      });
    },
    disregard: (names) => {
      for (const name of names) if (peek(name) !== null) unread.add(name);
    },
    ignored: () => [
      ...[...members.keys()].filter((name) => unread.has(name)).map((name) => `${path}${name}`),
      ...children.flatMap((one) => one.ignored()),
    ],
  };
}

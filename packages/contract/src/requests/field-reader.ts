/** The first problem of a body; later ones are not reported. */
export interface Problems {
  first: string | null;
}

/** Where an object is in the body, and where its problems are reported. */
export interface ReaderContext {
  readonly problems: Problems;
  /** Prefix of the names of ignored fields, such as `trade.`. */
  readonly path: string;
  /** Prefix of problems, such as `bracket_orders[0]: `. */
  readonly prefix: string;
}

type Members = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads the fields of one object and remembers which of them were read. Null counts as absent. */
export class FieldReader {
  readonly #members: Members;
  readonly #place: ReaderContext;
  readonly #read = new Set<string>();
  readonly #inside = new Map<string, FieldReader>();

  constructor(members: Members, place: ReaderContext) {
    this.#members = members;
    this.#place = place;
  }

  /** The value of a field; null when it is absent. */
  peek(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? (this.#members[name] ?? null) : null;
  }

  isGiven(name: string): boolean {
    return this.peek(name) !== null;
  }

  /** The value of a field, or null when it is absent. Marks the field as read. */
  take(name: string): unknown {
    this.#read.add(name);
    return this.peek(name);
  }

  /** Reports the field as required when it is absent. */
  requireField(name: string): void {
    if (this.peek(name) === null) this.report(`'${name}' is required`);
  }

  report(problem: string): void {
    this.#place.problems.first ??= `${this.#place.prefix}${problem}`;
  }

  /** Reports the form that a field must have, and returns null. */
  reportForm(name: string, must: string): null {
    this.report(`'${name}' must be ${must}`);
    return null;
  }

  /** A reader of the object in a field. Null when the field is absent, or is not an object, which is reported. */
  object(name: string): FieldReader | null {
    const given = this.take(name);
    if (given === null) return null;
    return isObject(given)
      ? this.#innerReader(given, name, this.#place.prefix)
      : this.reportForm(name, "an object");
  }

  /**
   * A reader for each object in the list in a field. Null when the field is absent, or is not an array. A value that is
   * not an array and an item that is not an object are reported.
   */
  objects(name: string): readonly FieldReader[] | null {
    const given = this.take(name);
    if (given === null) return null;
    if (!Array.isArray(given)) return this.reportForm(name, "an array");
    const items: readonly unknown[] = given;
    return items.flatMap((item, index) => {
      if (isObject(item)) return [this.#item(item, name, index)];
      this.#place.problems.first ??= `${name}[${index}]: must be an object`;
      return [];
    });
  }

  /**
   * Readers of the object, or of the objects of the list, in a field. Skips anything else without a report, and does
   * not mark the field as read.
   */
  nestedReaders(name: string): readonly FieldReader[] {
    const given = this.peek(name);
    if (isObject(given)) return [this.#innerReader(given, name, this.#place.prefix)];
    const items: readonly unknown[] = Array.isArray(given) ? given : [];
    return items.flatMap((item, index) => (isObject(item) ? [this.#item(item, name, index)] : []));
  }

  /**
   * The names of the fields that were not read, each with its path: those of this object in the order sent, then those
   * inside it.
   */
  ignoredNames(): readonly string[] {
    const unread: string[] = [];
    for (const name of Object.keys(this.#members)) {
      if (this.#members[name] === null || this.#read.has(name)) continue;
      unread.push(`${this.#place.path}${name}`);
    }
    for (const one of this.#inside.values()) unread.push(...one.ignoredNames());
    return unread;
  }

  #item(members: Members, name: string, index: number): FieldReader {
    const place = `${name}[${index}]`;
    return this.#innerReader(members, place, `${place}: `);
  }

  /** The reader of an inner object: the same one at every call, so that it knows all fields that were read. */
  #innerReader(members: Members, name: string, prefix: string): FieldReader {
    const before = this.#inside.get(name);
    if (before !== undefined) return before;
    const { problems, path } = this.#place;
    const reader = new FieldReader(members, { problems, path: `${path}${name}.`, prefix });
    this.#inside.set(name, reader);
    return reader;
  }
}

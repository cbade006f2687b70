/** The first problem of a body; later ones are not reported. */
export interface Problems {
  first: string | null;
}

/** The position of an object in the body. */
export interface Place {
  readonly problems: Problems;
  /** Prefix of ignored names: `trade.`. */
  readonly path: string;
  /** Prefix of problems: `bracket_orders[0]: `. */
  readonly prefix: string;
}

type Members = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads the fields of one object and remembers which of them were read. Null counts as absent. */
export class FieldReader {
  readonly #members: Members;
  readonly #place: Place;
  readonly #read = new Set<string>();
  readonly #inside = new Map<string, FieldReader>();

  constructor(members: Members, place: Place) {
    this.#members = members;
    this.#place = place;
  }

  /** The value of a field, or null when it is absent. */
  given(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? (this.#members[name] ?? null) : null;
  }

  isGiven(name: string): boolean {
    return this.given(name) !== null;
  }

  /** The value of a field, which is marked as read. */
  take(name: string): unknown {
    this.#read.add(name);
    return this.given(name);
  }

  /** Reports a field that is absent. */
  mustHave(name: string): void {
    if (this.given(name) === null) this.report(`'${name}' is required`);
  }

  report(problem: string): void {
    this.#place.problems.first ??= `${this.#place.prefix}${problem}`;
  }

  /** Reports that a field must be something else. */
  wrong(name: string, must: string): null {
    this.report(`'${name}' must be ${must}`);
    return null;
  }

  /** A reader of the object in a field; null when the field is absent or wrong. */
  object(name: string): FieldReader | null {
    const given = this.take(name);
    if (given === null) return null;
    return isObject(given)
      ? this.#enter(given, name, this.#place.prefix)
      : this.wrong(name, "an object");
  }

  /** A reader for each object in a list; null when the list is absent or wrong. */
  objects(name: string): readonly FieldReader[] | null {
    const given = this.take(name);
    if (given === null) return null;
    if (!Array.isArray(given)) return this.wrong(name, "an array");
    const items: readonly unknown[] = given;
    return items.flatMap((item, index) => {
      if (isObject(item)) return [this.#item(item, name, index)];
      this.#place.problems.first ??= `${name}[${index}]: must be an object`;
      return [];
    });
  }

  /** Readers of the objects in a field, which may be wrong in any way. Does not mark the field as read. */
  inside(name: string): readonly FieldReader[] {
    const given = this.given(name);
    if (isObject(given)) return [this.#enter(given, name, this.#place.prefix)];
    const items: readonly unknown[] = Array.isArray(given) ? given : [];
    return items.flatMap((item, index) => (isObject(item) ? [this.#item(item, name, index)] : []));
  }

  /** The fields that were not read, in the order sent, each with its path. */
  ignored(): readonly string[] {
    const unread: string[] = [];
    for (const name of Object.keys(this.#members)) {
      if (this.#members[name] === null || this.#read.has(name)) continue;
      unread.push(`${this.#place.path}${name}`);
    }
    for (const one of this.#inside.values()) unread.push(...one.ignored());
    return unread;
  }

  #item(members: Members, name: string, index: number): FieldReader {
    const place = `${name}[${index}]`;
    return this.#enter(members, place, `${place}: `);
  }

  /** One reader for each object, so that it knows all fields that were read. */
  #enter(members: Members, name: string, prefix: string): FieldReader {
    const before = this.#inside.get(name);
    if (before !== undefined) return before;
    const { problems, path } = this.#place;
    const reader = new FieldReader(members, { problems, path: `${path}${name}.`, prefix });
    this.#inside.set(name, reader);
    return reader;
  }
}

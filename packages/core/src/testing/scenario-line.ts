/**
 * A line of a scenario: a command, an arrow and the expected result.
 * `order MARKET LONG BTCUSD quantity=1 sl=49000   -> filled 1 @ 50000, legs 1`
 */
export interface ScenarioLine {
  readonly number: number;
  readonly text: string;
  readonly words: readonly string[];
  /** The expected result; null when every outcome except a refusal is accepted. */
  readonly expected: string | null;
}

/** The lines of a scenario that are not empty. A `#` begins a comment. */
export function parseScenario(text: string): readonly ScenarioLine[] {
  return text
    .split("\n")
    .map((raw, index) => ({ raw: raw.replace(/#.*$/, "").trim(), number: index + 1 }))
    .filter(({ raw }) => raw !== "")
    .map(({ raw, number }) => lineOf(raw, number));
}

function lineOf(raw: string, number: number): ScenarioLine {
  const [command = "", expected] = raw.split(/\s*->\s*/);
  return { number, text: raw, words: command.split(/\s+/), expected: expected?.trim() ?? null };
}

/** The words of a command. Words such as `sl=49000` are found by their name, all others by their position. */
export class CommandWords {
  readonly #plain: readonly string[];
  readonly #named: ReadonlyMap<string, readonly string[]>;

  constructor(words: readonly string[]) {
    this.#plain = words.filter((word) => !word.includes("="));
    const pairs = words.filter((word) => word.includes("=")).map((word) => word.split("=", 2));
    const named = new Map<string, string[]>();
    for (const [name = "", value = ""] of pairs) {
      named.set(name, [...(named.get(name) ?? []), value]);
    }
    this.#named = named;
  }

  /**
   * The word at this position, counted from 0 without the named words.
   * @throws when there is none.
   */
  at(place: number): string {
    const word = this.#plain[place];
    if (word === undefined)
      throw new Error(`word ${place + 1} is missing: ${this.#plain.join(" ")}`);
    return word;
  }

  from(place: number): readonly string[] {
    return this.#plain.slice(place);
  }

  namedValue(name: string): string | null {
    return this.#named.get(name)?.[0] ?? null;
  }

  number(name: string): number | null {
    const word = this.namedValue(name);
    return word === null ? null : Number(word);
  }

  every(name: string): readonly string[] {
    return this.#named.get(name) ?? [];
  }
}

import type { Clock } from "@propgate/base";
import type { PairId } from "@propgate/core";
import type {
  ChosenPrices,
  PriceChoice,
  PriceChoiceStore,
} from "../../storage/price-choice-store.ts";

/** A choice that an operator, or a check of the service, makes for the prices of a pair. */
export interface ChoiceRequest {
  readonly pair: PairId;
  readonly chosen: ChosenPrices;
  readonly reason: string | null;
  /** The name of the person, or of the service's check, that makes the choice, as the audit shows it. */
  readonly by: string;
  /** The version of the choice that the operator saw, 0 for no choice; null overwrites any choice. */
  readonly expected: number | null;
}

/** The choices for the prices of pairs. A choice is durable before it takes effect, so a restart keeps it. */
export interface PriceChoices {
  /** The choice of a pair; null when there is none. */
  choiceOf(pair: PairId): PriceChoice | null;
  isHalted(pair: PairId): boolean;
  list(): readonly PriceChoice[];
  /**
   * Stores a choice and applies it. When the present choice has another version than `expected`, it stores no choice
   * and returns the present one as `changed`, null when there is none.
   */
  choose(request: ChoiceRequest): Promise<PriceChoice | { readonly changed: PriceChoice | null }>;
  /**
   * Halts a pair, unless it is already halted; then the stored reason stays. Parts of the service call it when they
   * find a pair's prices implausible. An operator lifts the halt with `auto`. The halt keeps the chosen source, which
   * the pair uses again when the service itself lifts the halt.
   */
  halt(pair: PairId, why: { readonly reason: string; readonly by: string }): Promise<void>;
  /** Loads and applies the choices of other nodes and of earlier starts. Call it every second. */
  refresh(): Promise<void>;
  /** Adds a listener for each new choice. `choose` and `refresh` wait for the listeners. */
  onChange(listener: (choice: PriceChoice) => Promise<void>): void;
}

export function createPriceChoices(options: {
  readonly store: PriceChoiceStore;
  readonly clock: Clock;
}): PriceChoices {
  const { store, clock } = options;
  const choices = new Map<PairId, PriceChoice>();
  const listeners: ((choice: PriceChoice) => Promise<void>)[] = [];

  const take = async (choice: PriceChoice): Promise<void> => {
    const known = choices.get(choice.pair);
    // A read that began before a choice may end after it and return an older version, which is ignored.
    if (known !== undefined && known.version >= choice.version) return;
    choices.set(choice.pair, choice);
    await Promise.all(listeners.map((listener) => listener(choice)));
  };
  const choose: PriceChoices["choose"] = async ({ expected, ...request }) => {
    const stored = await store.choose({ ...request, atMs: clock.now() }, expected);
    if ("changed" in stored) {
      if (stored.changed !== null) await take(stored.changed);
      return stored;
    }
    await take(stored);
    return stored;
  };

  return {
    choiceOf: (pair) => choices.get(pair) ?? null,
    isHalted: (pair) => choices.get(pair)?.chosen.kind === "halt",
    list: () => [...choices.values()],
    choose,
    async halt(pair, { reason, by }) {
      for (;;) {
        const known = choices.get(pair);
        if (known?.chosen.kind === "halt") return;
        const resumes = known?.chosen.kind === "use" ? { resumes: known.chosen.source } : {};
        const chosen = { kind: "halt", ...resumes } as const;
        const expected = known?.version ?? 0;
        // A choice that another node has stored meanwhile is taken over first: it may be an operator's halt.
        if (!("changed" in (await choose({ pair, chosen, reason, by, expected })))) return;
      }
    },
    async refresh() {
      for (const choice of await store.list()) await take(choice);
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

import type { Clock } from "@propgate/base";
import type { PairId } from "@propgate/core";
import type {
  ChosenPrices,
  PriceChoice,
  PriceChoiceStore,
} from "../../storage/price-choice-store.ts";

/** A decision about the prices of a pair. */
export interface ChoiceRequest {
  readonly pair: PairId;
  readonly chosen: ChosenPrices;
  readonly reason: string | null;
  /** The name of the person who decides, as the audit shows it. */
  readonly by: string;
  /** The version that the operator saw, 0 for none; null overwrites any choice. */
  readonly expected: number | null;
}

/** The operator's choices for prices, by pair. A choice is durable before it takes effect, so a restart keeps it. */
export interface PriceChoices {
  /** Null for a pair without a choice. */
  of(pair: PairId): PriceChoice | null;
  isHalted(pair: PairId): boolean;
  list(): readonly PriceChoice[];
  /** `changed` is the choice that another operator made since; null when there is none. */
  choose(request: ChoiceRequest): Promise<PriceChoice | { readonly changed: PriceChoice | null }>;
  /**
   * Halts a pair unless an operator has halted it already, whose reason then stays. For parts of the service that find
   * a pair's prices implausible; an operator lifts it with `auto`.
   */
  halt(pair: PairId, why: { readonly reason: string; readonly by: string }): Promise<void>;
  /** Loads the choices of other nodes and of earlier starts; call it every second. */
  refresh(): Promise<void>;
  /** Called with each new choice; `choose` resolves after its listeners. */
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
    // A read that began before a choice may end after it.
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
    of: (pair) => choices.get(pair) ?? null,
    isHalted: (pair) => choices.get(pair)?.chosen.kind === "halt",
    list: () => [...choices.values()],
    choose,
    async halt(pair, { reason, by }) {
      const known = choices.get(pair);
      if (known?.chosen.kind === "halt") return;
      await choose({ pair, chosen: { kind: "halt" }, reason, by, expected: null });
    },
    async refresh() {
      for (const choice of await store.list()) await take(choice);
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

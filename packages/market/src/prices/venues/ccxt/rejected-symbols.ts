import type { Clock } from "@propgate/base";

/** Symbols, each with the names of its market at the venue. */
type NamedSymbols = ReadonlyMap<string, readonly string[]>;

/** The symbols whose subscriptions a venue has rejected, over all its connections. */
export interface RejectedSymbols {
  /** The symbols that may be watched: those that were not rejected in the last hour. */
  allowedSymbols(symbols: readonly string[]): readonly string[];
  /**
   * Leaves out the symbol that an error names and returns it. Only symbols without a price so far (`unheard`) count.
   * Returns null when the error names none or several of them. When every symbol of `all` would be left out, the venue
   * rejects everything and no single symbol is the cause: then all rejections are forgotten and the result is null.
   */
  leaveOut(error: string, unheard: NamedSymbols, all: readonly string[]): string | null;
  /** Restarts the hour in which the symbol is not watched. Call it when the symbol is tried again. */
  recordTrial(symbol: string): void;
  /** Warns of the symbols that are left out, each once until it has a price again. */
  report(error: string): void;
  /** Forgets the symbol's rejection. Call it when a price of the symbol came. */
  recordPrice(symbol: string): void;
}

/** How long a rejected symbol is not tried again. */
const REJECTED_FOR_MS = 3_600_000;

export function createRejectedSymbols(
  clock: Clock,
  warn: (symbols: readonly string[], error: string) => void,
): RejectedSymbols {
  const sinceMs = new Map<string, number>();
  const warned = new Set<string>();
  const isRejected = (symbol: string): boolean => {
    const since = sinceMs.get(symbol);
    return since !== undefined && clock.now() - since < REJECTED_FOR_MS;
  };
  return {
    allowedSymbols: (symbols) => symbols.filter((symbol) => !isRejected(symbol)),
    leaveOut(error, unheard, all) {
      const named = [...unheard].filter(([, names]) => names.some((name) => isNamed(error, name)));
      const [first] = named.map(([symbol]) => symbol);
      if (first === undefined || named.length > 1) return null;
      sinceMs.set(first, clock.now());
      if (all.every(isRejected)) {
        sinceMs.clear();
        return null;
      }
      return first;
    },
    recordTrial: (symbol) => void sinceMs.set(symbol, clock.now()),
    report(error) {
      const symbols = [...sinceMs.keys()].filter((symbol) => !warned.has(symbol));
      if (symbols.length > 0) warn(symbols, error);
      for (const symbol of symbols) warned.add(symbol);
    },
    recordPrice(symbol) {
      if (sinceMs.size > 0) sinceMs.delete(symbol);
      if (warned.size > 0) warned.delete(symbol);
    },
  };
}

/** Whether a text contains the name as a whole, not only as a part of a longer name. */
export function isNamed(text: string, name: string): boolean {
  const isInName = (character: string | undefined): boolean =>
    character !== undefined && /[A-Za-z0-9]/.test(character);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!isInName(text[at - 1]) && !isInName(text[at + name.length])) return true;
  }
  return false;
}

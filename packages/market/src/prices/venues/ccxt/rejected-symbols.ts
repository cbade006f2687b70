import type { Clock } from "@propgate/base";

/** A symbol, with the venue's own names of its market. */
type NamedSymbols = ReadonlyMap<string, readonly string[]>;

/** The symbols whose subscriptions a venue rejected, over all its connections. */
export interface RejectedSymbols {
  /** The symbols that may be watched: never rejected, or rejected more than an hour ago. */
  allowed(symbols: readonly string[]): readonly string[];
  /**
   * Leaves out the symbol that an error names, of those without a price yet. Null when the error names none or several,
   * or when none of `all` is left: the venue then rejects everything, and it is not a matter of one pair.
   */
  leaveOut(error: string, unheard: NamedSymbols, all: readonly string[]): string | null;
  /** The symbol is tried again now. */
  tried(symbol: string): void;
  /** Warns of the symbols that are left out, once each. */
  report(error: string): void;
  /** A price of the symbol came. */
  heard(symbol: string): void;
}

/** A rejected symbol is tried again after this time. */
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
    allowed: (symbols) => symbols.filter((symbol) => !isRejected(symbol)),
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
    tried: (symbol) => void sinceMs.set(symbol, clock.now()),
    report(error) {
      const symbols = [...sinceMs.keys()].filter((symbol) => !warned.has(symbol));
      if (symbols.length > 0) warn(symbols, error);
      for (const symbol of symbols) warned.add(symbol);
    },
    heard(symbol) {
      if (sinceMs.size > 0) sinceMs.delete(symbol);
      if (warned.size > 0) warned.delete(symbol);
    },
  };
}

/** Whether a text has the name, and not only as a part of a longer one. */
export function isNamed(text: string, name: string): boolean {
  const isInName = (character: string | undefined): boolean =>
    character !== undefined && /[A-Za-z0-9]/.test(character);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!isInName(text[at - 1]) && !isInName(text[at + name.length])) return true;
  }
  return false;
}

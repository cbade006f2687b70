import type { Log } from "@propgate/base";
import type { Instruments, PairId } from "@propgate/core";
import type { ChosenPrices, PriceChoice } from "../../storage/price-choice-store.ts";
import type { QuoteBoard } from "../quote-board.ts";
import {
  createSessionGaps,
  gapText,
  type SessionGap,
  type SessionGaps,
} from "../quotes/session-gaps.ts";
import type { PriceChoices } from "./price-choices.ts";

/** The names of the checks as authors of choices, so that the console shows which check halted the pair. */
const CHECKS = {
  session: "gap check",
  formerScale: "split check",
} as const satisfies Record<SessionGap["kind"], string>;

/**
 * Halts pairs whose prices are implausible after an opening or a split, and lifts the halts that a corporate action
 * explains.
 */
export interface GapHalts {
  readonly gaps: SessionGaps;
  /**
   * Lifts the halt of a pair when a corporate action that came after the halt fits the price: the action explains the
   * gap, or the price has the scale of the split. The pair then uses the source again that an operator had chosen
   * before the halt. Also stores halts that could not be stored earlier. Call it every second. @rule D13.gapExplained
   */
  liftExplained(): Promise<void>;
}

/**
 * Creates the check of gaps. Its halts are stored choices, so they survive a restart and every node has them. An
 * operator who lifts one with `auto` accepts the gap. A fitting corporate action also lifts it, but accepts no other
 * gap.
 * @rule D11.gap D13.gapExplained
 */
export function createGapHalts(options: {
  readonly instruments: Instruments;
  readonly board: Pick<QuoteBoard, "quote" | "actionsOf">;
  readonly choices: PriceChoices;
  readonly log: Log;
}): GapHalts {
  const { board, choices, log } = options;
  const halted = new Map<PairId, SessionGap["kind"]>();
  const note = ({ pair, chosen, by }: Pick<PriceChoice, "pair" | "chosen" | "by">): void => {
    const kind = chosen.kind === "halt" ? checkOf(by) : null;
    if (kind !== null) halted.set(pair, kind);
  };
  for (const choice of choices.list()) note(choice);
  /** Halts that are not stored yet. Until they are, no operator can accept the gap. */
  const unstored = new Map<PairId, Parameters<PriceChoices["halt"]>[1]>();
  const store = async (pair: PairId): Promise<void> => {
    const why = unstored.get(pair);
    if (why !== undefined && gaps.isReported(pair)) await choices.halt(pair, why);
    unstored.delete(pair);
  };
  const gaps: SessionGaps = createSessionGaps({
    instruments: options.instruments,
    actionsOf: (pair) => board.actionsOf(pair),
    lastAtMs: (pair) => board.quote(pair)?.atMs ?? null,
    onGap(gap) {
      const reason = gapText(gap);
      log.warn({ pair: gap.pair }, reason);
      // The intake already rejects the quotes after the gap. The halt shows the gap to the operator and survives a
      // restart.
      unstored.set(gap.pair, { reason, by: CHECKS[gap.kind] });
      store(gap.pair).catch((cause: unknown) => {
        log.error({ err: cause, pair: gap.pair }, "the halt of a gap could not be stored");
      });
    },
  });
  choices.onChange(async (choice) => {
    const { pair, chosen, by } = choice;
    if (chosen.kind === "halt") {
      note(choice);
      return;
    }
    if (!halted.delete(pair)) return;
    if (checkOf(by) === null) gaps.accept(pair);
    else gaps.forget(pair);
  });
  const isExplained = ([pair, kind]: readonly [PairId, SessionGap["kind"]]): boolean => {
    const last = board.quote(pair);
    const choice = choices.choiceOf(pair);
    if (last === null || choice?.chosen.kind !== "halt") return false;
    // An operator has halted the pair since, so only an operator lifts that halt.
    if (checkOf(choice.by) === null) return false;
    // Without a later corporate action only an operator can explain the gap of a session.
    if (kind === "session" && last.adjustedToMs === undefined) return false;
    return gaps.isExplained(last);
  };
  return {
    gaps,
    async liftExplained() {
      for (const pair of [...unstored.keys()]) await store(pair);
      for (const [pair, kind] of [...halted]) {
        // The pair is checked again immediately before its halt is lifted, because an operator may have made another
        // choice for it while the halts of other pairs were lifted.
        if (!isExplained([pair, kind])) continue;
        const { version: expected = 0, chosen: halt } = choices.choiceOf(pair) ?? {};
        const reason = "a corporate action explains the price";
        const chosen = afterHalt(halt);
        await choices.choose({ pair, chosen, reason, by: CHECKS[kind], expected });
      }
    },
  };
}

/**
 * The choice that follows the halt of a check. The action fits the price, so this choice does not accept a far first
 * price.
 */
function afterHalt(halt: ChosenPrices | undefined): ChosenPrices {
  if (halt?.kind !== "halt" || halt.resumes === undefined) return { kind: "auto" };
  return { kind: "use", source: halt.resumes, isFar: false };
}

/** The check that writes this name as the author of its choices; null for every other author, such as an operator. */
function checkOf(by: string): SessionGap["kind"] | null {
  if (by === CHECKS.session) return "session";
  return by === CHECKS.formerScale ? "formerScale" : null;
}

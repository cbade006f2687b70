import type { PerShard, StorageWatch } from "@propgate/ledger";
import type { PriceDesk } from "@propgate/market";
import type { AppOptions } from "../../api/app.ts";
import type { DataLife } from "../data-life.ts";

const READ_ONLY = "the data were restored and may only be read until an operator confirms that";

/** The part of the options that shows whether this node's clock is wrong. */
export interface WatchedClock {
  /** The reason why this node's clock is wrong; null while it is right. Absent when the clock counts as right. */
  readonly clockProblem?: (() => string | null) | undefined;
}

/** Returns a function that gives true while this node's clock is wrong. */
export function createClockCheck({ clockProblem }: WatchedClock): () => boolean {
  return () => (clockProblem?.() ?? null) !== null;
}

/** The answers of `/ready` and `/health`, and whether the clock of this node is wrong. */
export function createReadiness(
  options: WatchedClock & {
    readonly storage: PerShard<Pick<StorageWatch, "fault">>;
    readonly prices: Pick<PriceDesk, "missingPricesText">;
    readonly notReady?: () => string | null;
    readonly busProblem?: () => string | null;
    readonly dataLife?: Pick<DataLife, "isReadOnly"> | undefined;
  },
): Pick<AppOptions, "notReady" | "warning" | "health" | "isClockWrong"> {
  const { storage, prices, dataLife, clockProblem, notReady = () => null } = options;
  const behind = (): string | null => clockProblem?.() ?? options.busProblem?.() ?? null;
  const [first, ...others] = storage;
  const isFaulty = (): boolean => first.fault() !== null;
  // A failure of another database than the first is only a warning. This process still serves the accounts of all
  // others, so load balancers should keep it.
  const otherFails = (): string | null => {
    const index = others.findIndex((other) => other.fault() !== null);
    return index < 0 ? null : `database ${index + 1} fails`;
  };
  const readOnly = (): string | null => (dataLife?.isReadOnly() === true ? READ_ONLY : null);
  const warning = (): string | null => otherFails() ?? readOnly() ?? prices.missingPricesText();
  return {
    isClockWrong: createClockCheck(options),
    notReady: () => notReady() ?? (isFaulty() ? "the database does not answer" : behind()),
    warning,
    health: () => (isFaulty() ? "the database fails" : (behind() ?? warning())),
  };
}

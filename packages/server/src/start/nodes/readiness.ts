import type { PerShard, StorageWatch } from "@propgate/ledger";
import type { PriceDesk } from "@propgate/market";
import type { AppOptions } from "../../api/app.ts";
import type { DataLife } from "../data-life.ts";

const READ_ONLY = "the data were restored and may only be read until an operator confirms that";

export interface WatchedClock {
  /** Why this node's clock is wrong; null while it is right. When absent, the clock counts as right. */
  readonly clockProblem?: (() => string | null) | undefined;
}

/** Whether this node's clock is wrong now. */
export function clockIsWrong({ clockProblem }: WatchedClock): () => boolean {
  return () => (clockProblem?.() ?? null) !== null;
}

/** The answers of `/ready` and `/health`, and whether the clock lets anything else be answered. */
export function readinessOf(
  options: WatchedClock & {
    readonly storage: PerShard<Pick<StorageWatch, "fault">>;
    readonly prices: Pick<PriceDesk, "missing">;
    readonly notReady?: () => string | null;
    readonly busProblem?: () => string | null;
    readonly dataLife?: Pick<DataLife, "isReadOnly"> | undefined;
  },
): Pick<AppOptions, "notReady" | "warning" | "health" | "isClockWrong"> {
  const { storage, prices, dataLife, clockProblem, notReady = () => null } = options;
  const behind = (): string | null => clockProblem?.() ?? options.busProblem?.() ?? null;
  const [first, ...others] = storage;
  const isFaulty = (): boolean => first.fault() !== null;
  // The accounts of all other databases are served, so load balancers keep this process.
  const otherFails = (): string | null => {
    const index = others.findIndex((other) => other.fault() !== null);
    return index < 0 ? null : `database ${index + 1} fails`;
  };
  const readOnly = (): string | null => (dataLife?.isReadOnly() === true ? READ_ONLY : null);
  const warning = (): string | null => otherFails() ?? readOnly() ?? prices.missing();
  return {
    isClockWrong: clockIsWrong(options),
    notReady: () => notReady() ?? (isFaulty() ? "the database does not answer" : behind()),
    warning,
    health: () => (isFaulty() ? "the database fails" : (behind() ?? warning())),
  };
}

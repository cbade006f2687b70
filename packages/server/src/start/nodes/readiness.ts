import type { AppOptions } from "../../api/app.ts";
import type { PriceDesk } from "../../prices/composition/price-desk.ts";
import type { StorageWatch } from "../../storage/databases/storage-watch.ts";

/** The answers of `/ready` and `/health`. */
export function readinessOf(options: {
  readonly storage: Pick<StorageWatch, "fault">;
  readonly prices: Pick<PriceDesk, "missing">;
  readonly notReady?: () => string | null;
  readonly busProblem?: () => string | null;
}): Pick<AppOptions, "notReady" | "warning" | "health"> {
  const { storage, prices, notReady = () => null, busProblem = () => null } = options;
  const isFaulty = (): boolean => storage.fault() !== null;
  return {
    notReady: () => notReady() ?? (isFaulty() ? "the database does not answer" : busProblem()),
    warning: () => prices.missing(),
    health: () => (isFaulty() ? "the database fails" : (busProblem() ?? prices.missing())),
  };
}

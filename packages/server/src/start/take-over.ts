import type { Clock } from "@propgate/base";
import type { Instruments } from "@propgate/core";
import type { VersionedState } from "@propgate/ledger";
import {
  type BestOnTape,
  findBestsOnTape,
  type MarketLoop,
  type QuoteBoard,
  type TapeReader,
} from "@propgate/market";

/** The parts with which the market of this process takes over accounts. */
export interface TakeOverOptions {
  readonly market: Pick<MarketLoop, "watchAccounts" | "watchedVersion">;
  /** The tape of this process; absent or null when prices are not recorded. */
  readonly tape?: Pick<TapeReader, "read"> | null | undefined;
  readonly instruments: Instruments;
  readonly board: Pick<QuoteBoard, "actionsOf">;
  readonly clock: Clock;
  readonly onFault: (cause: unknown) => void;
}

/**
 * Makes the market watch accounts that this process did not change. A trailing stop that is watched for the first time
 * continues from its best price on the tape; without a tape, from its recorded best price. @rule D5.trailing
 */
export async function takeOver(
  options: TakeOverOptions,
  accounts: readonly VersionedState[],
): Promise<void> {
  const { market } = options;
  const unknown = accounts.filter(({ state }) => market.watchedVersion(state.accountId) === 0);
  market.watchAccounts(accounts, await findTapeBests(options, unknown));
}

/**
 * Finds on the tape the best prices of the trailing stops of these accounts; undefined without such stops or a tape. A
 * tape that cannot be read is reported, and the stops continue from their recorded best prices.
 */
async function findTapeBests(
  { tape, instruments, board, clock, onFault }: TakeOverOptions,
  accounts: readonly VersionedState[],
): Promise<BestOnTape | undefined> {
  const legs = accounts.flatMap(({ state }) =>
    state.orders.flatMap((order) =>
      order.kind === "bracket" && order.bestPrice !== null ? [order] : [],
    ),
  );
  if (legs.length === 0 || tape === undefined || tape === null) return undefined;
  try {
    return await findBestsOnTape(tape, {
      legs,
      instruments,
      now: clock.now(),
      actionsOf: board.actionsOf,
    });
  } catch (cause) {
    onFault(cause);
    return undefined;
  }
}

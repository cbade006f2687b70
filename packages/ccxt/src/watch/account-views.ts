import type { EventType, Linked } from "@propgate/contract";
import type { AccountEvent } from "@propgate/sdk";
import type { Balances, Position } from "ccxt";
import { fetchBalance, fetchPositions } from "../account-reads.ts";
import type { ExchangeContext } from "../ccxt-module.ts";
import { SETTLE_CURRENCY } from "../markets.ts";
import type { Updates } from "./updates.ts";

type View = "balance" | "positions";

/** The exchange, and the receivers of changed balances and positions. */
export interface AccountViewsOptions {
  readonly desk: ExchangeContext;
  readonly balance: Updates<Balances>;
  readonly positions: Updates<Position>;
  /** Puts the present state on the exchange object, as ccxt does. */
  readonly onBalance: (balance: Balances) => void;
  readonly onPositions: (changed: readonly Position[]) => void;
}

/**
 * The balance and the positions for the watch methods. They have figures of the market, such as margin and PnL, which
 * no event has. So they are read once after the events that change them.
 */
export interface AccountViews {
  /** Gives new readers the view. The view is read first, unless it has not changed since the last read. */
  begin(view: View): void;
  applyEvent(event: AccountEvent<Linked>): void;
  /** Forgets a view that has no reader. */
  end(view: View): void;
}

const BOTH: readonly View[] = ["balance", "positions"];
const NONE: readonly View[] = [];

/** The views that a type of event changes. A type that is missing here may change both. */
const CHANGED_VIEWS: Readonly<Partial<Record<EventType, readonly View[]>>> = {
  "order.resting": NONE,
  "order.edited": ["positions"],
  "order.held": NONE,
  "order.triggered": NONE,
  "order.cancelled": ["positions"],
  "order.rejected": ["positions"],
  "legs.attached": ["positions"],
  "leg.trailed": NONE,
  "day.ended": NONE,
  "carry.charged": ["balance"],
  "pro.offered": NONE,
  "drawdown.deepened": NONE,
  "limit.neared": NONE,
  "payout.cycle_closed": ["balance"],
  "payout.updated": ["balance"],
  "payout.forfeited": ["balance"],
  "switch.armed": NONE,
  "switch.suspended": NONE,
  "switch.ended": NONE,
  "switch.fired": NONE,
};

/**
 * The pause after a read of a view. With both views it leaves half of the read budget to the bot, even when there is an
 * event every second.
 */
const PAUSE_MS = 2_000;

/** Creates the views of an exchange, which read only while a watch method needs them. */
export function createAccountViews(options: AccountViewsOptions): AccountViews {
  const { desk, balance, positions, onBalance, onPositions } = options;
  let open: ReadonlyMap<string, Position> | null = null;
  let last: Balances | null = null;

  const readPositions = async (): Promise<void> => {
    const read = new Map((await fetchPositions(desk, undefined)).map((one) => [idOf(one), one]));
    const before = open ?? new Map<string, Position>();
    const changed = [
      ...[...before.values()].filter((one) => !read.has(idOf(one))).map(closedPosition),
      ...[...read.values()].filter((one) => !isSame(one, before.get(idOf(one)))),
    ];
    open = read;
    onPositions(changed);
    positions.add(changed);
    positions.begin([...read.values()]);
  };
  const readBalance = async (): Promise<void> => {
    const read = await fetchBalance(desk);
    const isChanged =
      JSON.stringify(read[SETTLE_CURRENCY]) !== JSON.stringify(last?.[SETTLE_CURRENCY]);
    last = read;
    onBalance(read);
    if (isChanged) balance.add([read]);
    balance.begin([read]);
  };
  const readers = {
    balance: createReader(desk, balance, readBalance),
    positions: createReader(desk, positions, readPositions),
  };
  return {
    begin(view) {
      if (!readers[view].isCurrent()) readers[view].read();
      else if (view === "balance" && last !== null) balance.begin([last]);
      else if (view === "positions" && open !== null) positions.begin([...open.values()]);
    },
    applyEvent(event) {
      const changed: Readonly<Record<string, readonly View[]>> = CHANGED_VIEWS;
      // A type of event of a newer service may change any view.
      for (const view of changed[event.type] ?? BOTH) readers[view].read();
    },
    end(view) {
      readers[view].end();
      if (view === "balance") last = null;
      else open = null;
    },
  };
}

interface Reader {
  /** False before the first read, after a failed read, and while a change has not been read. */
  isCurrent(): boolean;
  /** Reads the view. Changes that come during a read or its pause share the next read. */
  read(): void;
  end(): void;
}

function createReader(
  desk: ExchangeContext,
  updates: Pick<Updates<unknown>, "watched" | "fail">,
  work: () => Promise<void>,
): Reader {
  let isCurrent = false;
  let isBusy = false;

  const run = async (): Promise<void> => {
    while (!isCurrent && updates.watched.length > 0) {
      isCurrent = true;
      try {
        await work();
      } catch (error) {
        isCurrent = false;
        updates.fail(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      await desk.exchange.sleep(PAUSE_MS);
    }
  };
  return {
    isCurrent: () => isCurrent,
    read() {
      isCurrent = false;
      if (isBusy) return;
      isBusy = true;
      void run().finally(() => {
        isBusy = false;
      });
    },
    end() {
      isCurrent = false;
    },
  };
}

function idOf({ id }: Position): string {
  return id ?? "";
}

/** The position with no contracts, value or unrealized PnL, as after it was closed. */
function closedPosition(position: Position): Position {
  return { ...position, contracts: 0, notional: 0, unrealizedPnl: 0 };
}

/** The fields that only an event changes. The other fields change with every price. */
const FIELDS = [
  "side",
  "contracts",
  "entryPrice",
  "realizedPnl",
  "stopLossPrice",
  "takeProfitPrice",
] as const;

function isSame(one: Position, other: Position | undefined): boolean {
  return (
    other !== undefined &&
    FIELDS.every((name) => Reflect.get(one, name) === Reflect.get(other, name))
  );
}

import type { FaultRecord, FaultRule } from "../http/faults.ts";
import type { Elimination, Json, Price, Subaccount, Submission } from "../network/state.ts";

/** A new subaccount. Omitted fields have the values of a usual standard challenge account of $100,000. */
export interface NewSubaccount {
  readonly assetClass?: string;
  readonly accountSize?: number;
  readonly criteria?: Subaccount["criteria"];
  readonly bucket?: string;
  readonly status?: Subaccount["status"];
  readonly leverageTier?: Subaccount["leverageTier"];
  readonly standardAccountSize?: number;
  readonly proAccountSize?: number | null;
  readonly proStats?: Readonly<Record<string, Json>> | null;
  readonly payoutAddress?: string | null;
  readonly hlAddress?: string | null;
  readonly createdAtMs?: number;
}

/** The fields of a subaccount that a control call may replace. */
export interface SubaccountChange extends NewSubaccount {
  readonly drawdown?: Partial<Subaccount["drawdown"]>;
  /** Replaces values of the dashboard by `section.key`, such as `drawdown.current_equity`. */
  readonly overrides?: Readonly<Record<string, Json>>;
  /** Leaves out sections (`ledger`) or keys (`drawdown.daily_open_equity`) of the dashboard. */
  readonly absent?: readonly string[];
  /** The data of the payout call; null makes it answer 404. */
  readonly payout?: Readonly<Record<string, Json>> | null;
  readonly dividends?: number;
}

/** An order call that was accepted, with the present state of its order. */
export interface AcceptedOrder extends Submission {
  /**
   * The state of the order. `done`: the call changed other orders, as a cancel does. `nothing`: no trace of the order
   * is left.
   */
  readonly state: "filled" | "resting" | "cancelled" | "nothing" | "done";
}

/** How often the order calls of a subaccount with the same content were accepted and refused. */
export interface OrderContentCount {
  readonly hotkey: string;
  readonly content: string;
  readonly accepted: number;
  readonly refused: number;
}

/** The stand-in's controls: the same methods inside the process and over HTTP. */
export interface StandInControl {
  addSubaccount(subaccount: NewSubaccount): Promise<{ hotkey: string; number: number }>;
  changeSubaccount(hotkey: string, change: SubaccountChange): Promise<void>;
  /** Closes the positions of a subaccount, cancels its orders and ends it. */
  eliminate(hotkey: string, elimination: Omit<Elimination, "atMs">): Promise<void>;
  /** Sets prices by pair id; null removes one. Resting orders and legs that they trigger fill. */
  setPrices(prices: Readonly<Record<string, Price | null>>): Promise<void>;
  /**
   * Fills a resting LIMIT at the present price, even when this price does not reach its limit: the oldest one in
   * `named`, else the oldest of all.
   */
  fillByItself(hotkey: string, named: readonly string[]): Promise<void>;
  closeMarket(pair: string, isClosed: boolean): Promise<void>;
  /** Sets the wait between fills on one pair of an account; 0 for no wait. */
  setCooldown(ms: number): Promise<void>;
  /** Moves the stand-in's clock forward. */
  advance(ms: number): Promise<void>;
  /** Sets the name in `price_sources` of `order_json`, which may have any characters. */
  setSourceName(name: string): Promise<void>;
  /** Takes the 00:00 UTC snapshot: daily open, end of day and high-water mark. */
  endDay(hotkey: string): Promise<void>;
  addCheckpoint(
    hotkey: string,
    atMs: number,
    values: Readonly<Record<string, Json>>,
  ): Promise<void>;
  addDailyReturn(hotkey: string, date: string, percent: number): Promise<void>;
  /** Charges a fee of a type such as `hl_funding` to an open position. */
  chargeFee(hotkey: string, position: string, type: string, amount: number): Promise<void>;
  /** Makes a key known with a tier from 0 to 200, or unknown with null. Calls need a tier of 0, 100 or 200. */
  setKeyTier(key: string, tier: number | null): Promise<void>;
  addFault(rule: FaultRule): Promise<void>;
  clearFaults(): Promise<void>;
  /** Lets the held calls of a subaccount continue; without a hotkey, all held calls. */
  release(hotkey?: string): Promise<void>;
  /** The faults that happened, oldest first. */
  faults(): Promise<readonly FaultRecord[]>;
  /** How often each call has arrived, including the calls to which a fault was applied. */
  callCounts(): Promise<Readonly<Record<string, number>>>;
  /** Every order call that reached the validator, with the refused ones, oldest first. */
  submissions(): Promise<readonly Submission[]>;
  acceptedOrders(): Promise<readonly AcceptedOrder[]>;
  /** The order calls counted by content: the body without the ids of the order and its legs. */
  contents(): Promise<readonly OrderContentCount[]>;
  /** Everything that the validator knows of a subaccount; null when it has none with this hotkey. */
  subaccount(hotkey: string): Promise<Subaccount | null>;
}

import type { StandInProcess } from "../../test/stand-in-process.ts";

/** An order call that the validator accepted. */
export interface AcceptedCall {
  readonly uuid: string;
  readonly atMs: number;
  /** The fields of the call's body. */
  readonly content: Readonly<Record<string, unknown>>;
  /** True for an edit that changed the legs of a filled entry and not the entry. */
  readonly isLegUpdate: boolean;
}

/** The orders and positions of an account that an act can change, as the validator has them. */
export interface ChangeableItems {
  readonly pending: readonly string[];
  readonly positions: readonly string[];
  /**
   * The ids of orders that were cancelled since the beginning, except by an elimination; `flattened` has those of
   * positions that a FLAT_ALL closed.
   */
  readonly cancelled: readonly string[];
  readonly flattened: readonly string[];
}

/** A fill at the validator. */
export interface StandInFill {
  readonly uuid: string;
  readonly type: string;
  /** The quantity without a sign. */
  readonly quantity: number;
}

/** The validator's record of an account. */
export interface StandInAccount {
  /** The order calls that the validator accepted. */
  readonly accepted: readonly AcceptedCall[];
  /** All fills by their id. The fill of a position that FLAT_ALL closed has the position's id with a suffix. */
  readonly fills: ReadonlyMap<string, StandInFill>;
  /** The ids of all legs, pending and ended ones. */
  readonly legs: readonly string[];
  /** The ids of the legs that are pending. */
  readonly pendingLegs: readonly string[];
  readonly positions: readonly { readonly pair: string; readonly quantity: number }[];
  readonly pending: readonly { readonly orderUuid: string; readonly limitPrice: number | null }[];
}

/** Reads the records of these subaccounts from the stand-in of the validator. */
export async function readStandInAccounts(
  { control }: StandInProcess,
  subaccounts: readonly string[],
): Promise<ReadonlyMap<string, StandInAccount>> {
  const submissions = await control.submissions();
  const accounts = new Map<string, StandInAccount>();
  for (const hotkey of subaccounts) {
    const found = await control.subaccount(hotkey);
    if (found === null) throw new Error(`the stand-in has no subaccount ${hotkey}`);
    accounts.set(hotkey, {
      accepted: submissions
        .filter((one) => one.hotkey === hotkey && one.isAccepted)
        .map(({ uuid, atMs, content, orderJson }) => ({
          uuid,
          atMs,
          isLegUpdate: orderJson.includes("'status': 'updated'"),
          content: JSON.parse(content) as AcceptedCall["content"],
        })),
      fills: new Map(
        found.positions
          .flatMap(({ orders }) => orders)
          .map(({ uuid, type, quantity }) => [
            uuid,
            { uuid, type, quantity: Math.abs(quantity ?? 0) },
          ]),
      ),
      legs: legIds([...found.resting, ...found.ended]),
      pendingLegs: legIds(found.resting),
      positions: found.positions
        .filter(({ closeMs }) => closeMs === null)
        .map(({ pair, netQuantity }) => ({ pair, quantity: netQuantity })),
      pending: found.resting.map(({ uuid, limitPrice }) => ({ orderUuid: uuid, limitPrice })),
    });
  }
  return accounts;
}

function legIds(
  orders: readonly { readonly uuid: string; readonly executionType: string }[],
): readonly string[] {
  return orders.filter(({ executionType }) => executionType === "BRACKET").map(({ uuid }) => uuid);
}

/**
 * The validator's source codes (`src`) of cancelled orders. The code of an elimination, 18, is left out, because no act
 * claims its cancels.
 */
const CANCELLED: readonly number[] = [7, 10, 15];
const FLATTENED = "-flat-all";

/**
 * Reads the orders and positions of an account. Read before and after an act, they show what it could change and what
 * it did.
 */
export async function readChangeableItems(
  { control }: StandInProcess,
  subaccount: string,
): Promise<ChangeableItems> {
  const found = await control.subaccount(subaccount);
  if (found === null) throw new Error(`the stand-in has no subaccount ${subaccount}`);
  return {
    pending: found.resting.map(({ uuid }) => uuid),
    positions: found.positions.flatMap(({ uuid, closeMs }) => (closeMs === null ? [uuid] : [])),
    cancelled: found.ended.filter(({ src }) => CANCELLED.includes(src)).map(({ uuid }) => uuid),
    flattened: found.positions
      .filter(({ uuid, orders }) => orders.some((one) => one.uuid === `${uuid}${FLATTENED}`))
      .map(({ uuid }) => uuid),
  };
}

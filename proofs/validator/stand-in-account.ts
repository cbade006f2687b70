import type { StandInProcess } from "../../test/stand-in-process.ts";

/** An order call that the validator accepted. */
export interface AcceptedCall {
  readonly uuid: string;
  readonly atMs: number;
  /** The fields of its body. */
  readonly content: Readonly<Record<string, unknown>>;
  /** An edit that changed the legs of a filled entry: the entry was not edited. */
  readonly isLegUpdate: boolean;
}

/** The orders and positions that an act can change, as the validator has them. */
export interface Changeable {
  readonly pending: readonly string[];
  readonly positions: readonly string[];
  /** Ids of orders that were cancelled, and of positions that a FLAT_ALL closed, since the beginning. */
  readonly cancelled: readonly string[];
  readonly flattened: readonly string[];
}

export interface StandInFill {
  readonly uuid: string;
  readonly type: string;
  /** Without sign. */
  readonly quantity: number;
}

/** The validator's record of an account. */
export interface StandInAccount {
  /** The order calls that it accepted. */
  readonly accepted: readonly AcceptedCall[];
  /** The ids of all fills; a closing by FLAT_ALL has the id of its position with an ending. */
  readonly fills: ReadonlyMap<string, StandInFill>;
  /** The ids of all legs that ever rested. */
  readonly legs: readonly string[];
  /** The ids of those that rest now. */
  readonly restingLegs: readonly string[];
  readonly positions: readonly { readonly pair: string; readonly quantity: number }[];
  readonly pending: readonly { readonly orderUuid: string; readonly limitPrice: number | null }[];
}

export async function standInAccounts(
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
      restingLegs: legIds(found.resting),
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

/** The codes of orders that were cancelled. */
const CANCELLED: readonly number[] = [7, 10, 15];
const FLATTENED = "-flat-all";

/** Before and after an act, which shows its possible and its real effect. */
export async function changeableAt(
  { control }: StandInProcess,
  subaccount: string,
): Promise<Changeable> {
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

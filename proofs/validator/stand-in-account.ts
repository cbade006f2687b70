import type { StandInProcess } from "../../test/stand-in-process.ts";

/** An order call that the validator accepted. */
export interface AcceptedCall {
  readonly uuid: string;
  readonly atMs: number;
  /** The fields of its body. */
  readonly content: Readonly<Record<string, unknown>>;
}

/** The orders and positions that an act can change, as the validator has them. */
export interface Changeable {
  readonly pending: readonly string[];
  readonly positions: readonly string[];
}

/** The validator's record of an account. */
export interface StandInAccount {
  /** The order calls that it accepted. */
  readonly accepted: readonly AcceptedCall[];
  /** The ids of all fills; a closing by FLAT_ALL has the id of its position with an ending. */
  readonly fills: ReadonlySet<string>;
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
        .map(({ uuid, atMs, content }) => ({
          uuid,
          atMs,
          content: JSON.parse(content) as AcceptedCall["content"],
        })),
      fills: new Set(found.positions.flatMap(({ orders }) => orders.map(({ uuid }) => uuid))),
      positions: found.positions
        .filter(({ closeMs }) => closeMs === null)
        .map(({ pair, netQuantity }) => ({ pair, quantity: netQuantity })),
      pending: found.resting.map(({ uuid, limitPrice }) => ({ orderUuid: uuid, limitPrice })),
    });
  }
  return accounts;
}

/** Before an act, so that it is known whether there was something to do. */
export async function changeableAt(
  { control }: StandInProcess,
  subaccount: string,
): Promise<Changeable> {
  const found = await control.subaccount(subaccount);
  if (found === null) throw new Error(`the stand-in has no subaccount ${subaccount}`);
  return {
    pending: found.resting.map(({ uuid }) => uuid),
    positions: found.positions.flatMap(({ uuid, closeMs }) => (closeMs === null ? [uuid] : [])),
  };
}

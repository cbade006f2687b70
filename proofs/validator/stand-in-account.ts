import type { StandInProcess } from "../../test/stand-in-process.ts";

/** The body of an order call. */
export type AcceptedContent = Readonly<Record<string, unknown>>;

/** The validator's record of an account. */
export interface StandInAccount {
  /** The order calls that it accepted. */
  readonly accepted: readonly AcceptedContent[];
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
        .map(({ content }) => JSON.parse(content) as AcceptedContent),
      positions: found.positions
        .filter(({ closeMs }) => closeMs === null)
        .map(({ pair, netQuantity }) => ({ pair, quantity: netQuantity })),
      pending: found.resting.map(({ uuid, limitPrice }) => ({ orderUuid: uuid, limitPrice })),
    });
  }
  return accounts;
}

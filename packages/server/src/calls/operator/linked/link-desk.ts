import type { AccountId, OwnerId } from "@propgate/core";

/** A subaccount of the validator to link. */
export interface SubaccountLink {
  /** Its id at the validator: the hotkey of the entity, `_` and its number. */
  readonly subaccount: string;
  readonly ownerId: OwnerId;
  /** The trader's share of payouts, a ratio. */
  readonly profitSplit: number;
}

/** `refused` is a text for people; `field` is the field that it is about. */
export type LinkResult =
  | { readonly ok: true; readonly accountId: AccountId }
  | { readonly ok: false; readonly field: "subaccount" | "owner" | null; readonly refused: string };

/** Links subaccounts of the validator to accounts of this service, and ends links. */
export interface LinkDesk {
  link(request: SubaccountLink): Promise<LinkResult>;
  /** Closes the account here; the subaccount stays as it is. False for an account that is closed already. */
  unlink(accountId: AccountId): Promise<boolean>;
}

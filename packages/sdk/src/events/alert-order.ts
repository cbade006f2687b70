import { AlertsMissingError } from "../errors.ts";

/** An alert as a webhook delivers it. */
export interface DeliveredAlert {
  readonly id: string;
  /** Counts the alerts of its owner from 1. */
  readonly number: number;
  /** Such as `key.created`; a client tolerates types that it does not know. */
  readonly type: string;
  readonly atMs: number;
  /** The fields of its type. */
  readonly data: Readonly<Record<string, string | number | null>>;
  readonly accountId: string | null;
  /** Null for the operator's own. */
  readonly ownerId: string | null;
  readonly externalId: string | null;
}

/** Acts on alerts, and keeps the last number of each owner. */
export interface AlertHandling {
  /** The number that `save` got last for this owner, null for the operator's own; null at first. */
  readonly load: (ownerId: string | null) => Promise<number | null> | number | null;
  /** Acts on one alert. */
  readonly handle: (alert: DeliveredAlert) => Promise<void> | void;
  /** Stores the number of the handled alert; absent when `handle` stores it with its effect. */
  readonly save?: (ownerId: string | null, number: number) => Promise<void> | void;
}

/** @throws AlertsMissingError when the webhook has sent alerts that were not handled here */
export async function takeAlert(
  { previous, ...alert }: DeliveredAlert & { readonly previous: number | null },
  { load, handle, save }: AlertHandling,
): Promise<"handled" | "repeat"> {
  const { ownerId, number } = alert;
  const last = await load(ownerId);
  if (last !== null && number <= last) return "repeat";
  // Null at the first alert of a lane: no alert between came by this webhook.
  const before = previous ?? number - 1;
  // A receiver that begins after its webhook has no number to compare.
  if (last !== null && before > last) {
    throw new AlertsMissingError(ownerId, { last, previous: before });
  }
  await handle(alert);
  await save?.(ownerId, number);
  return "handled";
}

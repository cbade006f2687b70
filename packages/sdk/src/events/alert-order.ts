import { AlertsMissingError } from "../errors.ts";

/** An alert in the form in which a webhook delivers it. */
export interface DeliveredAlert {
  readonly id: string;
  /** The number of the alert among those of its owner, from 1. */
  readonly number: number;
  /** The type, such as `key.created`. A client tolerates types that it does not know. */
  readonly type: string;
  readonly atMs: number;
  /** The fields of the alert's type. */
  readonly data: Readonly<Record<string, string | number | null>>;
  readonly accountId: string | null;
  /** The owner; null for an alert of the operator. */
  readonly ownerId: string | null;
  readonly externalId: string | null;
}

/** The functions of a consumer that handle alerts and store the number of each owner's last handled alert. */
export interface AlertHandling {
  /**
   * The number that was saved last for this owner; null when none was saved. `ownerId` is null for the alerts of the
   * operator.
   */
  readonly load: (ownerId: string | null) => Promise<number | null> | number | null;
  /** Handles one alert. */
  readonly handle: (alert: DeliveredAlert) => Promise<void> | void;
  /** Stores the number of the handled alert. Absent when `handle` stores it together with its effect. */
  readonly save?: (ownerId: string | null, number: number) => Promise<void> | void;
}

/**
 * Handles an alert that was not handled before.
 * @throws AlertsMissingError when the webhook has sent alerts that were not handled here
 */
export async function handleAlert(
  { previous, ...alert }: DeliveredAlert & { readonly previous: number | null },
  { load, handle, save }: AlertHandling,
): Promise<"handled" | "repeat"> {
  const { ownerId, number } = alert;
  const last = await load(ownerId);
  if (last !== null && number <= last) return "repeat";
  // `previous` is null for the first alert that the webhook sends. When a number was saved before, all alerts between
  // that number and this alert are missing.
  const before = previous ?? number - 1;
  // A receiver without a saved number has begun after its webhook, so no earlier alert counts as missing.
  if (last !== null && before > last) {
    throw new AlertsMissingError(ownerId, { last, previous: before });
  }
  await handle(alert);
  await save?.(ownerId, number);
  return "handled";
}

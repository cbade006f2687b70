import type { Client, Linked } from "@propgate/sdk";
import { type AccountFigures, readAccount } from "./order-figures.ts";

/**
 * The equity from which the loss of `--max-loss` is measured, unless the equity at the start of the UTC day is higher.
 */
export interface StartEquity {
  /**
   * The equity when this server started, USD. When it could not be read at the start, the equity of the first `account`
   * that is given.
   */
  orNow(account: AccountFigures): number;
}

/** Starts to read the equity immediately. The read must end within `limitMs`. */
export function readStartEquity(
  client: Pick<Client<Linked>, "account">,
  limitMs: number,
): StartEquity {
  let known: number | null = null;
  const orNow = ({ equityUsd }: AccountFigures): number => (known ??= equityUsd);
  void readAccount(client, AbortSignal.timeout(limitMs)).then(
    (account) => (account === null ? null : orNow(account)),
    () => null,
  );
  return { orNow };
}

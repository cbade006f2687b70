import type { Client, Linked } from "@propgate/sdk";
import { type AccountFigures, readAccount } from "./order-figures.ts";

/** A reference of `--max-loss`; the other one is the equity at the start of the UTC day. */
export interface StartEquity {
  /** The equity when this server started, USD; the present equity if that could not be read. */
  orNow(account: AccountFigures): number;
}

/** Reads the equity immediately, within the limit. */
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

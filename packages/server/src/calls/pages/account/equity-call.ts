import { EQUITY_WINDOWS } from "@propgate/contract";
import type { NetworkReadings } from "@propgate/wire";
import { type JsonReply, okReply, wrongFieldReply } from "../../json/json-reply.ts";
import { type AccountCall, type AccountCallInput, UNREADABLE } from "./account-call.ts";

export interface EquityOptions {
  readonly readings: NetworkReadings;
}

/** GET equity: the account's equity over a window that ends at the present or at the account's end. */
export function equityCall(options: EquityOptions): AccountCall {
  return {
    name: "account.equity",
    method: "GET",
    path: "/accounts/:id/equity",
    handle: (input) => readEquity(options, input),
  };
}

async function readEquity(
  { readings }: EquityOptions,
  { account, query }: AccountCallInput,
): Promise<JsonReply> {
  const window = EQUITY_WINDOWS.find((one) => one === (query.window ?? "1D"));
  if (window === undefined) {
    return wrongFieldReply("window", `must be one of ${EQUITY_WINDOWS.join(", ")}`);
  }
  const history = await readings[account.network].equity(account, window);
  return history === null ? UNREADABLE : okReply(history);
}

import assert from "node:assert/strict";
import { RejectedError } from "@propgate/sdk";
import type { Stage } from "./stage.ts";

/** Buys SPX and sells it again on one day at 15:00 UTC, when New York trades in summer and winter. */
export async function trade(
  { at, price, order }: Stage,
  deal: {
    readonly on: string;
    readonly quantity: number;
    readonly from: number;
    readonly to: number;
  },
): Promise<void> {
  await at(`${deal.on}T15:00:00Z`);
  await price("SPX", deal.from);
  await order("LONG", "SPX", deal.quantity);
  await price("SPX", deal.to);
  await order("FLAT", "SPX");
}

/** Checks that the order is rejected with 400 and a text that matches `text`. */
export async function refused(
  { same }: Stage,
  order: Promise<unknown>,
  text: RegExp,
): Promise<void> {
  const error = await order.then(
    () => null,
    (cause: unknown) => cause,
  );
  assert(error instanceof RejectedError, "an order that is refused");
  same(error.status, 400);
  assert.match(error.message, text);
}

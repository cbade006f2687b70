import type { ChainedLine } from "@propgate/core";
import { expect, test } from "vitest";
import { collectOrderMentions } from "./order-mentions.ts";

const ORDER = "0b6f1c1e-5a56-4c0e-9a0e-5f0d6c1a2b3c";

test.each([
  ["orderPlaced", { order: { uuid: ORDER, pair: "BTCUSD" } }, true, false],
  ["orderEdited", { order: { uuid: ORDER } }, false, true],
  ["sharesSplit", { orders: [{ uuid: ORDER }] }, false, true],
  ["orderHeld", { orderUuid: ORDER }, false, false],
  ["orderCancelled", { orderUuid: ORDER }, true, false],
])(
  "a line of type %s names its order and says whether it replaces the terms",
  async (type, fields, isOncePerOrder, replacesTerms) => {
    const line = { seq: 3, atMs: 5, event: JSON.stringify({ type, ...fields }) } as ChainedLine;
    expect(await collectOrderMentions([line])).toMatchObject([
      { orderUuid: ORDER, seq: 3, isOncePerOrder, replacesTerms },
    ]);
  },
);

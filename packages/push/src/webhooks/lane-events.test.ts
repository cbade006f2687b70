import { expect, test } from "vitest";
import { webhookBody } from "./lane-events.ts";

test("the body of a webhook has its event as GET events has it, without noise of binary arithmetic [D10.noNoise]", () => {
  const event = { type: "order.filled", atMs: 1_767_571_200_123, data: { leverage: 0.1 + 0.2 } };
  const of = {
    accountId: "5d0c3e0e-8f3b-4c6d-9a57-2f1c7a0b9e11",
    ownerId: null,
    externalId: null,
    previous: 3,
  };
  expect(JSON.parse(webhookBody({ ...event, type: "order.filled" }, of))).toEqual({
    type: "order.filled",
    timestamp: "2026-01-05T00:00:00.123Z",
    data: { ...event, ...of, externalId: null, data: { leverage: 0.3 } },
  });
});

import { accountId, ownerId, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import type { Lane } from "../storage/lane-store.ts";
import { createDeliverySlots } from "./delivery-slots.ts";

const laneOf = (endpoint: number): Lane => ({
  endpointId: `wh_${endpoint}`,
  accountId: accountId("5d0c3e0e-8f3b-4c6d-9a57-2f1c7a0b9e11"),
  ownerId: "owner-7",
  externalId: null,
  beginsSequence: 1,
  deliveredSequence: 0,
  previousSequence: null,
  isPreviousKnown: true,
  attempts: 0,
  nextAtMs: unixMs(0),
  lastStatus: null,
  parkedAtMs: null,
  version: 1,
});
const answers = () => false;
const OPERATOR = { ownerId: null };
const owner = (number: number) => ({ ownerId: ownerId(`owner-${number}`) });

test("owners' receivers hold at most half of the slots, so slow ones do not delay the operator's webhooks [D9.webhookSlots]", () => {
  const slots = createDeliverySlots();
  const owned = Array.from({ length: 80 }, (_, number) =>
    slots.takeSlot(laneOf(number), owner(number), answers),
  );
  expect(owned.filter((leave) => leave !== null)).toHaveLength(32);
  const own = Array.from({ length: 40 }, (_, number) =>
    slots.takeSlot(laneOf(100 + number), OPERATOR, answers),
  );
  expect(own.filter((leave) => leave !== null)).toHaveLength(32);
  owned[0]?.();
  expect(slots.takeSlot(laneOf(79), owner(79), answers)).not.toBeNull();
});

test("one owner's receivers hold at most four slots, so they do not delay those of other owners [D9.webhookSlots]", () => {
  const slots = createDeliverySlots();
  const held = Array.from({ length: 10 }, (_, number) =>
    slots.takeSlot(laneOf(number), owner(1), answers),
  );
  expect(held.map((leave) => leave !== null)).toEqual([
    ...Array(4).fill(true),
    ...Array(6).fill(false),
  ]);
  expect(slots.takeSlot(laneOf(20), owner(2), answers)).not.toBeNull();
  held[0]?.();
  expect(slots.takeSlot(laneOf(9), owner(1), answers)).not.toBeNull();
});

test("receivers that do not answer hold at most half of the slots [D9.webhookSlots]", () => {
  const slots = createDeliverySlots();
  const isSilent = (endpointId: string): boolean => endpointId < "wh_5";
  const silent = Array.from({ length: 40 }, (_, number) =>
    slots.takeSlot(laneOf(Number(`4${number}`)), OPERATOR, isSilent),
  );
  expect(silent.filter((leave) => leave !== null)).toHaveLength(32);
  expect(slots.takeSlot(laneOf(50), OPERATOR, isSilent)).not.toBeNull();
});

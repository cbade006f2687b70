import { accountId } from "@propgate/core";
import { expect, test } from "vitest";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import { createOrderSlots } from "./order-slots.ts";

const [A, B, C] = [accountId("a"), accountId("b"), accountId("c")];
const LIMITS = { perAccountMax: 2, max: 3, waitMs: 1_000, waitingMax: 2 };

function open() {
  const time = createManualTime(1_000);
  return { time, room: createOrderSlots(time.timer, LIMITS) };
}

test("an account has its own places, and all accounts together have a maximum", async () => {
  const { time, room } = open();
  const first = await room.acquire(A);
  expect(await room.acquire(A)).not.toBeNull();
  const third = room.acquire(A);
  expect(await room.acquire(B)).not.toBeNull();
  const fourth = room.acquire(C);
  expect(room.usedSlots()).toBe(3);
  // Two orders wait, and a third one may not wait.
  expect(await room.acquire(B)).toBeNull();
  await time.pass(LIMITS.waitMs);
  expect([await third, await fourth]).toEqual([null, null]);
  first?.();
  expect(room.usedSlots()).toBe(2);
});

test("a place that becomes free goes to the first that may have it", async () => {
  const { room } = open();
  await room.acquire(A);
  await room.acquire(A);
  const leaveB = await room.acquire(B);
  const waitingA = room.acquire(A);
  const waitingC = room.acquire(C);
  leaveB?.();
  // The account A has no free slot of its own, so the order of C is admitted first.
  expect(await waitingC).not.toBeNull();
  expect(room.usedSlots()).toBe(3);
  void waitingA;
});

test("a place is given back once, however often it is left", async () => {
  const { room } = open();
  const leave = await room.acquire(A);
  await room.acquire(A);
  leave?.();
  leave?.();
  expect(room.usedSlots()).toBe(1);
});

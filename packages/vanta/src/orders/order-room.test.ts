import { accountId } from "@propgate/core";
import { expect, test } from "vitest";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import { createOrderRoom } from "./order-room.ts";

const [A, B, C] = [accountId("a"), accountId("b"), accountId("c")];
const LIMITS = { perAccountMax: 2, max: 3, waitMs: 1_000, waitingMax: 2 };

function open() {
  const time = createManualTime(1_000);
  return { time, room: createOrderRoom(time.timer, LIMITS) };
}

test("an account has its own places, and all accounts together have a maximum", async () => {
  const { time, room } = open();
  const first = await room.enter(A);
  expect(await room.enter(A)).not.toBeNull();
  const third = room.enter(A);
  expect(await room.enter(B)).not.toBeNull();
  const fourth = room.enter(C);
  expect(room.inside()).toBe(3);
  // Two orders wait, and there is no place for a third.
  expect(await room.enter(B)).toBeNull();
  await time.pass(LIMITS.waitMs);
  expect([await third, await fourth]).toEqual([null, null]);
  first?.();
  expect(room.inside()).toBe(2);
});

test("a place that becomes free goes to the first that may have it", async () => {
  const { room } = open();
  await room.enter(A);
  await room.enter(A);
  const leaveB = await room.enter(B);
  const waitingA = room.enter(A);
  const waitingC = room.enter(C);
  leaveB?.();
  // The account A has no free place of its own, so C goes first.
  expect(await waitingC).not.toBeNull();
  expect(room.inside()).toBe(3);
  void waitingA;
});

test("a place is given back once, however often it is left", async () => {
  const { room } = open();
  const leave = await room.enter(A);
  await room.enter(A);
  leave?.();
  leave?.();
  expect(room.inside()).toBe(1);
});

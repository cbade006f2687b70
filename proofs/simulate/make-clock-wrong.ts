/**
 * Makes the clock of one node wrong on purpose, because the random faults of a run may never do so at a critical
 * moment.
 */

import { areAllReady, type SimulatedNode } from "./node/simulated-node.ts";
import { passUntil } from "./random-steps.ts";
import { drawClockSwings } from "./time/wall-clock.ts";
import type { World } from "./world.ts";

/**
 * The milliseconds by which the clock is ahead. `swings` sets it an hour ahead or behind, several times, while clients
 * are served.
 */
export type WrongClock = number | "swings";

/** The time within which a node's lease ends and another node claims the lease at its next attempt. */
const TAKE_OVER_MS = 8_000;

/**
 * Makes a node's clock wrong, from its start or while it works, and lets the time of a take-over pass. Reports when the
 * nodes with right clocks do not serve all accounts afterwards, or when a node with a wrong clock is ready. With
 * `swings`, only starts the swings.
 * @rule D12.oneClock
 */
export async function makeClockWrong(
  world: World,
  node: SimulatedNode,
  { clock, isFromStart }: { readonly clock: WrongClock; readonly isFromStart: boolean },
): Promise<void> {
  const { steadyMs, draw, nodes } = world;
  const steps =
    clock === "swings" ? drawClockSwings(draw, steadyMs) : [{ atMs: steadyMs, aheadMs: clock }];
  world.count(isFromStart ? "clock.start" : "clock.step");
  node.wallClock.follow(steps);
  if (isFromStart && node.life !== null) await world.crash(node, "a start with another clock");
  world.stepClocks();
  if (isFromStart) node.start();
  if (clock === "swings") return;
  await world.untilQuiet();
  await passUntil(world, steadyMs + TAKE_OVER_MS);
  const where = `node ${node.index} of ${nodes.length}, ${clock} ms ahead`;
  if (node.wallClock.isWrong && node.isReady) world.report(`${where}, is ready`);
  const right = nodes.filter(({ wallClock }) => !wallClock.isWrong);
  if (!areAllReady(right)) world.report(`${where}: the others do not serve all accounts`);
}

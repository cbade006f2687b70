/** The random steps of a run and their weights: requests, prices, time and faults. */
import { drainEventLoop } from "./drain-event-loop.ts";
import { createForgedMessage } from "./forged-messages.ts";
import { CONVERSION_PAIRS } from "./market.ts";
import type { SourcedQuote } from "./price-sources.ts";
import { drawClockSteps, drawClockSwings, drawShortLead } from "./time/wall-clock.ts";
import type { World } from "./world.ts";

const STEPS = {
  request: 76,
  replay: 3,
  quotes: 12,
  cut: 0.5,
  pause: 0.5,
  housekeeping: 4,
  operator: 4,
  moment: 2,
  clock: 0.4,
  crash: 0.4,
  repeats: 1,
  forge: 1,
  rate: 0.4,
} as const;

/** Carries out one of the `STEPS`, drawn by its weight. */
export async function takeRandomStep(world: World): Promise<void> {
  const { draw, network, nodes } = world;
  const node = draw.below(nodes.length);
  switch (draw.weighted(STEPS)) {
    case "request": {
      const request = world.clients.draw(world.nowMs);
      if (request !== null) network.send(request, liveNodeOr(world, node));
      break;
    }
    case "replay":
      network.replay(node);
      break;
    case "quotes":
      sendQuotes(world, world.market.some(world.nowMs));
      break;
    case "cut":
      cutNode(world, node);
      break;
    case "pause":
      pauseNode(world, node);
      break;
    case "housekeeping":
      nodes[node]?.runHousekeeping();
      await drainEventLoop();
      break;
    case "operator": {
      const task = world.operator.draw(world.nowMs);
      if (task === null) break;
      if (task.disturbs) world.lastChoiceTurn = world.chronicle.turn;
      if (task.isForAllNodes) world.hasNews = true;
      network.sendTask(task, liveNodeOr(world, node));
      break;
    }
    case "moment":
      passMoment(world);
      break;
    case "clock":
      await stepClock(world, node);
      break;
    case "forge":
      forgeMessage(world);
      break;
    case "repeats":
      repeatHeard(world);
      break;
    case "rate":
      await silenceRate(world);
      break;
    case "crash": {
      const dying = nodes[node];
      if (dying?.life == null || !world.faults.strikes("crash", "crash.turn", 1)) break;
      await world.crash(dying, "a crash of the run");
    }
  }
}

/** The node if it is up. Otherwise mostly another node, because clients usually avoid a node that is down. */
function liveNodeOr({ nodes, draw }: World, node: number): number {
  if (nodes[node]?.isUp === true || draw.chance(0.1)) return node;
  return nodes.find(({ isUp }) => isUp)?.index ?? node;
}

const MOMENT_MAX_MS = 5_000;
/**
 * The most by which `passMoment` advances the steady clock. No process works meanwhile, so a larger advance would look
 * like a failure to the processes.
 */
const STEADY_MOMENT_MAX_MS = 200;

function passMoment(world: World): void {
  const ms = Math.round(world.draw.magnitude(1, MOMENT_MAX_MS));
  world.nowMs += ms;
  world.steadyMs += Math.min(ms, STEADY_MOMENT_MAX_MS);
}

const WAIT_MAX_MS = 10_000;

/** Passes up to ten seconds, in which the processes do their periodic work. */
export function passSeconds(world: World): Promise<void> {
  return passUntil(world, world.steadyMs + world.draw.magnitude(1, WAIT_MAX_MS));
}

/** Lets the processes do their periodic work until `endMs` of the steady clock, or until a finding. */
export async function passUntil(world: World, endMs: number): Promise<void> {
  while (world.steadyMs < endMs && world.findings.length === 0) {
    if (!world.passToNext()) return;
    await world.untilQuiet();
  }
}

const HOUR_MS = 3_600_000;
const DAY_RATE = 0.2;
const STALE_RATE = 0.1;
/** Within this time every node has read the operator's latest changes. */
const AGREED_MS = 10_000;

/**
 * Lets the run's time jump seconds to hours ahead, sometimes a day or more; the steady clock stays. Fresh prices mostly
 * follow.
 */
export async function jumpTime(world: World): Promise<void> {
  const { draw, chronicle } = world;
  if (world.hasNews) await passUntil(world, world.steadyMs + AGREED_MS);
  world.hasNews = false;
  const hours = draw.chance(DAY_RATE) ? draw.between(12, 80) : draw.magnitude(1 / 3_600, 6);
  world.nowMs += Math.round(hours * HOUR_MS);
  chronicle.next();
  chronicle.note("time", world.nowMs);
  if (!world.faults.strikes("prices", "prices.stale", STALE_RATE))
    sendQuotes(world, world.market.all(world.nowMs));
}

const CLOCK_FAULTS = { step: 5, swings: 2, moment: 2, start: 3 } as const;
const CLOCK_DRAWS = {
  step: drawClockSteps,
  swings: drawClockSwings,
  moment: drawShortLead,
  start: drawClockSteps,
} as const;

/**
 * The wall clock of a node becomes wrong: it jumps once or several times while the node works, or the node restarts
 * with a wrong clock. It becomes right again later.
 */
async function stepClock(world: World, index: number): Promise<void> {
  const { nodes, draw, faults, steadyMs } = world;
  const node = nodes[index];
  if (node === undefined || !faults.strikes("clock", "clock.wrong", 1)) return;
  const fault = draw.weighted(CLOCK_FAULTS);
  world.count(`clock.${fault}`);
  node.wallClock.follow(CLOCK_DRAWS[fault](draw, steadyMs));
  if (fault === "start" && node.life !== null)
    await world.crash(node, "a start with another clock");
  world.stepClocks();
  if (fault === "start") node.start();
}

/**
 * Cuts a node off from the messages of the others. In the other half of the draws, reconnects all nodes that are cut
 * off.
 */
function cutNode(world: World, index: number): void {
  const { messages, nodes, faults, chronicle } = world;
  const isCut = faults.strikes("bus", "bus.cut", 0.5);
  if (isCut) messages.cut(index);
  const isMended = !isCut && nodes.map((node) => messages.mend(node.index)).includes(true);
  if (!isCut && !isMended) return;
  world.lastFaultTurn = chronicle.turn;
  chronicle.note(isCut ? "cut" : "mended", index);
}

const PAUSE_MIN_MS = 1_000;
const PAUSE_MAX_MS = 20_000;

/** Pauses the process of one node, or of all nodes, for some seconds. Its clock continues. */
function pauseNode(world: World, index: number): void {
  const { nodes, draw, faults } = world;
  const isAll = draw.chance(0.1);
  if (!faults.strikes("pause", "pause.process", 1)) return;
  for (const node of nodes) {
    if (node.index === index || isAll)
      world.pause(node, Math.round(draw.magnitude(PAUSE_MIN_MS, PAUSE_MAX_MS)));
  }
}

/** More than the number of rejected orders that starts a key's cooldown. */
const REPEATS_MIN = 31;
const REPEATS_MAX = 250;

/**
 * A listener without the secret sends a signed order or call of the dead man's switch again and again. This is not
 * counted as a fault, so it excuses no finding: any effect of the repeats on an account or a key is a finding.
 */
function repeatHeard({ draw, faults, network }: World): void {
  if (!faults.strikes("repeats", "repeats.heard", 1)) return;
  network.repeat(Math.round(draw.magnitude(REPEATS_MIN, REPEATS_MAX)));
}

/**
 * A program that may publish on the bus but has no key sends a message. The message is not counted as a fault, so it
 * excuses no finding.
 */
function forgeMessage({ draw, faults, messages, forged, chronicle }: World): void {
  if (!faults.strikes("forged", "forged.message", 1)) return;
  const made = createForgedMessage(draw, messages.heard);
  if (made === null) return;
  messages.inject(made.message);
  if (made.quote !== null) forged.push(made.quote);
  chronicle.note("forged", made.kind, made.message.subject, made.message.text);
}

/**
 * The minimum time without quotes of the converting pair. It is longer than a price of any class of pairs stays fresh.
 */
const RATE_SILENT_MIN_MS = 90_000;
const RATE_SILENT_MAX_MS = 3_600_000;
/**
 * The range of the jump in `silenceRate`, as a share of the price. It is below the jump that three quotes have to
 * confirm.
 */
const RATE_JUMP_MIN = 0.03;
const HOLDERS_MAX = 3;
const RATE_JUMP_MAX = 0.15;

/**
 * The pair that converts another pair to USD gets no more quotes. Then the price of the other pair jumps while some
 * accounts hold it. When a pair gets no quotes already, it gets them again instead.
 */
async function silenceRate(world: World): Promise<void> {
  const { draw, faults, silent, market, clients, network, chronicle } = world;
  const { rate, pair } = CONVERSION_PAIRS;
  if (silent.size > 0) silent.clear();
  else if (faults.strikes("prices", "prices.rateSilent", 1)) {
    for (let holders = 1 + draw.below(HOLDERS_MAX); holders > 0; holders -= 1) {
      const request = clients.drawLarge(pair, world.nowMs);
      if (request !== null)
        network.send(request, liveNodeOr(world, draw.below(world.nodes.length)));
    }
    await world.untilQuiet();
    silent.add(rate);
    world.nowMs += Math.round(draw.magnitude(RATE_SILENT_MIN_MS, RATE_SILENT_MAX_MS));
    market.jump(pair, 1 + draw.pick([-1, 1]) * draw.between(RATE_JUMP_MIN, RATE_JUMP_MAX));
    sendQuotes(world, market.all(world.nowMs));
  } else return;
  world.lastFaultTurn = chronicle.turn;
  chronicle.note("silent", ...silent);
}

const PRICE_FAULT_RATE = 0.04;

/** Sends quotes of the market to the sources. Faults may drop, double or reorder them. */
function sendQuotes(world: World, quotes: readonly SourcedQuote[]): void {
  const { source, faults, draw } = world;
  const strikes = (name: string): boolean => {
    const isStruck = faults.strikes("prices", name, PRICE_FAULT_RATE);
    if (isStruck) world.lastFaultTurn = world.chronicle.turn;
    return isStruck;
  };
  if (strikes("prices.dropped")) return;
  source.push(quotes);
  if (strikes("prices.twice")) source.push(quotes);
  if (strikes("prices.reordered"))
    source.splice(draw.below(source.length), 0, ...source.splice(-1));
}

/** Counts the events, refusals and commands of all lives, so that a run can report cases that never happened. */

import type { Command } from "../../state/command.ts";
import type { Event, OrderFilled } from "../../state/event.ts";
import type { Refusal } from "../../state/refusal.ts";
import { causePhrase } from "../scenario-phrases.ts";

/** Counts how often each event, refusal and command has happened in all lives of a run. */
export class LifeTally {
  lives = 0;
  steps = 0;
  events = 0;
  readonly happened = new Map<string, number>();
  readonly refused = new Map<Refusal["code"], number>();
  readonly accepted = new Map<Command["type"], number>();

  addEvent(event: Event): void {
    this.events += 1;
    for (const name of tallyNames(event)) count(this.happened, name);
  }

  addRefusal({ code }: Refusal): void {
    count(this.refused, code);
  }

  addCommand({ type }: Command): void {
    count(this.accepted, type);
  }
}

function count<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The names under which an event is counted: its type alone, and its type with each of its kinds. */
function tallyNames(event: Event): readonly string[] {
  const { type } = event;
  return [type, ...kindsOf(event).map((kind) => `${type} ${kind}`)];
}

function kindsOf(event: Event): readonly string[] {
  if (event.type === "orderFilled") return fillKindsOf(event);
  if (event.type === "orderCancelled") return [event.reason];
  if (event.type === "switchFired" && event.waiting.length > 0) {
    return ["while a market was closed"];
  }
  if (event.type === "limitNeared") return [event.rule];
  if (event.type === "challengePassed" || event.type === "proPromoted") return [`by ${event.by}`];
  if (event.type === "proStarted") return [event.phase];
  if (event.type === "payoutRecorded") return [event.payout.payment.status];
  if (event.type === "accountEliminated") return [causePhrase(event.elimination.cause)];
  if (event.type !== "cycleClosed") return [];
  const { isHeld, share, released, payout } = event;
  return [
    ...(isHeld && share > 0 ? ["held"] : []),
    ...(released > 0 ? ["released"] : []),
    payout === null ? "without payout" : "with payout",
  ];
}

function fillKindsOf({ kind, effect, ...fill }: OrderFilled): readonly string[] {
  return [
    kind,
    effect,
    ...(fill.tookRestAlong === true ? ["took the rest along"] : []),
    ...(fill.reduceOnly === true ? ["reduced only"] : []),
    ...(fill.rateAgeMs === undefined ? [] : ["at a stale rate"]),
    ...(fill.legsDropped === true ? ["dropped its legs"] : []),
  ];
}

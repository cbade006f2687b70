/** What happened in all lives together, so that a run that never sees something says so. */
import type { Command } from "../../network/command.ts";
import type { Event } from "../../network/event.ts";
import type { Refusal } from "../../network/refusal.ts";

export class LifeTally {
  lives = 0;
  steps = 0;
  events = 0;
  readonly happened = new Map<string, number>();
  readonly refused = new Map<Refusal["code"], number>();
  readonly done = new Map<Command["type"], number>();

  addEvent(event: Event): void {
    this.events += 1;
    for (const name of namesOf(event)) count(this.happened, name);
  }

  addRefusal({ code }: Refusal): void {
    count(this.refused, code);
  }

  addCommand({ type }: Command): void {
    count(this.done, type);
  }
}

function count<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** An event by its type, and by what makes it one of several kinds. */
function namesOf(event: Event): readonly string[] {
  switch (event.type) {
    case "orderFilled":
      return [event.type, `${event.type} ${event.kind}`, `${event.type} ${event.effect}`];
    case "orderCancelled":
      return [event.type, `${event.type} ${event.reason}`];
    case "challengePassed":
    case "proPromoted":
      return [event.type, `${event.type} by ${event.by}`];
    case "proStarted":
      return [event.type, `${event.type} ${event.phase}`];
    case "payoutRecorded":
      return [event.type, `${event.type} ${event.payout.payment.status}`];
    case "accountEliminated":
      return [event.type, `${event.type} ${event.elimination.reason}`];
    case "cycleClosed": {
      const { isHeld, share, released, payout } = event;
      const kinds = [
        isHeld && share > 0 ? "held" : null,
        released > 0 ? "released" : null,
        payout === null ? "without payout" : "with payout",
      ];
      return [
        event.type,
        ...kinds.filter((kind) => kind !== null).map((kind) => `cycleClosed ${kind}`),
      ];
    }
    default:
      return [event.type];
  }
}

/** A second implementation of carry: it checks every hour, one after the other. */
import type { CarryCharged, OrderFilled } from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";
import { holds, near, same } from "./expectation.ts";
import { instrumentOf } from "./valuation-model.ts";

const HOUR_MS = 3_600_000;

interface Holding {
  readonly pair: string;
  /** Every charge due up to this time has been made, or was due before the position opened. */
  readonly chargedToMs: number;
}

export class CarryModel {
  readonly #holdings = new Map<string, Holding>();
  #lastDueMs = 0;

  /** No carry is due from before the account opened, even when the clock is set back. */
  begin(atMs: number): void {
    this.#lastDueMs = atMs;
  }

  /** A clock that is set back charges no time twice, also not for a new position. */
  open({ positionUuid, pair, atMs }: OrderFilled): void {
    this.#holdings.set(positionUuid, { pair, chargedToMs: Math.max(atMs, this.#lastDueMs) });
  }

  close(uuid: string): void {
    this.#holdings.delete(uuid);
  }

  charge({ dueMs, charges, atMs }: CarryCharged, moment: Moment): void {
    holds(dueMs <= atMs, "carry is charged when it is due, or late");
    holds(dueMs > this.#lastDueMs, "carry of one time is charged once");
    const expected = [...this.#holdings].filter(([, { pair, chargedToMs }]) => {
      const nextMs = nextDueMs(pair, { after: chargedToMs, moment });
      holds(nextMs === null || nextMs >= dueMs, "carry is charged in order of time");
      return nextMs === dueMs;
    });
    same(
      charges.map(({ positionUuid }) => positionUuid).join(),
      expected.map(([uuid]) => uuid).join(),
      `the positions charged at ${dueMs}`,
    );
    for (const { positionUuid, value, fee } of charges) {
      const { pair } = this.#holdings.get(positionUuid) ?? { pair: "" };
      const { carry } = instrumentOf(pair, moment);
      const rate = carry.kind === "none" ? 0 : (carry.rate ?? 0);
      const isWednesday = new Date(dueMs).getUTCDay() === 3;
      const days = carry.kind === "daily" && isWednesday ? 3 : 1;
      near(fee, value * rate * days, { within: 0.51, what: `the carry of ${pair}` });
    }
    this.#lastDueMs = dueMs;
    for (const [uuid, holding] of this.#holdings) {
      const chargedToMs = Math.max(holding.chargedToMs, dueMs);
      this.#holdings.set(uuid, { ...holding, chargedToMs });
    }
  }

  checkNothingMissed(moment: Moment): void {
    for (const { pair, chargedToMs } of this.#holdings.values()) {
      const dueMs = nextDueMs(pair, { after: chargedToMs, moment });
      holds(dueMs === null || dueMs > moment.now, `the carry of ${pair} at ${dueMs} was charged`);
    }
  }
}

/** The next time after `after` at which the pair has carry; null when it never has. */
export function nextDueMs(
  pair: string,
  { after, moment }: { readonly after: number; readonly moment: Moment },
): number | null {
  const { carry } = instrumentOf(pair, moment);
  if (carry.kind === "none") return null;
  for (let at = (Math.floor(after / HOUR_MS) + 1) * HOUR_MS; ; at += HOUR_MS) {
    const hour = (at / HOUR_MS) % 24;
    const weekday = new Date(at).getUTCDay();
    const isDue =
      carry.kind === "daily"
        ? hour === 21 && weekday !== 0 && weekday !== 6
        : hour === 0 || hour === 8 || hour === 16;
    if (isDue) return at;
  }
}

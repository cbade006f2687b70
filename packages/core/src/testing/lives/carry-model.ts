/** A second implementation of carry for tests, which checks every hour in turn. */
import type { CarryCharged, OrderFilled } from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";
import type { Direction } from "../../state/order.ts";
import { expectNear, expectSame, expectThat } from "./expectation.ts";
import { instrumentOf } from "./valuation-model.ts";

const HOUR_MS = 3_600_000;
/** The time between an hour and the charge of the funding for that hour. */
const FUNDING_DELAY_MS = 300_000;

/** The facts of a position that determine when its next carry is due. */
interface Held {
  readonly pair: string;
  readonly openedMs: number;
  /** Every charge that was due up to this time has been made. */
  readonly chargedToMs: number;
}

interface Holding extends Held {
  readonly direction: Direction;
}

/** Repeats the charges of carry, and compares each with its event. */
export class CarryChargeModel {
  readonly #holdings = new Map<string, Holding>();
  #lastDueMs = 0;

  /** Begins with the opening of the account. No carry from before is due, even when the clock is set back. */
  begin(atMs: number): void {
    this.#lastDueMs = atMs;
  }

  /**
   * Adds a position. Its first charge is later than every charge so far, so a clock that is set back charges no time
   * twice.
   */
  open({ positionUuid, pair, direction, atMs }: OrderFilled): void {
    const chargedToMs = Math.max(atMs, this.#lastDueMs);
    this.#holdings.set(positionUuid, { pair, direction, openedMs: atMs, chargedToMs });
  }

  close(uuid: string): void {
    this.#holdings.delete(uuid);
  }

  charge({ dueMs, charges, atMs }: CarryCharged, moment: Moment): void {
    expectThat(dueMs <= atMs, "carry is charged when it is due, or late");
    expectThat(dueMs > this.#lastDueMs, "carry of one time is charged once");
    const isCharged = new Set<string>(charges.map(({ positionUuid }) => positionUuid));
    const expected = [...this.#holdings].filter(([uuid, holding]) => {
      const nextMs = nextDueMs(holding, moment);
      expectThat(nextMs === null || nextMs >= dueMs, "carry is charged in order of time");
      // Funding of an hour without a rate is not charged. Whether the hour has a rate is checked by another model.
      return nextMs === dueMs && (isCharged.has(uuid) || !isFunded(holding.pair, moment));
    });
    expectSame(
      charges.map(({ positionUuid }) => positionUuid).join(),
      expected.map(([uuid]) => uuid).join(),
      `the positions charged at ${dueMs}`,
    );
    for (const { positionUuid, value, fee, rate: known = 0 } of charges) {
      const { pair, direction } = this.#holdingAs(positionUuid);
      const { carry } = instrumentOf(pair, moment);
      const rate = carry.kind === "none" ? 0 : (carry.rate ?? known);
      const isWednesday = new Date(dueMs).getUTCDay() === 3;
      const days = carry.kind === "daily" && isWednesday ? 3 : 1;
      const sign = carry.kind === "everyHour" && direction === "short" ? -1 : 1;
      expectNear(fee, sign * value * rate * days, { within: 0.51, what: `the carry of ${pair}` });
    }
    this.#lastDueMs = dueMs;
    for (const [uuid, holding] of this.#holdings) {
      const chargedToMs = Math.max(holding.chargedToMs, dueMs);
      this.#holdings.set(uuid, { ...holding, chargedToMs });
    }
  }

  checkNothingMissed(moment: Moment): void {
    for (const holding of this.#holdings.values()) {
      const dueMs = nextDueMs(holding, moment);
      const what = `the carry of ${holding.pair} at ${dueMs} was charged`;
      expectThat(dueMs === null || dueMs > moment.now, what);
    }
  }

  #holdingAs(uuid: string): Holding {
    const holding = this.#holdings.get(uuid);
    if (holding === undefined) throw new Error(`no open position ${uuid}`);
    return holding;
  }
}

/**
 * True for a pair with hourly funding whose rate is not fixed in the catalogue, so that each hour needs a rate of its
 * own.
 */
function isFunded(pair: string, moment: Moment): boolean {
  const { carry } = instrumentOf(pair, moment);
  return carry.kind === "everyHour" && carry.rate === null;
}

/** When the next carry of the position is due; null when it never is. */
export function nextDueMs({ pair, ...held }: Held, moment: Moment): number | null {
  const { carry } = instrumentOf(pair, moment);
  if (carry.kind === "none") return null;
  // Funding is for an hour that began while the position was open, and is due five minutes after that hour.
  const delayMs = carry.kind === "everyHour" ? FUNDING_DELAY_MS : 0;
  const after = Math.max(held.openedMs, held.chargedToMs - delayMs);
  for (let at = (Math.floor(after / HOUR_MS) + 1) * HOUR_MS; ; at += HOUR_MS) {
    if (carry.kind === "everyHour") return at + delayMs;
    const hour = (at / HOUR_MS) % 24;
    const weekday = new Date(at).getUTCDay();
    const isDue =
      carry.kind === "daily"
        ? hour === 21 && weekday !== 0 && weekday !== 6
        : hour === 0 || hour === 8 || hour === 16;
    if (isDue) return at;
  }
}

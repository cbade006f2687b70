/** Funding of an hour is charged at the rate that was set for it. An hour without a rate is not charged. */
import type { AccountId, CarryCharged, Event, Instruments, PairId } from "@propgate/core";
import type { Checker, Finding, Observation } from "../checker.ts";
import type { JournalLine, JournalReader } from "./journal-reader.ts";

/** The funding of an hour is charged this long after the hour. */
const DELAY_MS = 300_000;

interface Held {
  readonly pair: PairId;
  readonly openedMs: number;
}

interface Row {
  readonly pair: string;
  readonly at_ms: string;
  readonly rate: number;
}

/** Finds the rate of a pair's hour; null when none was set. */
type RateOf = (pair: PairId, hourMs: number) => number | null;

/** Compares the charges of positions with the stored rates. @rule D11.funding D13.fundingBounds */
export class FundingCharges implements Checker {
  readonly name = "funding charges";
  readonly #journal: JournalReader;
  readonly #held = new Map<AccountId, Map<string, Held>>();

  constructor(journal: JournalReader) {
    this.#journal = journal;
  }

  async check(at: Observation): Promise<readonly Finding[]> {
    const { moved } = await this.#journal.news(at);
    const rateOf = await ratesOf(at);
    return moved.flatMap(({ head: { accountId }, lines }) =>
      lines.flatMap((line) =>
        this.#take(accountId, line, { rateOf, instruments: at.instruments }).map((problem) => ({
          checker: this.name,
          accountId,
          message: `line ${line.seq}: ${problem}`,
        })),
      ),
    );
  }

  #take(
    accountId: AccountId,
    { event }: JournalLine,
    known: { readonly rateOf: RateOf; readonly instruments: Instruments },
  ): readonly string[] {
    const held = this.#held.get(accountId) ?? new Map<string, Held>();
    this.#held.set(accountId, held);
    follow(held, event);
    if (event.type !== "carryCharged") return [];
    return [...held].flatMap(([uuid, position]) => {
      const carry = known.instruments.get(position.pair)?.carry;
      if (carry?.kind !== "everyHour") return [];
      return chargeProblems(event, { ...position, uuid, rateOf: known.rateOf });
    });
  }
}

function follow(held: Map<string, Held>, event: Event): void {
  if (event.type === "orderFilled" && event.effect === "open") {
    held.set(event.positionUuid, { pair: event.pair, openedMs: event.atMs });
  }
  if (event.type === "positionClosed") held.delete(event.trade.id);
}

function chargeProblems(
  { dueMs, charges }: CarryCharged,
  { uuid, pair, openedMs, rateOf }: Held & { readonly uuid: string; readonly rateOf: RateOf },
): readonly string[] {
  const charge = charges.find(({ positionUuid }) => positionUuid === uuid);
  const hourMs = dueMs - DELAY_MS;
  const isDue = hourMs % 3_600_000 === 0 && openedMs < hourMs;
  const expected = isDue ? rateOf(pair, hourMs) : null;
  const charged = charge === undefined ? null : (charge.rate ?? null);
  if (charged === expected && (charge === undefined) === (expected === null)) return [];
  return [`${pair} was charged ${charged} for ${hourMs}, whose rate is ${expected}`];
}

/**
 * The funding rates that were not withdrawn. The first database has them for all databases. The rate of an hour does
 * not change after the hour was charged.
 */
async function ratesOf({ databases, database }: Observation): Promise<RateOf> {
  const rows = await (databases?.[0] ?? database).query<Row>(
    "select pair, at_ms, rate from funding_rates where withdrawn_at_ms is null",
    [],
  );
  const rates = new Map(rows.map(({ pair, at_ms, rate }) => [`${pair} ${at_ms}`, rate]));
  return (pair, hourMs) => rates.get(`${pair} ${hourMs}`) ?? null;
}

/** A key uses each nonce once on all nodes, and each request is carried out at most once. */
import type { Checker, Finding, HttpExchange, Observation } from "../checker.ts";
import { admittanceOf, requestIdentityOf, requestText } from "./answers.ts";
import type { JournalLine, JournalReader } from "./journal-reader.ts";
import { ReadBudgets } from "./read-budgets.ts";

/** The outcomes of all requests that a key sent with one nonce. */
interface NonceUse {
  /** The number of requests that ended with this nonce. */
  sends: number;
  passed: HttpExchange | null;
  /** The turn of the first 409; null when there was none. */
  usedTurn: number | null;
  isDoubtful: boolean;
}

/** The lines of a request in the journal. */
interface RequestLines {
  readonly accountId: string;
  readonly command: string;
  readonly atMs: number;
  lastSeq: number;
  /**
   * The events of the request that it may cause only once: place, fill at the market, edit, attach, and change the
   * switch.
   */
  readonly acts: Set<string>;
}

const NONCES = `
select n.key_id, n.nonce from nonces n
join unnest($1::text[], $2::text[]) as a (key_id, nonce) using (key_id, nonce)`;

/**
 * Compares answers, stored nonces and journal lines of each request, and counts reads.
 * @rule S5.R2 S7.R2 S8.read D2.race
 */
export class NoncesOnce implements Checker {
  readonly name = "once";
  readonly #journal: JournalReader;
  readonly #uses = new Map<string, NonceUse>();
  readonly #marks = new Map<string, RequestLines>();
  readonly #budgets = new ReadBudgets();

  constructor(journal: JournalReader) {
    this.#journal = journal;
  }

  async check(at: Observation): Promise<readonly Finding[]> {
    for (const exchange of at.ended) this.#useOf(exchange).sends += 1;
    const { moved } = await this.#journal.news(at);
    return [
      ...at.ended.flatMap((exchange) => this.#judge(exchange)),
      ...(await this.#judgeStored(at)),
      ...moved.flatMap(({ lines }) => lines.flatMap((line) => this.#mark(line))),
      ...this.#budgets.take(at.ended).map((broken) => ({ checker: this.name, ...broken })),
    ];
  }

  #judge(exchange: HttpExchange): readonly Finding[] {
    const use = this.#useOf(exchange);
    const admittance = admittanceOf(exchange);
    if (admittance === "unknown") use.isDoubtful = true;
    if (admittance === "used") return this.#judgeUsed(exchange, use);
    if (admittance !== "passed") return [];
    const found: Finding[] = [];
    if (use.passed !== null) {
      found.push(this.#found(exchange, `passed although ${requestText(use.passed)} had passed`));
    }
    if (use.usedTurn !== null && use.usedTurn < exchange.sentTurn) {
      found.push(this.#found(exchange, "passed after its nonce had been refused as used"));
    }
    use.passed ??= exchange;
    return found;
  }

  #judgeUsed(exchange: HttpExchange, use: NonceUse): readonly Finding[] {
    const { turn } = exchange.outcome;
    use.usedTurn = Math.min(use.usedTurn ?? turn, turn);
    return use.sends > 1 ? [] : [this.#found(exchange, "got 409 for a nonce sent only once")];
  }

  /**
   * The problems of stored nonces. The nonce of a request that passed must be stored; the nonce of a request that was
   * refused before check 7 (D2.7) must not be stored.
   */
  async #judgeStored(at: Observation): Promise<readonly Finding[]> {
    if (at.ended.length === 0) return [];
    const requests = new Map(at.ended.map((exchange) => [requestIdentityOf(exchange), exchange]));
    const rows = await at.database.query<{ readonly key_id: string; readonly nonce: string }>(
      NONCES,
      [at.ended.map(({ keyId }) => keyId), at.ended.map(({ nonce }) => nonce)],
    );
    const stored = new Set(
      rows.map((row) => requestIdentityOf({ keyId: row.key_id, nonce: row.nonce })),
    );
    return [...requests].flatMap(([identity, exchange]) => {
      const must = mustBeStored(this.#useOf(exchange));
      if (must === null || must === stored.has(identity)) return [];
      return [
        this.#found(
          exchange,
          must
            ? "passed and its nonce is not stored"
            : "was refused before the admission and its nonce is stored",
        ),
      ];
    });
  }

  #mark(line: JournalLine): readonly Finding[] {
    if (line.keyId === null || line.nonce === null) return [];
    const identity = requestIdentityOf({ keyId: line.keyId, nonce: line.nonce });
    const { accountId, seq, command, atMs } = line;
    const mark = this.#marks.get(identity);
    if (mark === undefined) {
      const acts = new Set(actsOf(line));
      this.#marks.set(identity, { accountId, command, atMs, lastSeq: seq, acts });
      return [];
    }
    const follows =
      mark.accountId === accountId &&
      mark.command === command &&
      mark.atMs === atMs &&
      mark.lastSeq + 1 === seq;
    const again = actsOf(line).filter((act) => mark.acts.has(act));
    mark.lastSeq = seq;
    for (const act of actsOf(line)) mark.acts.add(act);
    if (follows && again.length === 0) return [];
    const message = `key ${line.keyId} and nonce ${line.nonce} were carried out twice: line ${seq}, ${line.event.type}`;
    return [{ checker: this.name, accountId, message }];
  }

  #useOf(exchange: HttpExchange): NonceUse {
    const identity = requestIdentityOf(exchange);
    const known = this.#uses.get(identity);
    if (known !== undefined) return known;
    const use: NonceUse = { sends: 0, passed: null, usedTurn: null, isDoubtful: false };
    this.#uses.set(identity, use);
    return use;
  }

  #found(exchange: HttpExchange, what: string): Finding {
    const { accountId } = exchange;
    return { checker: this.name, accountId, message: `${requestText(exchange)} ${what}` };
  }
}

/** True when the nonce must be stored, false when it must not; null when both are possible. */
function mustBeStored({ passed, usedTurn, isDoubtful }: NonceUse): boolean | null {
  if (passed !== null || usedTurn !== null) return true;
  return isDoubtful ? null : false;
}

/** The kinds of the line's event that a request may cause only once; empty for any other event. */
function actsOf({ event, command }: JournalLine): readonly string[] {
  if (event.type === "orderPlaced" || event.type === "orderEdited") return [event.type];
  if (event.type === "legsAttached") return [event.type];
  if (event.type === "switchArmed" || event.type === "switchEnded") return ["switch"];
  const isOwnFill = command === "placeMarket" || command === "closePair";
  if (event.type !== "orderFilled" || !isOwnFill) return [];
  return event.kind === "market" || event.kind === "closePair" ? [event.type] : [];
}

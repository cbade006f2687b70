import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { createShardedJournalDesk, loadCatalogue } from "@propgate/server";
import { type NodeGroup, openNodeGroup } from "../nodes/node-group.ts";
import { resultPart, resultText } from "../result-parts.ts";
import { earnPayouts } from "./earned-payouts.ts";
import {
  COUNTED_WRITES,
  countEffects,
  createKeyedWrite,
  ITEM_CREATIONS,
  type KeyedWrite,
  type WriteItem,
} from "./keyed-writes.ts";

/**
 * The result of a run. `unknown` is the number of 503 answers, `underWay` the number of answers that the write was
 * still in progress, and `replayed` the number of repeated answers.
 */
export interface RepeatsResult {
  readonly writesOf: Readonly<Record<string, number>>;
  readonly kills: number;
  readonly sent: number;
  /** Requests that ended without an answer, because their node was killed. */
  readonly cut: number;
  readonly unknown: number;
  readonly underWay: number;
  readonly replayed: number;
  /** Writes that do not have exactly one effect. Must be empty. */
  readonly wrongEffects: readonly string[];
  /** Writes whose successful answers differ. Must be empty. */
  readonly differentAnswers: readonly string[];
  /** Writes with an answer that is neither a success nor a reason to repeat the request. Must be empty. */
  readonly refused: readonly string[];
  /** Accounts with a broken chain, or with a state that differs from their journal. Must be empty. */
  readonly wrongJournals: readonly string[];
}

interface Plan {
  /** The PostgreSQL server on which the nodes get a new database. */
  readonly serverUrl: string;
  readonly writes: number;
  readonly kills: number;
  /** Called after each write with the number of finished writes. */
  readonly onWrite?: (count: number) => void;
}

/** The number of concurrent writes. All of them may be webhooks, of which at most 20 may exist. */
const CLIENTS = 16;
/**
 * The number of successful answers that each write gets, at least. The first comes from carrying the write out, the
 * others repeat it.
 */
const SUCCESSES = 4;
const AGAIN_MS = 100;
const UNTIL_KILL_MS = 400;

/**
 * Sends every write repeatedly to two nodes, in half of the cases to both concurrently, while nodes are killed. Counts
 * the effects of each write in the database.
 */
export async function runRepeats(plan: Plan): Promise<RepeatsResult> {
  // The source of prices is named, because `earnPayouts` lets a node run on pushed prices for a while.
  const settings = { PROPGATE_PRICES: "simulated" };
  const two = await openNodeGroup(plan.serverUrl, { settings });
  try {
    const acting = Array.from({ length: plan.writes }, (_, number) => kindOf(number).on);
    const payouts = await earnPayouts(two, acting.filter((item) => item === "payout").length);
    const run = new Run(two, plan, payouts);
    await run.all();
    await two.stop();
    return { ...run.totals(), wrongJournals: await wrongJournals(two) };
  } finally {
    await two.close();
  }
}

/** The kind of the write with this number, and the item on which it acts. */
function kindOf(number: number): (typeof COUNTED_WRITES)[number] {
  const kind = COUNTED_WRITES[number % COUNTED_WRITES.length];
  if (kind === undefined) throw new Error("the effects of a write are counted");
  return kind;
}

async function wrongJournals({ database }: NodeGroup): Promise<readonly string[]> {
  const { instruments } = await loadCatalogue(null);
  const journal = createShardedJournalDesk([database], instruments);
  const { broken } = await journal.verify("all");
  const { different } = await journal.rebuild("all", false);
  return [...broken.map(({ accountId }) => accountId), ...different];
}

type Removal = NonNullable<KeyedWrite["removal"]>;

interface SentWrite extends Pick<KeyedWrite, "call" | "body"> {
  readonly kind: string;
}

/** The end of one request; after `again` the client repeats it. */
type RequestEnd =
  | { readonly is: "success"; readonly data: string }
  | { readonly is: "again" | "refused" };

class Run {
  readonly #two: NodeGroup;
  readonly #plan: Plan;
  readonly #payouts: string[];
  readonly #counts = { sent: 0, cut: 0, unknown: 0, underWay: 0, replayed: 0 };
  readonly #writesOf: Record<string, number> = {};
  readonly #wrongEffects: string[] = [];
  readonly #differentAnswers: string[] = [];
  readonly #refused: string[] = [];
  #begun = 0;
  #done = 0;
  #begunKills = 0;
  #kills = 0;
  #killing: Promise<void> = Promise.resolve();

  constructor(two: NodeGroup, plan: Plan, payouts: readonly string[]) {
    this.#two = two;
    this.#payouts = [...payouts];
    this.#plan = plan;
  }

  totals(): Omit<RepeatsResult, "wrongJournals"> {
    return {
      ...this.#counts,
      writesOf: this.#writesOf,
      kills: this.#kills,
      wrongEffects: this.#wrongEffects,
      differentAnswers: this.#differentAnswers,
      refused: this.#refused,
    };
  }

  async all(): Promise<void> {
    this.#beginKills();
    await Promise.all(Array.from({ length: CLIENTS }, () => this.#client()));
    await this.#killing;
  }

  /** Begins the kills that are due, one after the other. The kills are spread evenly over the writes. */
  #beginKills(): void {
    const { writes, kills } = this.#plan;
    while (this.#begunKills < kills && this.#done * kills >= writes * this.#begunKills) {
      this.#begunKills += 1;
      this.#killing = this.#killing.then(() => this.#kill());
    }
  }

  async #kill(): Promise<void> {
    await setTimeout(randomInt(1, UNTIL_KILL_MS));
    await this.#two.restart(randomInt(2), {});
    this.#kills += 1;
  }

  async #client(): Promise<void> {
    const { writes, onWrite } = this.#plan;
    while (this.#begun < writes) {
      const number = this.#begun;
      this.#begun += 1;
      await this.#write(number);
      this.#done += 1;
      this.#beginKills();
      onWrite?.(this.#done);
    }
  }

  async #write(number: number): Promise<void> {
    const { kind, on } = kindOf(number);
    const name = `write-${number}`;
    const write = createKeyedWrite(kind, { name, id: await this.#item(on, name) });
    this.#writesOf[write.kind] = (this.#writesOf[write.kind] ?? 0) + 1;
    const about = `${write.kind} ${name}`;
    const answer = await this.#untilDone(write, name);
    const count = await countEffects(this.#two.database, write);
    if (count !== 1) this.#wrongEffects.push(`${about}: ${count} effects`);
    if (write.removal !== null) await this.#remove(write.removal, answer);
  }

  /** The id of the item for one write: an earned payout, or an item that is created for the write. */
  async #item(item: WriteItem, name: string): Promise<string> {
    if (item === "payout") return this.#payouts.pop() ?? "";
    const { call, field, body } = ITEM_CREATIONS[item];
    const made = await this.#untilDone({ kind: item, call, body: body(name) }, `${name} ${item}`);
    return dataOf(made, field);
  }

  /**
   * Repeats the write until it has enough successful answers, or until one answer refuses it. Resolves with the first
   * successful answer; empty without one.
   */
  async #untilDone(write: SentWrite, key: string): Promise<string> {
    const answers: string[] = [];
    while (answers.length < SUCCESSES) {
      const first = randomInt(2);
      const nodes = randomInt(2) === 0 ? [first] : [first, 1 - first];
      const sent = await Promise.all(nodes.map((node) => this.#send(node, write, key)));
      for (const one of sent) if (one.is === "success") answers.push(one.data);
      if (sent.some(({ is }) => is === "refused")) return answers[0] ?? "";
      if (sent.every(({ is }) => is === "again")) await setTimeout(AGAIN_MS);
    }
    const [answer = ""] = answers;
    if (answers.some((one) => one !== answer)) {
      this.#differentAnswers.push(`${write.kind} ${key}: ${[...new Set(answers)].join(" or ")}`);
    }
    return answer;
  }

  async #send(node: number, { kind, call, body }: SentWrite, key: string): Promise<RequestEnd> {
    this.#counts.sent += 1;
    try {
      const answer = await this.#two.operate(node, call, body, { "Idempotency-Key": key });
      if (answer.status === 200) {
        if (answer.headers.has("idempotent-replayed")) this.#counts.replayed += 1;
        return { is: "success", data: JSON.stringify(answer.body) };
      }
      const { code } = Object(answer.body);
      if (answer.status === 503) this.#counts.unknown += 1;
      else if (code === "idempotency_in_progress") this.#counts.underWay += 1;
      else {
        this.#refused.push(`${kind} ${key}: ${answer.status} ${JSON.stringify(answer.body)}`);
        return { is: "refused" };
      }
    } catch {
      this.#counts.cut += 1;
    }
    return { is: "again" };
  }

  /** Deletes the created item. The call has no idempotency key, so its repetition may get 404. */
  async #remove({ path, field }: Removal, answer: string): Promise<void> {
    const id = dataOf(answer, field);
    for (let node = randomInt(2); id !== ""; node += 1) {
      const gone = await this.#two.operate(node, `DELETE ${path}/${id}`).catch(() => null);
      if (gone !== null && (gone.status === 200 || gone.status === 404)) return;
      await setTimeout(AGAIN_MS);
    }
  }
}

/** A text field of `data` in an answer; empty when the write was refused. */
function dataOf(answer: string, field: string): string {
  return answer === "" ? "" : resultText(resultPart(JSON.parse(answer), "data"), field);
}

/** The stored snapshot of an account, and the state that a service loads, equal the state that its journal makes. */
import {
  type AccountId,
  type AccountState,
  CHAIN_START,
  chainHash,
  earliestDueMs,
  evolve,
  type Instruments,
  parseEvent,
} from "@propgate/core";
import type { Queryable } from "../../../packages/ledger/src/storage/databases/database.ts";
import {
  type AccountHead,
  journalLines,
  readAccountHeads,
} from "../../../packages/ledger/src/storage/journal/journal-store.ts";
import { sha256 } from "../../../packages/ledger/src/storage/journal/line-hash.ts";
import { createProjector } from "../../../packages/ledger/src/storage/journal/projections.ts";
import {
  type AccountActivity,
  activityAfter,
  NO_ACTIVITY,
} from "../../../packages/ledger/src/storage/rows/account-activity.ts";
import { isExposed } from "../../../packages/ledger/src/storage/stores/account-rows.ts";
import { hasProjections } from "../../../packages/ledger/src/storage/stores/projection-rows.ts";
import { verifyJournal } from "../../../packages/ledger/src/trading/journal/verify-journal.ts";
import type { Checker, Finding, Observation } from "../checker.ts";
import type { JournalReader, NewAccountLines } from "./journal-reader.ts";
import { newProjectionProblems } from "./projected-rows.ts";

/** An account as rebuilt from the journal lines that were read so far. */
interface FoldedAccount {
  readonly seq: number;
  /** The time of the newest line. */
  readonly atMs: number;
  readonly activity: AccountActivity;
  readonly hash: Uint8Array;
  readonly state: AccountState | null;
  readonly snapshot: Snapshot | null;
}

/** The state at the version of the stored snapshot, as JSON. */
interface Snapshot {
  readonly version: number;
  readonly text: string;
}

const NOTHING: FoldedAccount = {
  seq: 0,
  atMs: 0,
  activity: NO_ACTIVITY,
  hash: CHAIN_START,
  state: null,
  snapshot: null,
};

/** Rebuilds states and projections from the journal and compares them with the stored ones. @rule S3.orders */
export class RebuiltStates implements Checker {
  readonly name = "rebuilt";
  readonly #journal: JournalReader;
  readonly #folded = new Map<AccountId, FoldedAccount>();

  constructor(journal: JournalReader) {
    this.#journal = journal;
  }

  async check(at: Observation): Promise<readonly Finding[]> {
    const { moved, accounts } = await this.#journal.news(at);
    const projector = createProjector();
    const before = new Map(
      moved.map(({ head }) => [head.accountId, this.#of(head.accountId).seq] as const),
    );
    const found = moved.flatMap((news) => {
      const { accountId } = news.head;
      const problems = [
        ...this.#fold(news, projector, at.instruments),
        ...loadProblems(this.#of(accountId).state, accounts.get(accountId)?.state ?? null),
      ];
      return problems.map((message) => ({ checker: this.name, accountId, message }));
    });
    const projected = await newProjectionProblems(at.database, before, projector.rows());
    return [...found, ...projected.map((problem) => ({ checker: this.name, ...problem }))];
  }

  /** Rebuilds every account from its first line, compares it with the stored data, and verifies all chains. */
  async finish(at: Observation): Promise<readonly Finding[]> {
    const found: Finding[] = [];
    for (const database of at.databases ?? [at.database]) {
      found.push(...(await this.#finishOn(database, at.instruments)));
    }
    return found;
  }

  async #finishOn(database: Queryable, instruments: Instruments): Promise<readonly Finding[]> {
    const found: Finding[] = [];
    for await (const head of readAccountHeads(database, "all")) {
      const { accountId, version: upTo } = head;
      const projector = createProjector();
      let state: AccountState | null = null;
      let snapshot: Snapshot | null = null;
      let atMs = 0;
      let activity = NO_ACTIVITY;
      for await (const line of journalLines(database, accountId, { after: 0, upTo })) {
        const event = parseEvent(line.event);
        projector.add({ accountId, seq: line.seq, event, before: state });
        state = evolve(state, event);
        atMs = line.atMs;
        activity = activityAfter(activity, line, event);
        snapshot = snapshotAt(head, line.seq, state) ?? snapshot;
      }
      const problems = [...stateProblems(head, { atMs, activity, state, snapshot }, instruments)];
      if (!(await hasProjections(database, accountId, projector.rows()))) {
        problems.push("its trades, days or payouts differ from its journal");
      }
      found.push(...problems.map((message) => ({ checker: this.name, accountId, message })));
    }
    const { broken } = await verifyJournal(database, "all");
    return [
      ...found,
      ...broken.map(({ accountId, seq, why }) => ({
        checker: this.name,
        accountId,
        message: `line ${seq}: ${why}`,
      })),
    ];
  }

  #of(accountId: AccountId): FoldedAccount {
    return this.#folded.get(accountId) ?? NOTHING;
  }

  #fold(
    { head, lines }: NewAccountLines,
    projector: ReturnType<typeof createProjector>,
    instruments: Instruments,
  ): readonly string[] {
    const { accountId } = head;
    let { seq, atMs, activity, hash, state, snapshot } = this.#of(accountId);
    const problems: string[] = [];
    for (const line of lines) {
      if (line.seq !== seq + 1) problems.push(`line ${line.seq} follows line ${seq}`);
      hash = chainHash(sha256, hash, { ...line, event: line.text });
      if (Buffer.compare(hash, line.hash) !== 0) {
        problems.push(`line ${line.seq} breaks the chain`);
      }
      projector.add({ accountId, seq: line.seq, event: line.event, before: state });
      state = evolve(state, line.event);
      seq = line.seq;
      atMs = line.atMs;
      activity = activityAfter(activity, line, line.event);
      snapshot = snapshotAt(head, seq, state) ?? snapshot;
    }
    this.#folded.set(accountId, { seq, atMs, activity, hash, state, snapshot });
    if (seq !== head.version) problems.push(`version ${head.version} has ${seq} lines`);
    if (Buffer.compare(hash, head.headHash) !== 0) problems.push("its head has another hash");
    return [...problems, ...stateProblems(head, { atMs, activity, state, snapshot }, instruments)];
  }
}

function snapshotAt(head: AccountHead, seq: number, state: AccountState): Snapshot | null {
  return seq === head.stateVersion ? { version: seq, text: JSON.stringify(state) } : null;
}

function loadProblems(folded: AccountState | null, loaded: AccountState | null): readonly string[] {
  const [made, found] = [JSON.stringify(folded), JSON.stringify(loaded)];
  return made === found ? [] : [`loaded is ${found}, the fold of the journal is ${made}`];
}

function stateProblems(
  head: AccountHead,
  { atMs, activity, state, snapshot }: Omit<FoldedAccount, "seq" | "hash">,
  instruments: Instruments,
): readonly string[] {
  if (state === null) return ["it has no journal"];
  const made = snapshot?.version === head.stateVersion ? snapshot.text : "missing";
  const problems =
    made === head.state ? [] : [`stored is ${head.state}, the fold of the journal is ${made}`];
  if (state.status !== head.status) problems.push(`its status is ${head.status}`);
  if (isExposed(state) !== head.exposed) problems.push(`exposed is ${head.exposed}`);
  if (earliestDueMs(state, instruments) !== head.dueAtMs) {
    problems.push(`it is due at ${String(head.dueAtMs)}`);
  }
  if (atMs !== head.lastAtMs) problems.push(`its newest line is of ${head.lastAtMs}`);
  if (JSON.stringify(activity) !== JSON.stringify(head.activity)) {
    problems.push(`it was last used at ${JSON.stringify(head.activity)}`);
  }
  return problems;
}

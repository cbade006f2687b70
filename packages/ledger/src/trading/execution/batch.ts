import {
  type AccountId,
  type AccountState,
  assert,
  CHAIN_START,
  type ChainedLine,
  chainHash,
  type Event,
  earliestDueMs,
  type Instruments,
  type UnixMs,
} from "@propgate/core";
import { sha256 } from "../../storage/journal/line-hash.ts";
import { createProjector } from "../../storage/journal/projections.ts";
import {
  type AccountActivity,
  activityAfter,
  NO_ACTIVITY,
} from "../../storage/rows/account-activity.ts";
import { BEFORE_FIRST_QUOTE, laterQuotePosition } from "../../storage/rows/quote-position.ts";
import type { BatchRows, ReceiptRow } from "../../storage/stores/account-rows.ts";
import type { Submission } from "../executor-port.ts";
import type { CommittedAccount } from "../state-cache.ts";
import type { WrittenInputs } from "./decision-inputs.ts";

/** An account as the batch changes it. */
interface AccountChange {
  /** The version from which the batch began; 0 for a new account. */
  readonly before: number;
  readonly beforeHash: Uint8Array | null;
  /** The time of the first line that the batch adds to the account. All lines of one decision have one time. */
  readonly firstAtMs: UnixMs;
  readonly now: CommittedAccount;
  readonly dueAtMs: UnixMs | null;
  /** The times of the account's activity that the batch replaces; null for a time that stays. */
  readonly activity: AccountActivity;
}

/** The inputs of a decision, and the newest epoch among the lost quotes that decisions on the account had read. */
export interface DecisionSource extends WrittenInputs, Pick<CommittedAccount, "lostEpoch"> {}

/** An event, and the state of the account after it. */
export interface EventStep {
  readonly event: Event;
  readonly state: AccountState;
}

/** The accounts of one transaction, and the rows that its commands write. */
export interface Batch {
  currentAccount(id: AccountId): CommittedAccount | null;
  /**
   * Adds the events of a command, at least one, each with the state after it, and the inputs of the decision. Returns
   * the account after the last event.
   */
  append(
    submission: Submission,
    steps: readonly EventStep[],
    made: DecisionSource,
  ): CommittedAccount;
  /** Adds the receipt of a command. */
  addReceipt(receipt: ReceiptRow): void;
  rows(): BatchRows;
  /** The changed accounts, in the order of their first change. */
  changedAccounts(): readonly CommittedAccount[];
}

export function createBatch(
  accounts: ReadonlyMap<AccountId, CommittedAccount>,
  instruments: Instruments,
): Batch {
  const changes = new Map<AccountId, AccountChange>();
  const journal: ChainedLine[] = [];
  const receipts: ReceiptRow[] = [];
  const projector = createProjector();

  const current = (id: AccountId): CommittedAccount | null =>
    changes.get(id)?.now ?? accounts.get(id) ?? null;

  return {
    currentAccount: current,
    append(submission, steps, { inputs, place: read, lostEpoch }) {
      const { accountId } = submission;
      const before = current(accountId);
      const last = steps.at(-1);
      assert(last !== undefined, "a command with an event");
      // All steps that can throw come before the batch changes: a command that throws must leave no part of itself in
      // the batch.
      const due = earliestDueMs(last.state, instruments);
      const place = laterQuotePosition(before?.place ?? BEFORE_FIRST_QUOTE, read);
      let now = before;
      let activity = changes.get(accountId)?.activity ?? NO_ACTIVITY;
      for (const [index, { event, state }] of steps.entries()) {
        const version = (now?.version ?? 0) + 1;
        const row = {
          ...journalRow(submission, version, event),
          inputs: index === 0 ? inputs : null,
        };
        activity = activityAfter(activity, row, event);
        const headHash = chainHash(sha256, now?.headHash ?? CHAIN_START, row);
        journal.push({ ...row, hash: headHash });
        projector.add({ accountId, seq: version, event, before: now?.state ?? null });
        const { atMs: lastAtMs } = event;
        now = { state, version, headHash, place, lostEpoch, isDecidedHere: true, lastAtMs };
      }
      assert(now !== null, "an account after its events");
      const found = changes.get(accountId) ?? {
        before: before?.version ?? 0,
        beforeHash: before?.headHash ?? null,
        firstAtMs: last.event.atMs,
      };
      changes.set(accountId, { ...found, now, dueAtMs: due, activity });
      return now;
    },
    addReceipt: (receipt) => void receipts.push(receipt),
    rows: () => ({
      journal,
      receipts,
      projections: projector.rows(),
      accounts: [...changes].map(([accountId, { now, ...change }]) => ({
        ...now,
        ...change,
        accountId,
      })),
    }),
    changedAccounts: () => [...changes.values()].map(({ now }) => now),
  };
}

function journalRow({ accountId, origin, command }: Submission, seq: number, event: Event) {
  const byKey = origin.by === "key";
  return {
    accountId,
    seq,
    atMs: event.atMs,
    origin: origin.by === "owner" ? `owner:${origin.personId}` : origin.by,
    keyId: byKey ? origin.keyId : null,
    nonce: byKey ? origin.nonce : null,
    command: command.type,
    event: JSON.stringify(event),
  };
}

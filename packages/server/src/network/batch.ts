import {
  type AccountId,
  type AccountState,
  assert,
  dueAtMs,
  type Event,
  type Instruments,
  type UnixMs,
} from "@propgate/core";
import { CHAIN_START, chainHash } from "../journal/chain.ts";
import { createProjector } from "../journal/projections.ts";
import type { BatchRows, HashedRow, ReceiptRow } from "../storage/account-rows.ts";
import type { Submission } from "./executor-port.ts";
import type { CommittedAccount } from "./state-cache.ts";

interface Draft {
  readonly isNew: boolean;
  readonly now: CommittedAccount;
  readonly dueAtMs: UnixMs | null;
}

/** An event with the account as it left it. */
export interface Step {
  readonly event: Event;
  readonly state: AccountState;
}

/** The accounts of one transaction, and what its commands make of them before it is written. */
export interface Batch {
  current(id: AccountId): CommittedAccount | null;
  /** Adds a command's events and what each makes of the account; there has to be one. */
  append(submission: Submission, steps: readonly Step[]): CommittedAccount;
  /** Adds what is told of a command to whoever asks by its nonce. */
  keep(receipt: ReceiptRow): void;
  rows(): BatchRows;
  /** Those that moved, in the order of their first move. */
  moved(): readonly CommittedAccount[];
}

export function createBatch(
  accounts: ReadonlyMap<AccountId, CommittedAccount>,
  instruments: Instruments,
): Batch {
  const drafts = new Map<AccountId, Draft>();
  const journal: HashedRow[] = [];
  const receipts: ReceiptRow[] = [];
  const projector = createProjector();

  const current = (id: AccountId): CommittedAccount | null =>
    drafts.get(id)?.now ?? accounts.get(id) ?? null;

  return {
    current,
    append(submission, steps) {
      const { accountId } = submission;
      const before = current(accountId);
      const last = steps.at(-1);
      assert(last !== undefined, "a command with an event");
      // First, for a command that ends in a fault may leave nothing of itself in the batch.
      const due = dueAtMs(last.state, instruments);
      let now = before;
      for (const { event, state } of steps) {
        const version = (now?.version ?? 0) + 1;
        const row = journalRow(submission, version, event);
        const headHash = chainHash(now?.headHash ?? CHAIN_START, row);
        journal.push({ ...row, hash: headHash });
        projector.add({ accountId, seq: version, event, before: now?.state ?? null });
        now = { state, version, headHash };
      }
      assert(now !== null, "an account after its events");
      const isNew = drafts.get(accountId)?.isNew ?? before === null;
      drafts.set(accountId, { isNew, now, dueAtMs: due });
      return now;
    },
    keep: (receipt) => void receipts.push(receipt),
    rows: () => ({
      journal,
      receipts,
      projections: projector.rows(),
      accounts: [...drafts].map(([accountId, { now, ...draft }]) => ({
        ...now,
        ...draft,
        accountId,
      })),
    }),
    moved: () => [...drafts.values()].map(({ now }) => now),
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

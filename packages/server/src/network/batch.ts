import {
  type AccountId,
  type AccountState,
  dueAtMs,
  type Event,
  type Instruments,
} from "@propgate/core";
import { CHAIN_START, chainHash } from "../journal/chain.ts";
import type { BatchRows, ClosedTrade, HashedRow } from "../storage/account-rows.ts";

import type { Submission } from "./executor-port.ts";
import type { CommittedAccount } from "./state-cache.ts";

interface Draft {
  readonly before: CommittedAccount | null;
  now: CommittedAccount | null;
}

/** The accounts of one transaction, and what its commands make of them before it is written. */
export interface Batch {
  current(id: AccountId): CommittedAccount | null;
  /** Adds a command's events; `state` is what they make of the account. */
  append(submission: Submission, events: readonly Event[], state: AccountState): CommittedAccount;
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
  const trades: ClosedTrade[] = [];

  const current = (id: AccountId): CommittedAccount | null =>
    (drafts.has(id) ? drafts.get(id)?.now : accounts.get(id)) ?? null;

  return {
    current,
    append(submission, events, state) {
      const { accountId } = submission;
      const before = current(accountId);
      let seq = before?.version ?? 0;
      let headHash = before?.headHash ?? CHAIN_START;
      for (const event of events) {
        seq += 1;
        const row = journalRow(submission, seq, event);
        headHash = chainHash(headHash, row);
        journal.push({ ...row, hash: headHash });
        if (event.type === "positionClosed") {
          const { trade } = event;
          const { id: tradeId, closedAtMs } = trade;
          trades.push({ accountId, seq, tradeId, closedAtMs, trade: JSON.stringify(trade) });
        }
      }
      const now = { state, version: seq, headHash };
      const draft = drafts.get(accountId);
      if (draft === undefined) drafts.set(accountId, { before, now });
      else draft.now = now;
      return now;
    },
    rows: () => ({
      journal,
      trades,
      accounts: [...drafts.values()].flatMap(({ before, now }) =>
        now === null
          ? []
          : [
              {
                ...now,
                accountId: now.state.accountId,
                isNew: before === null,
                dueAtMs: dueAtMs(now.state, instruments),
              },
            ],
      ),
    }),
    moved: () => [...drafts.values()].flatMap(({ now }) => (now === null ? [] : [now])),
  };
}

function journalRow({ accountId, origin, command }: Submission, seq: number, event: Event) {
  const byKey = origin.by === "key";
  return {
    accountId,
    seq,
    atMs: event.atMs,
    origin: origin.by,
    keyId: byKey ? origin.keyId : null,
    nonce: byKey ? origin.nonce : null,
    command: command.type,
    event: JSON.stringify(event),
  };
}

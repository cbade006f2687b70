import { createSerialQueue, type Stopwatch, type Timer } from "@propgate/base";
import type { Lease, LeaseStore } from "@propgate/ledger";

/** How long a lease lives after its claim or its last renewal, by the database's clock. */
const LEASE_MS = 6_000;
/**
 * How long a node acts under a lease after it sent the claim or the renewal. The rest of `LEASE_MS` is for work that is
 * under way.
 */
const TRUSTED_MS = 4_000;
/** How often a node renews its leases. */
export const RENEW_EVERY_MS = 2_000;
/** Time until a failed renewal is sent again. It is short enough for a retry before the lease stops being trusted. */
export const RENEW_RETRY_MS = 500;
/** How often a node tries to claim leases that have ended. */
export const CLAIM_EVERY_MS = 1_000;

export interface LeaseKeeperOptions {
  readonly store: LeaseStore;
  /** The id of this node. */
  readonly owner: string;
  /**
   * A clock that keeps running while the process is stopped, so a process that wakes up trusts no lease that may have
   * ended.
   */
  readonly clock: Stopwatch;
  readonly timer: Timer;
  /** The names of the leases that this node should hold. It renews only these, and gives up the others. */
  readonly wantedNames: () => readonly string[];
  /** Every claim gets an epoch greater than this; 0 when absent. */
  readonly epochAbove?: () => Promise<number>;
  readonly onGained: (lease: Lease) => void;
  readonly onLost: (lease: Lease) => void;
  /** Resolves when the work under dropped leases has ended. Leases are given up after it. */
  readonly whenSettled?: () => Promise<void>;
}

/** Claims and renews leases of this node. A lease that was lost can be gained again only with a new epoch. */
export interface LeaseKeeper {
  /** True while this node may act under the lease. Call it before each act. */
  holds(lease: Lease): boolean;
  /**
   * Claims the wanted leases that have ended or have no owner, and gives up those that were not wanted any more when
   * the claim ended; call it every `CLAIM_EVERY_MS`.
   */
  claim(): Promise<void>;
  /** Renews the held leases, and first gives up those that are not wanted; call it every `RENEW_EVERY_MS`. */
  renew(): Promise<void>;
  /** Gives up the held leases that are not wanted, so that another node can claim them. */
  releaseUnwanted(): Promise<void>;
  /** Gives up all leases; a later claim of this node can gain them again. */
  releaseAll(): Promise<void>;
  /**
   * Milliseconds since the last claim or renewal of a lease was sent, for the held lease where that was longest ago.
   * Null without a held lease.
   */
  oldestRenewalMs(): number | null;
}

interface Held {
  readonly lease: Lease;
  trustedUntilMs: number;
}

export function createLeaseKeeper(options: LeaseKeeperOptions): LeaseKeeper {
  const { store, owner, clock, timer } = options;
  const held = new Map<string, Held>();
  const by = { owner, forMs: LEASE_MS };
  // Renewals and releases take turns. A renewal that the database carried out after a release would keep the lease from
  // the next owner.
  const turns = createSerialQueue();

  const drop = ({ lease }: Held): void => {
    if (held.get(lease.name)?.lease.epoch !== lease.epoch) return;
    held.delete(lease.name);
    options.onLost(lease);
  };
  const dropEnded = (): void => {
    for (const one of [...held.values()]) {
      if (clock.nowMs() >= one.trustedUntilMs) drop(one);
    }
  };
  const releaseAll = async (given: readonly Held[]): Promise<void> => {
    for (const one of given) drop(one);
    const leases = given.map(({ lease }) => lease);
    if (leases.length === 0) return;
    await options.whenSettled?.();
    await turns.run(() => store.release(leases, owner));
  };
  const giveUp = (): Promise<void> => {
    const wanted = new Set(options.wantedNames());
    return releaseAll([...held.values()].filter(({ lease }) => !wanted.has(lease.name)));
  };
  const renewHeld = async (): Promise<void> => {
    dropEnded();
    const kept = [...held.values()];
    if (kept.length === 0) return;
    const trustedUntilMs = clock.nowMs() + TRUSTED_MS;
    const renewed = await store.renew(
      kept.map(({ lease }) => lease),
      by,
    );
    const epochs = new Map(renewed.map(({ name, epoch }) => [name, epoch]));
    for (const one of kept) {
      if (epochs.get(one.lease.name) === one.lease.epoch) one.trustedUntilMs = trustedUntilMs;
      else drop(one);
    }
    dropEnded();
    timer.after(TRUSTED_MS, dropEnded);
  };

  return {
    holds({ name, epoch }) {
      const one = held.get(name);
      return one?.lease.epoch === epoch && clock.nowMs() < one.trustedUntilMs;
    },
    async claim() {
      dropEnded();
      const names = options.wantedNames().filter((name) => !held.has(name));
      if (names.length === 0) return;
      const above = (await options.epochAbove?.()) ?? 0;
      const trustedUntilMs = clock.nowMs() + TRUSTED_MS;
      const gained = await store.claim(names, { ...by, above });
      // The answer took too long, so the leases may already have ended and are not used.
      if (clock.nowMs() >= trustedUntilMs) return;
      for (const lease of gained) {
        held.set(lease.name, { lease, trustedUntilMs });
        options.onGained(lease);
      }
      timer.after(TRUSTED_MS, dropEnded);
      // While the claim was under way, the wanted names may have changed, because this node is stopping or its clock
      // has become wrong.
      await giveUp();
    },
    async renew() {
      dropEnded();
      await giveUp();
      await turns.run(renewHeld);
    },
    releaseUnwanted: giveUp,
    releaseAll: () => releaseAll([...held.values()]),
    oldestRenewalMs() {
      if (held.size === 0) return null;
      const sentAtMs = [...held.values()].map(({ trustedUntilMs }) => trustedUntilMs - TRUSTED_MS);
      return clock.nowMs() - Math.min(...sentAtMs);
    },
  };
}

import type { AuditLog } from "@propgate/access";
import { type Clock, clientNetworkOf, type Log, type Timer } from "@propgate/base";

/**
 * Counts wrong tokens by network (an IPv4 address or the /64 of an IPv6 address) in this process. It logs rejections
 * and writes them to the audit, each in a bounded number of lines.
 */
export interface WrongTokens {
  /** Milliseconds until the network of the address may try another token; null when it need not wait. */
  waitMs(address: string): number | null;
  /** Counts a wrong token. */
  count(address: string): void;
  /** Logs the rejection of a call without a token or with a wrong one. */
  logRejection(refused: { readonly address: string; readonly status: number }): void;
}

const WRONG_TOKENS_MAX = 10;
const WINDOW_MS = 60_000;
const NETWORKS_MAX = 10_000;
const LINE_EVERY_MS = 1_000;
const AUDIT_EVERY_MS = 60_000;
/** The name of an unknown caller in the audit. */
const UNKNOWN = "unknown caller";

export function createWrongTokens(options: {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly audit: Pick<AuditLog, "append">;
  readonly log: Log;
}): WrongTokens {
  const { clock } = options;
  const windows = new Map<string, { readonly sinceMs: number; count: number }>();
  const toLog = createRefusalLog(options);
  const toAudit = createRefusalAudit(options);

  const windowOf = (network: string) => {
    const window = windows.get(network);
    if (window === undefined) return null;
    const ageMs = clock.now() - window.sinceMs;
    if (ageMs >= 0 && ageMs < WINDOW_MS) return window;
    windows.delete(network);
    return null;
  };

  return {
    waitMs(address) {
      const window = windowOf(clientNetworkOf(address));
      if (window === null || window.count < WRONG_TOKENS_MAX) return null;
      return window.sinceMs + WINDOW_MS - clock.now();
    },
    count(address) {
      const network = clientNetworkOf(address);
      const window = windowOf(network);
      if (window !== null) {
        window.count += 1;
      } else {
        const [oldest] = windows.keys();
        if (windows.size >= NETWORKS_MAX && oldest !== undefined) windows.delete(oldest);
        windows.set(network, { sinceMs: clock.now(), count: 1 });
      }
      toAudit(address);
    },
    logRejection: toLog,
  };
}

/**
 * Logs the first rejection immediately, and then at most one line a second with the number of rejections since. The
 * address and status of a line are those of its first rejection.
 */
function createRefusalLog({ timer, log }: { readonly timer: Timer; readonly log: Log }) {
  let isPaused = false;
  let held: { readonly address: string; readonly status: number; count: number } | null = null;
  const write = ({ address, status, count }: NonNullable<typeof held>): void => {
    log.warn({ audit: "refused", from: address, status, count }, "operator");
    isPaused = true;
    timer.after(LINE_EVERY_MS, () => {
      isPaused = false;
      const next = held;
      held = null;
      if (next !== null) write(next);
    });
  };
  return (refused: { readonly address: string; readonly status: number }): void => {
    if (!isPaused) write({ ...refused, count: 1 });
    else if (held === null) held = { ...refused, count: 1 };
    else held.count += 1;
  };
}

/** Writes at most one line a minute, so that an attacker cannot fill the audit, whose lines are never deleted. */
function createRefusalAudit(options: {
  readonly clock: Clock;
  readonly audit: Pick<AuditLog, "append">;
}): (address: string) => void {
  const { clock, audit } = options;
  let lastMs: number | null = null;
  let counted = 0;
  return (address) => {
    counted += 1;
    const now = clock.now();
    if (lastMs !== null && Math.abs(now - lastMs) < AUDIT_EVERY_MS) return;
    const detail = lastMs === null ? "wrong token" : `${counted} wrong tokens since the last line`;
    lastMs = now;
    counted = 0;
    // `append` never rejects, and the answer does not have to wait for the database.
    void audit.append({
      personId: null,
      by: UNKNOWN,
      role: "none",
      address,
      deed: "token.refused",
      subject: null,
      accountId: null,
      detail,
      succeeded: false,
    });
  };
}

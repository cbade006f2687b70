/** A revoked key is refused on every node. */
import type { Checker, Finding, Observation } from "../checker.ts";
import { requestText } from "./answers.ts";

/**
 * The clocks of the nodes differ by less than this, so a request that was sent this soon after a revocation is not
 * judged.
 */
const SKEW_MAX_MS = 60_000;

/** Finds requests that passed although their key was revoked. @rule S5.R6 */
export class RevokedKeys implements Checker {
  readonly name = "revoked";
  /**
   * The time at which each revocation was first seen in the database. The time that a revocation itself has may be
   * hours earlier, because the call may have waited after it read the clock.
   */
  readonly #seenAtMs = new Map<string, number>();

  async check({ ended, database, nowMs }: Observation): Promise<readonly Finding[]> {
    const rows = await database.query<{ key_id: string; revoked_at_ms: string }>(
      "select key_id, revoked_at_ms from keys where revoked_at_ms is not null",
      [],
    );
    const revoked = new Map(rows.map((row) => [row.key_id, Number(row.revoked_at_ms)]));
    for (const keyId of revoked.keys()) {
      if (!this.#seenAtMs.has(keyId)) this.#seenAtMs.set(keyId, nowMs);
    }
    return ended.flatMap((exchange) => {
      const { outcome, accountId, keyId, sentAtMs } = exchange;
      const atMs = revoked.get(keyId);
      if (atMs === undefined || sentAtMs <= atMs + SKEW_MAX_MS) return [];
      if (sentAtMs <= (this.#seenAtMs.get(keyId) ?? nowMs)) return [];
      // A request without an answer, or with a 401 or a 5xx, was not served; the database may have failed.
      if (outcome.kind === "lost" || outcome.status === 401 || outcome.status >= 500) return [];
      const message = `${requestText(exchange)} was answered ${outcome.status} although its key was revoked at ${atMs}`;
      return [{ checker: this.name, accountId, message }];
    });
  }
}

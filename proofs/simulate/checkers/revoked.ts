/** A key that was taken back opens nothing any more, on no node. */
import type { Checker, Finding, Look } from "../history.ts";
import { named } from "./answers.ts";

/** Clocks of nodes differ by less. */
const SKEW_MOST_MS = 60_000;

/** @rule S5.R6 */
export class Revoked implements Checker {
  readonly name = "revoked";

  async look({ ended, database }: Look): Promise<readonly Finding[]> {
    const rows = await database.query<{ key_id: string; revoked_at_ms: string }>(
      "select key_id, revoked_at_ms from keys where revoked_at_ms is not null",
      [],
    );
    const revoked = new Map(rows.map((row) => [row.key_id, Number(row.revoked_at_ms)]));
    return ended.flatMap((exchange) => {
      const { outcome, accountId, keyId, sentAtMs } = exchange;
      const atMs = revoked.get(keyId);
      if (atMs === undefined || sentAtMs <= atMs + SKEW_MOST_MS) return [];
      // A database that fails cannot say that the key is no more, but nothing is let through.
      if (outcome.kind === "lost" || outcome.status === 401 || outcome.status >= 500) return [];
      const says = `${named(exchange)} was answered ${outcome.status} although its key was revoked at ${atMs}`;
      return [{ checker: this.name, accountId, says }];
    });
  }
}

/** A revoked key is refused on every node. */
import type { Checker, Finding, Observation } from "../history.ts";
import { named } from "./answers.ts";

/** The clocks of nodes differ by less than this. */
const SKEW_MAX_MS = 60_000;

/** @rule S5.R6 */
export class Revoked implements Checker {
  readonly name = "revoked";

  async check({ ended, database }: Observation): Promise<readonly Finding[]> {
    const rows = await database.query<{ key_id: string; revoked_at_ms: string }>(
      "select key_id, revoked_at_ms from keys where revoked_at_ms is not null",
      [],
    );
    const revoked = new Map(rows.map((row) => [row.key_id, Number(row.revoked_at_ms)]));
    return ended.flatMap((exchange) => {
      const { outcome, accountId, keyId, sentAtMs } = exchange;
      const atMs = revoked.get(keyId);
      if (atMs === undefined || sentAtMs <= atMs + SKEW_MAX_MS) return [];
      // While the database fails, the request fails too.
      if (outcome.kind === "lost" || outcome.status === 401 || outcome.status >= 500) return [];
      const message = `${named(exchange)} was answered ${outcome.status} although its key was revoked at ${atMs}`;
      return [{ checker: this.name, accountId, message }];
    });
  }
}

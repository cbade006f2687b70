/** A key's cooldown begins only because of its holder's own requests. The key can keep its switch armed meanwhile. */
import { LIMITS } from "@propgate/contract";
import type { AccountId } from "@propgate/core";
import type { Checker, Finding, HttpExchange, Observation } from "../checker.ts";
import { errorTextOf, requestIdentityOf, requestText } from "./answers.ts";

/**
 * The window of the failure guard may seem longer by this time, because the clocks of the nodes differ and requests
 * take time.
 */
const SPARE_MS = 120_000;
const COOLDOWN_ERROR = "too_many_failed_requests";

/** An order that may have been rejected. It counts once, however often it was sent. */
interface RejectedOrder {
  readonly atMs: number;
  readonly identity: string;
}

/**
 * Thirty rejected orders of the secret's holder within the failure guard's window start a key's cooldown. A repeat is
 * not a new order, because it can be sent without the secret. An order without an answer may have been rejected. During
 * the cooldown the key's calls of the dead man's switch pass. @rule S8.guard D2.guard D12.pausedSwitch
 */
export class KeyCooldowns implements Checker {
  readonly name = "paused keys";
  readonly #rejected = new Map<string, RejectedOrder[]>();
  readonly #reported = new Set<string>();

  async check(at: Observation): Promise<readonly Finding[]> {
    for (const exchange of at.ended) this.#note(exchange);
    const answered = at.ended.flatMap((exchange) => {
      const message = this.#problem(exchange);
      return message === null ? [] : [this.#found(exchange.accountId, message)];
    });
    const paused = await at.database.query<CoolingKeyRow>(COOLING, [at.nowMs]);
    const stored = paused.flatMap(({ key_id: keyId, account_id: accountId, until }) => {
      const atMs = Number(until) - LIMITS.guardCooldownMs;
      const orders = this.#within(keyId, atMs);
      if (this.#reported.has(keyId) || orders >= LIMITS.guardRejectionsMax) return [];
      this.#reported.add(keyId);
      return [this.#found(accountId, `key ${keyId} was paused by ${orders} rejected orders`)];
    });
    return [...answered, ...stored];
  }

  #note(exchange: HttpExchange): void {
    const { keyId, call, sentAtMs, outcome } = exchange;
    const mayBe = outcome.kind === "lost" || [400, 403, 500].includes(outcome.status);
    if (call.kind !== "trade" || !mayBe) return;
    const orders = this.#rejected.get(keyId) ?? [];
    this.#rejected.set(keyId, orders);
    orders.push({ atMs: sentAtMs, identity: requestIdentityOf(exchange) });
  }

  #problem(exchange: HttpExchange): string | null {
    const { outcome, call, keyId, sentAtMs } = exchange;
    if (outcome.kind === "lost" || errorTextOf(outcome.body) !== COOLDOWN_ERROR) return null;
    if (call.kind === "switch")
      return `${requestText(exchange)} was refused because its key is paused`;
    const orders = this.#within(keyId, sentAtMs, LIMITS.guardCooldownMs);
    return orders >= LIMITS.guardRejectionsMax
      ? null
      : `${requestText(exchange)} was refused because its key is paused, by ${orders} rejected orders`;
  }

  /**
   * The number of different orders of the key that may have been rejected since the start of the guard's window that
   * ends at `atMs`. The window is lengthened by `SPARE_MS`, and by `earlierMs`.
   */
  #within(keyId: string, atMs: number, earlierMs = 0): number {
    const from = atMs - earlierMs - LIMITS.guardWindowMs - SPARE_MS;
    const orders = (this.#rejected.get(keyId) ?? []).filter((one) => one.atMs >= from);
    return new Set(orders.map(({ identity }) => identity)).size;
  }

  #found(accountId: string | AccountId, message: string): Finding {
    return { checker: this.name, accountId, message };
  }
}

interface CoolingKeyRow {
  readonly key_id: string;
  readonly account_id: string;
  readonly until: string;
}

const COOLING = `select key_id, account_id, cooldown_until_ms as until
from key_usage join keys using (key_id) where cooldown_until_ms > $1`;

import { LIMITS } from "@propgate/contract";

const MINUTE_MS = 60_000;

/**
 * SQL that is true during the cooldown of a key. An end that is more than a cooldown and a minute in the future comes
 * from a clock that was wrong, and does not count. @rule D12.oneClock
 */
export const cooldownCondition = (row: string, now: string): string =>
  `(${row}.cooldown_until_ms > ${now} and ${row}.cooldown_until_ms <= ${now} + ${LIMITS.guardCooldownMs + MINUTE_MS}) is true`;

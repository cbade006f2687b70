import { type CreateKeyRequest, type KeyLine, SCOPES, type Scope } from "@propgate/contract";
import { readAddresses } from "./address-block.ts";

const DAY_MS = 86_400_000;
export const LABEL_LENGTH_MAX = 100;

/** How long a key can be valid. `date` needs a chosen day. */
export const KEY_LIFETIMES = [
  { value: "30", text: "30 days" },
  { value: "90", text: "90 days" },
  { value: "365", text: "365 days" },
  { value: "never", text: "No expiry" },
  { value: "date", text: "Chosen day" },
] as const;
/** How long a key is valid: a number of days, without end, or until a chosen day. */
export type KeyLifetime = (typeof KEY_LIFETIMES)[number]["value"];

/** The values of the form for a new key. */
export interface KeyForm {
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly life: KeyLifetime;
  /** The chosen day, such as `2027-01-31`; only used when `life` is `date`. */
  readonly day: string;
  /** The allowed addresses, one on each line. */
  readonly addresses: string;
}

/** The description of each scope. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  "trade:read": "Read the account, positions, orders, trades and payouts.",
  "trade:place": "Place, edit and cancel orders, and close positions.",
};

export const EMPTY_FORM: KeyForm = {
  label: "",
  scopes: ["trade:read"],
  life: "90",
  day: "",
  addresses: "",
};

/** The problems of the form's fields; null for a field that has no problem. */
export interface KeyFormProblems {
  readonly label: string | null;
  readonly scopes: string | null;
  readonly day: string | null;
  readonly addresses: string | null;
}

/** Checks the fields of the form as the service does. */
export function keyFormProblems(form: KeyForm, nowMs: number): KeyFormProblems {
  const isDay = form.life === "date";
  return {
    label: form.label.trim() === "" ? "Enter a name, such as the program that uses the key." : null,
    scopes: form.scopes.length === 0 ? "Choose at least one permission." : null,
    day:
      isDay && (dayEndMs(form.day) ?? 0) <= nowMs
        ? "Choose a day that exists and is not over."
        : null,
    addresses: readAddresses(form.addresses).problem,
  };
}

/** True when no field of the form has a problem. */
export function hasNoProblems(problems: KeyFormProblems): boolean {
  return Object.values(problems).every((problem) => problem === null);
}

/** The request that a form without problems makes. */
export function keyRequest(form: KeyForm, nowMs: number): CreateKeyRequest {
  const read = readAddresses(form.addresses);
  return {
    label: form.label.trim(),
    scopes: SCOPES.filter((scope) => form.scopes.includes(scope)),
    expiresAtMs: expiryOf(form, nowMs),
    addresses: read.problem === null ? read.addresses : [],
  };
}

/** When the key expires, in Unix milliseconds; null when it never expires. */
export function expiryOf({ life, day }: KeyForm, nowMs: number): number | null {
  switch (life) {
    case "never":
      return null;
    case "date":
      return dayEndMs(day);
    case "30":
    case "90":
    case "365":
      return nowMs + Number(life) * DAY_MS;
  }
}

/** The end of a day, UTC; null when the day does not exist. @rule D13.dates D13.dateExpiry */
function dayEndMs(day: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const ms = Date.parse(`${day}T00:00:00Z`);
  // `Date.parse` reads a day after the end of the month as a day of the next month.
  const isDay = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
  return isDay ? ms + DAY_MS : null;
}

export type KeyState = "active" | "paused" | "expired" | "revoked";

/** The state of a key at this time. A revoked key never counts as expired, and an expired one never as paused. */
export function keyState(
  {
    revokedAtMs,
    pausedAtMs,
    expiresAtMs,
  }: Pick<KeyLine, "revokedAtMs" | "pausedAtMs" | "expiresAtMs">,
  nowMs: number,
): KeyState {
  if (revokedAtMs !== null) return "revoked";
  if (expiresAtMs !== null && expiresAtMs <= nowMs) return "expired";
  return pausedAtMs === null ? "active" : "paused";
}

/** The reads that are left in the current minute. When the minute is over, the whole budget is left. */
export function readsLeft(
  { used, most: max, windowEndsAtMs }: KeyLine["reads"],
  nowMs: number,
): number {
  return nowMs >= windowEndsAtMs ? max : Math.max(0, max - used);
}

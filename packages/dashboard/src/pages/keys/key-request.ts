import { type CreateKeyRequest, type KeyLine, SCOPES, type Scope } from "@propgate/contract";
import { readAddresses } from "./address-block.ts";

const DAY_MS = 86_400_000;
export const LABEL_LENGTH_MAX = 100;

/** For how long a key is good; `date` asks for a day of its own. */
export const LIVES = [
  { value: "30", text: "30 days" },
  { value: "90", text: "90 days" },
  { value: "365", text: "365 days" },
  { value: "never", text: "Until it is revoked" },
  { value: "date", text: "Until a day" },
] as const;
export type Life = (typeof LIVES)[number]["value"];

/** The form as it stands. */
export interface KeyForm {
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly life: Life;
  /** `2027-01-31`; only with the life `date`. */
  readonly day: string;
  /** One a line. */
  readonly addresses: string;
}

/** What each scope lets a program do. */
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

/** What is wrong with the form, by field; null: nothing. */
export interface KeyFormProblems {
  readonly label: string | null;
  readonly scopes: string | null;
  readonly day: string | null;
  readonly addresses: string | null;
}

export function keyFormProblems(form: KeyForm, nowMs: number): KeyFormProblems {
  const isDay = form.life === "date";
  return {
    label: form.label.trim() === "" ? "Name the key, such as the program that uses it." : null,
    scopes: form.scopes.length === 0 ? "Choose at least one." : null,
    day: isDay && (dayMs(form.day) ?? 0) <= nowMs ? "Choose a day that is still to come." : null,
    addresses: readAddresses(form.addresses).problem,
  };
}

export function isComplete(problems: KeyFormProblems): boolean {
  return Object.values(problems).every((problem) => problem === null);
}

/** What the service is asked for; the form has no problems. */
export function keyRequest(form: KeyForm, nowMs: number): CreateKeyRequest {
  const read = readAddresses(form.addresses);
  return {
    label: form.label.trim(),
    scopes: SCOPES.filter((scope) => form.scopes.includes(scope)),
    expiresAtMs: expiryOf(form, nowMs),
    addresses: read.problem === null ? read.addresses : [],
  };
}

/** Unix milliseconds; null: until it is revoked. */
export function expiryOf({ life, day }: KeyForm, nowMs: number): number | null {
  switch (life) {
    case "never":
      return null;
    case "date":
      return dayMs(day);
    case "30":
    case "90":
    case "365":
      return nowMs + Number(life) * DAY_MS;
  }
}

/** 00:00 UTC of a day; null: there is no such day. */
function dayMs(day: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const ms = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(ms) ? null : ms;
}

export type KeyState = "active" | "expired" | "revoked";

export function keyState(
  { revokedAtMs, expiresAtMs }: Pick<KeyLine, "revokedAtMs" | "expiresAtMs">,
  nowMs: number,
): KeyState {
  if (revokedAtMs !== null) return "revoked";
  return expiresAtMs !== null && expiresAtMs <= nowMs ? "expired" : "active";
}

/** Reads that are left in the minute that is running; all of them once the next has begun. */
export function readsLeft({ used, most, windowEndsAtMs }: KeyLine["reads"], nowMs: number): number {
  return nowMs >= windowEndsAtMs ? most : Math.max(0, most - used);
}

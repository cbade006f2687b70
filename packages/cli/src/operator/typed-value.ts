import type { OperatorCallName } from "@propgate/contract";
import { checkAccountId } from "../check-account-id.ts";
import { usageError } from "../cli-error.ts";
import { parseExactTimeOption, parseTypedExpiry } from "../typed-time.ts";
import type { CallField } from "./call-fields.ts";

/** The value for a field of a body or a query, from the text that was typed. @rule D13.dates */
export function typedValue(name: OperatorCallName, field: CallField, text: string): unknown {
  const { typed, schema, location } = field;
  if (text === "" && location === "query") {
    throw usageError(`${typed} is empty`, `Give a value, or leave ${typed} out.`);
  }
  const special = SPECIAL[`${name} ${field.name}`];
  if (special !== undefined) return special(text, typed);
  if (field.name === "accountId") return typedAccounts(text, typed);
  if (schema.format === "int64") return parseExactTimeOption(text, typed);
  if (location === "query") return text;
  const types: readonly unknown[] = [schema.type].flat();
  if (text === "null" && types.includes("null")) return null;
  if (types.includes("array")) return [...new Set(text.split(","))];
  if (types.includes("number") || types.includes("integer")) return numberOf(text, typed);
  return text;
}

type Read = (text: string, typed: string) => unknown;

/** Readers of fields that are typed in another form than the contract has. */
const SPECIAL: Readonly<Record<string, Read>> = {
  "keys.create expiresAtMs": (text, typed) => {
    const ms = parseTypedExpiry(text);
    if (ms !== null) return ms;
    throw usageError(
      `${typed} is not a date: ${text}`,
      "Such as 2027-01-31 or 2027-01-31T12:00:00Z.",
    );
  },
  "tokens.add expiresInHours": hoursOf,
  "webhooks.rotate overlapMs": (text, typed) => {
    if (/^\d{1,3}$/.test(text)) return Number(text) * MS_PER_HOUR;
    throw usageError(`${typed} must be whole hours, not ${text}`);
  },
  "webhooks.update types": (text) => (text === "all" ? null : text.split(",")),
  "audit.verify head": (text, typed) => {
    const [, line = "", hash = ""] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? [];
    if (hash !== "") return { auditId: Number(line), hash };
    throw usageError(
      `${typed} is not a line and its hash: ${text}`,
      "Copy it from operator health or an earlier operator audit verify, such as 41:9f86…",
    );
  },
};

const HOURS_PER_DAY = 24;
const MS_PER_HOUR = 3_600_000;

function hoursOf(text: string, typed: string): number {
  const [, digits, unit] = /^(\d{1,4})(h|d)$/.exec(text) ?? [];
  if (digits !== undefined) return Number(digits) * (unit === "d" ? HOURS_PER_DAY : 1);
  throw usageError(`${typed} is not a number of hours or days: ${text}`, "Such as 12h or 30d.");
}

/**
 * Checks the account ids of a filter, which have commas between them. `null` and `set` are words of the filter, not
 * ids.
 */
function typedAccounts(text: string, typed: string): string {
  if (text === "null" || text === "set") return text;
  return text
    .split(",")
    .map((one) => checkAccountId(one, typed))
    .join(",");
}

function numberOf(text: string, typed: string): number {
  const value = Number(text.replaceAll("_", ""));
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw usageError(`${typed} is not a number: ${text}`);
}

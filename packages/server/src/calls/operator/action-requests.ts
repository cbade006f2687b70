import type { AnnounceActionRequest } from "@propgate/contract";
import { type Dividend, type PairFinder, type Split, unixMs } from "@propgate/core";
import { z } from "zod";
import {
  type Fields,
  momentMs,
  must,
  oneOf,
  type Parsed,
  parseBody,
  problemOf,
  shortText,
} from "../json/json-fields.ts";

const SHARES_MAX = 10_000;
const WHOLE = "must be a whole number from 1 to 10000";
const shares = z.int(must(WHOLE)).min(1, WHOLE).max(SHARES_MAX, WHOLE);
const ABOVE_ZERO = "must be a number above 0";

const ANNOUNCEMENT = z.strictObject({
  pair: shortText(30),
  kind: oneOf(["split", "dividend"]),
  newShares: shares.optional(),
  oldShares: shares.optional(),
  amount: z.number(must(ABOVE_ZERO)).positive(ABOVE_ZERO).optional(),
  atMs: momentMs,
  again: z.boolean(must("must be true or false")).optional(),
} satisfies Fields<AnnounceActionRequest>);

interface Announcement {
  readonly action: Omit<Split, "id" | "announcedAtMs"> | Omit<Dividend, "id" | "announcedAtMs">;
  /** True allows a second split of the pair within seven days. @rule D13.splitAgain */
  readonly isAgain: boolean;
}

/**
 * Parses an announcement. A split has `newShares` and `oldShares`, which differ, and may have `again`; a dividend has
 * `amount`. @rule D11.announce
 */
export function parseAnnouncement(body: unknown, pairOf: PairFinder): Parsed<Announcement> {
  const read = parseBody(ANNOUNCEMENT, body, (given) => given);
  if (!read.ok) return read;
  const { kind, newShares, oldShares, amount, again } = read.value;
  const announced = { pair: pairOf(read.value.pair), atMs: unixMs(read.value.atMs) };
  if (kind === "dividend") {
    if (amount === undefined) return problemOf("amount", "a dividend needs it");
    if (newShares !== undefined) return problemOf("newShares", "a dividend has none");
    if (oldShares !== undefined) return problemOf("oldShares", "a dividend has none");
    if (again !== undefined) return problemOf("again", "a dividend has none");
    return { ok: true, value: { action: { ...announced, kind, amount }, isAgain: false } };
  }
  if (amount !== undefined) return problemOf("amount", "a split has none");
  if (newShares === undefined) return problemOf("newShares", "a split needs it");
  if (oldShares === undefined) return problemOf("oldShares", "a split needs it");
  if (newShares === oldShares) return problemOf("newShares", "must differ from oldShares");
  const action = { ...announced, kind, newShares, oldShares };
  return { ok: true, value: { action, isAgain: again ?? false } };
}

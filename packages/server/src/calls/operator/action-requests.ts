import type { AnnounceActionRequest } from "@propgate/contract";
import { type Dividend, type PairFinder, type Split, unixMs } from "@propgate/core";
import { z } from "zod";
import {
  type BodyFields,
  fieldErrorTexts,
  fieldProblem,
  momentMsSchema,
  oneOfSchema,
  type Parsed,
  parseBody,
  shortTextSchema,
} from "../json/json-fields.ts";

const SHARES_MAX = 10_000;
const WHOLE = "must be a whole number from 1 to 10000";
const shares = z.int(fieldErrorTexts(WHOLE)).min(1, WHOLE).max(SHARES_MAX, WHOLE);
const ABOVE_ZERO = "must be a number above 0";

const ANNOUNCEMENT = z.strictObject({
  pair: shortTextSchema(30),
  kind: oneOfSchema(["split", "dividend"]),
  newShares: shares.optional(),
  oldShares: shares.optional(),
  amount: z.number(fieldErrorTexts(ABOVE_ZERO)).positive(ABOVE_ZERO).optional(),
  atMs: momentMsSchema,
  again: z.boolean(fieldErrorTexts("must be true or false")).optional(),
} satisfies BodyFields<AnnounceActionRequest>);

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
    if (amount === undefined) return fieldProblem("amount", "a dividend needs it");
    if (newShares !== undefined) return fieldProblem("newShares", "a dividend has none");
    if (oldShares !== undefined) return fieldProblem("oldShares", "a dividend has none");
    if (again !== undefined) return fieldProblem("again", "a dividend has none");
    return { ok: true, value: { action: { ...announced, kind, amount }, isAgain: false } };
  }
  if (amount !== undefined) return fieldProblem("amount", "a split has none");
  if (newShares === undefined) return fieldProblem("newShares", "a split needs it");
  if (oldShares === undefined) return fieldProblem("oldShares", "a split needs it");
  if (newShares === oldShares) return fieldProblem("newShares", "must differ from oldShares");
  const action = { ...announced, kind, newShares, oldShares };
  return { ok: true, value: { action, isAgain: again ?? false } };
}

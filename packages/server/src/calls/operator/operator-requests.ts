import {
  hasOneScript,
  hasOnlyVisibleCharacters,
  isFreeForPeople,
  type KeyRequest,
  type NewPerson,
} from "@propgate/access";
import {
  type AddPersonRequest,
  type CloseAccountRequest,
  type CreateOperatorKeyRequest,
  type DisablePersonRequest,
  ELIMINATION_REASONS,
  type EliminateAccountRequest,
  type EnablePersonRequest,
  type LinkAccountRequest,
  type OfferProRequest,
  OPERATOR_PHASES,
  type OpenAccountRequest,
  OWN_ASSET_CLASSES,
  PAYOUT_STATUSES,
  PERSON_NAME_LENGTH_MAX,
  type PromoteAccountRequest,
  type RebuildJournalRequest,
  type RecordPaymentRequest,
  type SetExternalIdRequest,
  type UpdateOwnerRequest,
  type VerifyAuditRequest,
  type VerifyJournalRequest,
} from "@propgate/contract";
import {
  type AccountId,
  accountId,
  type OwnerId,
  ownerId,
  percent,
  roundUsd,
  unixMs,
} from "@propgate/core";
import {
  type AuditHead,
  type ExternalId,
  externalId,
  type PersonId,
  personId,
} from "@propgate/ledger";
import type { SubaccountLink } from "@propgate/vanta";
import { ASSET_CLASS_OF_WORD, KEY_SCOPE_OF_WORD } from "@propgate/wire";
import { z } from "zod";
import {
  addressBlocksSchema,
  type BodyFields,
  fieldErrorTexts,
  fieldProblem,
  firmIdSchema,
  keyScopesSchema,
  momentMsSchema,
  oneOfSchema,
  type Parsed,
  parseBody,
  shortTextSchema,
  uuidSchema,
  visibleLabelSchema,
  visibleTextSchema,
} from "../json/json-fields.ts";
import type { AccountDeed, NewAccount, ProOffer } from "./operator-services.ts";
import type { PaymentRecord } from "./record-payment.ts";

const DOLLARS_MAX = 100_000_000;

const POSITIVE = "must be a number above 0";
const amount = z.number(fieldErrorTexts(POSITIVE)).positive(POSITIVE);

const program = shortTextSchema(100).optional();
const OF_ACCOUNT = {
  ownerId: firmIdSchema.optional(),
  externalId: firmIdSchema.optional(),
  size: amount.max(DOLLARS_MAX, `must be at most ${DOLLARS_MAX}`),
  assetClass: oneOfSchema(OWN_ASSET_CLASSES).default("all_markets"),
  drawdownCriteria: oneOfSchema(["static", "trailing"]).default("static"),
  dailyLossPct: amount.max(100, "must be at most 100").optional(),
  tier: z.literal([1, 2, 3], fieldErrorTexts("must be 1, 2 or 3")).default(1),
  provisioned: z.boolean(fieldErrorTexts("must be true or false")).default(true),
};
const NEW_ACCOUNT = z.strictObject({
  ...OF_ACCOUNT,
  programId: program,
  override: z.boolean(fieldErrorTexts("must be true or false")).default(false),
} satisfies BodyFields<OpenAccountRequest>);
const SANDBOX_ACCOUNT = z.strictObject({ ...OF_ACCOUNT, program });

const SUBACCOUNT_LENGTH_MAX = 100;
const SPLIT_PERCENT = 100;
const SPLIT_PERCENT_MAX = 1000;

const LINK = z.strictObject({
  subaccount: visibleTextSchema(SUBACCOUNT_LENGTH_MAX),
  ownerId: firmIdSchema,
  profitSplitPercent: amount
    .max(SPLIT_PERCENT_MAX, `must be at most ${SPLIT_PERCENT_MAX}`)
    .default(SPLIT_PERCENT),
} satisfies BodyFields<LinkAccountRequest>);

/** The fields of an offer of a pro account. The sandbox adds fields to them. */
export const PRO_OFFER = z.strictObject({
  proAccountSize: amount.max(DOLLARS_MAX, `must be at most ${DOLLARS_MAX}`),
  program: shortTextSchema(100).optional(),
});

const seenPhase = oneOfSchema(OPERATOR_PHASES);

const OFFER = PRO_OFFER.extend({
  phase: seenPhase.optional(),
} satisfies Pick<BodyFields<OfferProRequest>, "phase">);

const PROMOTION = z.strictObject({ phase: seenPhase } satisfies BodyFields<PromoteAccountRequest>);
const CLOSING = z.strictObject({
  phase: seenPhase.optional(),
  forfeit: z.boolean(fieldErrorTexts("must be true or false")).default(false),
} satisfies BodyFields<CloseAccountRequest>);

const PAYMENT = z.strictObject({
  status: oneOfSchema(PAYOUT_STATUSES),
  rail: visibleTextSchema(100).optional(),
  provider: visibleTextSchema(100).optional(),
  reference: visibleTextSchema(200).optional(),
  paidAmount: amount
    .max(DOLLARS_MAX, `must be at most ${DOLLARS_MAX}`)
    .refine((usd) => Math.round(usd * 100) / 100 === usd, "must be whole cents")
    .optional(),
} satisfies BodyFields<RecordPaymentRequest>);

/**
 * The reason of an operator's elimination may not be one of the network's own codes, because these state that the
 * network ended the account. @rule D13.operatorReason decides
 */
const ELIMINATION = z.strictObject({
  reason: visibleTextSchema(200).refine(
    (reason) => !ELIMINATION_REASONS.some((code) => code === reason.trim().toUpperCase()),
    "must not be one of the network's own reasons",
  ),
  phase: seenPhase.optional(),
} satisfies BodyFields<EliminateAccountRequest>);

const NEW_KEY = z.strictObject({
  accountId: uuidSchema,
  scopes: keyScopesSchema,
  label: visibleLabelSchema.optional(),
  addresses: addressBlocksSchema.optional(),
  expiresAtMs: momentMsSchema.optional(),
} satisfies BodyFields<CreateOperatorKeyRequest>);

const NEW_PERSON = z.strictObject({
  name: shortTextSchema(PERSON_NAME_LENGTH_MAX)
    .refine((name) => name === name.trim(), { error: "must not begin or end with a space" })
    .refine(hasOnlyVisibleCharacters, { error: "must contain only visible characters" })
    .refine(hasOneScript, {
      error: "must use the letters of one script, so that names cannot look alike",
    })
    .refine(isFreeForPeople, {
      error: "must not be a name that the audit has for tokens or the service",
    }),
  role: oneOfSchema(["owner", "operator"]),
  ownerId: firmIdSchema.optional(),
  externalId: firmIdSchema.optional(),
} satisfies BodyFields<AddPersonRequest>);

const NAMING = z.strictObject({
  externalId: firmIdSchema,
} satisfies BodyFields<SetExternalIdRequest>);

const flag = z.boolean(fieldErrorTexts("must be true or false")).default(false);
const DISABLE = z.strictObject({ pauseKeys: flag } satisfies BodyFields<DisablePersonRequest>);
const ENABLE = z.strictObject({ resumeKeys: flag } satisfies BodyFields<EnablePersonRequest>);

const VERIFY = z.strictObject({
  accountId: uuidSchema.optional(),
} satisfies BodyFields<VerifyJournalRequest>);

const REBUILD = z.strictObject({
  accountId: uuidSchema.optional(),
  write: z.boolean(fieldErrorTexts("must be true or false")).default(false),
} satisfies BodyFields<RebuildJournalRequest>);

const NOTHING = z.strictObject({});

const TIERS = { 1: "tier1", 2: "tier2", 3: "tier3" } as const;

export function parseNewAccount(body: unknown): Parsed<NewAccount> {
  return parseBody(NEW_ACCOUNT, body, ({ programId, override, ...given }) => ({
    ...newAccount(given, programId),
    obeysMax: !override,
  }));
}

/**
 * Parses an account to open in a sandbox. The field for the program is `program`, not `programId`, and the maximum of
 * the owner's accounts does not apply.
 */
export function parseSandboxAccount(body: unknown): Parsed<NewAccount> {
  return parseBody(SANDBOX_ACCOUNT, body, ({ program: id, ...given }) => ({
    ...newAccount(given, id),
    obeysMax: false,
  }));
}

function newAccount(
  given: Omit<z.infer<typeof NEW_ACCOUNT>, "programId" | "override">,
  programId: string | undefined,
): Omit<NewAccount, "obeysMax"> {
  return {
    program: programId ?? null,
    ownerId: given.ownerId === undefined ? null : ownerId(given.ownerId),
    externalId: given.externalId === undefined ? null : externalId(given.externalId),
    size: roundUsd(given.size),
    assetClass: ASSET_CLASS_OF_WORD[given.assetClass],
    criteria: given.drawdownCriteria,
    dailyLossPct: given.dailyLossPct === undefined ? null : percent(given.dailyLossPct),
    tier: TIERS[given.tier],
    provisioned: given.provisioned,
  };
}

/** Parses the subaccount of the validator that an operator links to an owner. */
export function parseLink(body: unknown): Parsed<SubaccountLink> {
  return parseBody(LINK, body, ({ subaccount, ownerId: owner, profitSplitPercent }) => ({
    subaccount,
    ownerId: ownerId(owner),
    profitSplit: profitSplitPercent / 100,
  }));
}

export function parseProOffer(body: unknown): Parsed<AccountDeed> {
  return parseBody(OFFER, body, ({ phase, ...offer }) => ({
    deed: "offerPro",
    ...proOffer(offer),
    phase: phase ?? null,
  }));
}

export function proOffer({ proAccountSize, program }: z.infer<typeof PRO_OFFER>): ProOffer {
  return { proAccountSize: roundUsd(proAccountSize), program: program ?? null };
}

/**
 * Parses the record of a payment. Only the status `paid` may have an amount that was paid, because sums count every
 * such amount. @rule D7.paidAmount
 */
export function parsePayment(body: unknown): Parsed<PaymentRecord> {
  const read = parseBody(PAYMENT, body, (given) => ({
    status: given.status,
    rail: given.rail ?? null,
    provider: given.provider ?? null,
    reference: given.reference ?? null,
    paidAmount: given.paidAmount === undefined ? null : roundUsd(given.paidAmount),
  }));
  if (read.ok && read.value.paidAmount !== null && read.value.status !== "paid") {
    return fieldProblem("paidAmount", `a payment that is ${read.value.status} has none; send paid`);
  }
  return read;
}

export function parseElimination(body: unknown): Parsed<AccountDeed> {
  return parseBody(ELIMINATION, body, ({ reason, phase }) => ({
    deed: "eliminate",
    reason,
    phase: phase ?? null,
  }));
}

export function parsePromotion(body: unknown): Parsed<AccountDeed> {
  return parseBody(PROMOTION, body, ({ phase }) => ({ deed: "promote", phase }));
}

export function parseClosing(body: unknown): Parsed<AccountDeed> {
  return parseBody(CLOSING, body, ({ phase, forfeit }) => ({
    deed: "close",
    forfeit,
    phase: phase ?? null,
  }));
}

/** Parses the body of a call without fields. */
export function parseEmptyBody(body: unknown): Parsed<null> {
  return parseBody(NOTHING, body, () => null);
}

/** Parses a new key. Its expiry must be after `nowMs`. */
export function parseNewKey(body: unknown, nowMs: number): Parsed<KeyRequest> {
  const read = parseBody(NEW_KEY, body, (given) => ({
    accountId: accountId(given.accountId.toLowerCase()),
    scopes: given.scopes.map((scope) => KEY_SCOPE_OF_WORD[scope]),
    ...(given.label === undefined ? {} : { label: given.label }),
    ...(given.addresses === undefined ? {} : { addresses: given.addresses }),
    expiresAtMs: given.expiresAtMs === undefined ? null : unixMs(given.expiresAtMs),
  }));
  if (read.ok && read.value.expiresAtMs !== null && read.value.expiresAtMs <= nowMs) {
    return fieldProblem("expiresAtMs", "must lie in the future");
  }
  return read;
}

/** Parses a new person. `ownerId` is null for a new owner, and for an operator, who has none. */
export function parseNewPerson(body: unknown): Parsed<NewPerson> {
  const read = parseBody(NEW_PERSON, body, ({ name, role, ...given }) => ({
    name,
    role,
    ownerId: given.ownerId === undefined ? null : ownerId(given.ownerId),
    externalId: given.externalId === undefined ? null : externalId(given.externalId),
  }));
  if (read.ok && read.value.role === "operator" && read.value.ownerId !== null) {
    return fieldProblem("ownerId", "an operator has no accounts");
  }
  return read;
}

/** Parses the external id to give to an account or a person. */
export function parseExternalId(body: unknown): Parsed<ExternalId> {
  return parseBody(NAMING, body, (given) => externalId(given.externalId));
}

const ACCOUNTS_MAX = "must be a whole number from 0 to 100000, or null";
const OWNER = z.strictObject({
  accountsMax: z
    .int(fieldErrorTexts(ACCOUNTS_MAX))
    .min(0, ACCOUNTS_MAX)
    .max(100_000, ACCOUNTS_MAX)
    .nullable(),
} satisfies BodyFields<UpdateOwnerRequest>);

/** Parses the maximum of an owner's open accounts. Null leaves the maximum to the program. */
export function parseOwnerMaximum(body: unknown): Parsed<number | null> {
  return parseBody(OWNER, body, ({ accountsMax }) => accountsMax);
}

/** The owner's id; null when the text cannot be one. */
export function parseOwnerId(text: string | undefined): OwnerId | null {
  const read = firmIdSchema.safeParse(text);
  return read.success ? ownerId(read.data) : null;
}

/** Parses whether to pause the API keys of the person's accounts. */
export function parseDisablePerson(body: unknown): Parsed<boolean> {
  return parseBody(DISABLE, body, ({ pauseKeys }) => pauseKeys);
}

/** Parses whether to resume the paused API keys of the person's accounts. */
export function parseEnablePerson(body: unknown): Parsed<boolean> {
  return parseBody(ENABLE, body, ({ resumeKeys }) => resumeKeys);
}

/** The person's id in lower case; null when the text is not a uuid. */
export function parsePersonId(text: string | undefined): PersonId | null {
  const read = uuidSchema.safeParse(text);
  return read.success ? personId(read.data.toLowerCase()) : null;
}

/** Parses the account whose journal is to be verified. Returns `all` when the body names no account. */
export function parseVerify(body: unknown): Parsed<AccountId | "all"> {
  return parseBody(VERIFY, body, (given) => oneOrAll(given.accountId));
}

/**
 * Parses the account whose data are to be rebuilt, or `all` when the body names none, and whether the rebuilt data are
 * to be written.
 */
export function parseRebuild(
  body: unknown,
): Parsed<{ readonly which: AccountId | "all"; readonly write: boolean }> {
  return parseBody(REBUILD, body, (given) => ({
    which: oneOrAll(given.accountId),
    write: given.write,
  }));
}

const NOTED_HEAD = z.strictObject({
  head: z
    .strictObject({
      auditId: z.int(fieldErrorTexts("must be a whole number")).min(1, "must be at least 1"),
      hash: z.string().regex(/^[0-9a-f]{64}$/i, "must be 64 hexadecimal digits"),
    })
    .optional(),
} satisfies BodyFields<VerifyAuditRequest>);

/** Parses the head of the audit that the operator noted down earlier; null when the body has none. */
export function parseNotedHead(body: unknown): Parsed<AuditHead | null> {
  return parseBody(NOTED_HEAD, body, ({ head }) =>
    head === undefined ? null : { auditId: head.auditId, hash: head.hash.toLowerCase() },
  );
}

function oneOrAll(id: string | undefined): AccountId | "all" {
  return id === undefined ? "all" : accountId(id.toLowerCase());
}

const SEARCH = z.object({ q: shortTextSchema(100) });

/** Parses the text to search for: `q` of the query. */
export function parseSearch(query: Readonly<Record<string, string>>): Parsed<string> {
  return parseBody(SEARCH, query, ({ q }) => q.trim());
}

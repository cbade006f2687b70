import {
  type ApiKey,
  type KeyDesk,
  type KeyRequest,
  type KeyUse,
  TOO_MANY_KEYS,
} from "@propgate/access";
import type { Clock } from "@propgate/base";
import { type CreatedKeyView, type KeyLine, LIMITS, type Scope } from "@propgate/contract";
import { type AccountId, unixMs } from "@propgate/core";
import { KEY_SCOPE_OF_WORD, SCOPE_WORDS } from "@propgate/wire";
import { z } from "zod";
import {
  addressBlocksSchema,
  fieldProblem,
  keyScopesSchema,
  momentMsSchema,
  type Parsed,
  parseBody,
  problemReply,
  visibleLabelSchema,
} from "../../json/json-fields.ts";
import { type AuditDetails, type JsonReply, okReply, refusedReply } from "../../json/json-reply.ts";
import type { AccountCall, AccountCallInput } from "./account-call.ts";

export interface KeyOptions {
  readonly keys: Pick<KeyDesk, "create" | "list" | "revoke">;
  readonly clock: Clock;
}

const NEW_KEY = z.strictObject({
  label: visibleLabelSchema,
  scopes: keyScopesSchema,
  expiresAtMs: momentMsSchema.nullish(),
  addresses: addressBlocksSchema.default([]),
});

/** The calls that list, create and revoke an account's keys. */
export function keyCalls(options: KeyOptions): readonly AccountCall[] {
  return [
    {
      name: "keys.list",
      method: "GET",
      path: "/accounts/:id/keys",
      async handle({ accountId }) {
        const now = options.clock.now();
        return okReply((await options.keys.list(accountId)).map((key) => keyLine(key, now)));
      },
    },
    {
      name: "keys.create",
      method: "POST",
      path: "/accounts/:id/keys",
      changes: true,
      needsConfirmation: true,
      handle: (input) => createKey(options, input),
    },
    {
      name: "keys.revoke",
      method: "DELETE",
      changes: true,
      path: "/accounts/:id/keys/:keyId",
      handle: (input) => revokeKey(options, input),
    },
  ];
}

async function createKey({ keys, clock }: KeyOptions, input: AccountCallInput): Promise<JsonReply> {
  const { accountId, body, visitor } = input;
  const now = clock.now();
  const request = parseNewKey(body, { accountId, nowMs: now });
  if (!request.ok) return problemReply(request);
  const made = await keys.create({ ...request.value, by: visitor.person.name });
  if (made === null) return refusedReply(TOO_MANY_KEYS);
  const { key, secret } = made;
  const created: CreatedKeyView = { key: keyLine({ ...key, ...NEVER_USED }, now), secret };
  return okReply(created, { subject: key.keyId, detail: keyDescription(key) });
}

/**
 * Revokes a key of the account. A key of another account gets the answer of an unknown one, and a key that was revoked
 * before is refused.
 */
async function revokeKey({ keys }: KeyOptions, input: AccountCallInput): Promise<JsonReply> {
  const { accountId, parameters, visitor } = input;
  const key = (await keys.list(accountId)).find(({ keyId }) => keyId === parameters.keyId);
  if (key === undefined) {
    const about: AuditDetails = { subject: (parameters.keyId ?? "").slice(0, 36) };
    return { ...refusedReply("Key not found", 404), about };
  }
  const about: AuditDetails = { subject: key.keyId, detail: keyDescription(key) };
  if (await keys.revoke(key.keyId, visitor.person.name))
    return okReply({ keyId: key.keyId }, about);
  return { ...refusedReply("The key was revoked before"), about };
}

function parseNewKey(
  body: unknown,
  { accountId, nowMs }: { readonly accountId: AccountId; readonly nowMs: number },
): Parsed<KeyRequest> {
  const read = parseBody(NEW_KEY, body, ({ label, scopes, addresses, expiresAtMs }) => ({
    accountId,
    label,
    addresses,
    scopes: scopes.map((scope) => KEY_SCOPE_OF_WORD[scope]),
    expiresAtMs: expiresAtMs == null ? null : unixMs(expiresAtMs),
  }));
  if (read.ok && read.value.expiresAtMs !== null && read.value.expiresAtMs <= nowMs) {
    return fieldProblem("expiresAtMs", "must lie in the future");
  }
  return read;
}

const NEVER_USED = {
  lastUsedAtMs: null,
  lastUsedFrom: null,
  reads: 0,
  readWindowStartMs: unixMs(0),
  rejections: 0,
  cooldownUntilMs: null,
};

/**
 * A key with its use. Read windows are clock minutes, and reads of an earlier minute do not count.
 * @rule S8.read S8.guard
 */
function keyLine(key: KeyUse, nowMs: number): KeyLine {
  const windowStartMs = nowMs - (nowMs % LIMITS.readWindowMs);
  const { cooldownUntilMs } = key;
  return {
    keyId: key.keyId,
    label: key.label,
    scopes: scopesOf(key),
    addresses: key.addresses,
    createdAtMs: key.createdAtMs,
    expiresAtMs: key.expiresAtMs,
    revokedAtMs: key.revokedAtMs,
    pausedAtMs: key.pausedAtMs,
    lastUsedAtMs: key.lastUsedAtMs,
    lastUsedFrom: key.lastUsedFrom,
    reads: {
      // Refused reads are counted too, so the count can exceed the budget. The shown figure does not.
      used:
        key.readWindowStartMs >= windowStartMs
          ? Math.min(key.reads, LIMITS.readBudgetPerWindow)
          : 0,
      most: LIMITS.readBudgetPerWindow,
      windowEndsAtMs: windowStartMs + LIMITS.readWindowMs,
    },
    rejections: {
      used: key.rejections,
      most: LIMITS.guardRejectionsMax,
      cooldownUntilMs: cooldownUntilMs !== null && cooldownUntilMs > nowMs ? cooldownUntilMs : null,
    },
  };
}

function scopesOf(key: ApiKey): readonly Scope[] {
  return key.scopes.map((scope) => SCOPE_WORDS[scope]);
}

/** Describes a key for the audit: its label, scopes, addresses and expiry. */
function keyDescription(key: ApiKey): string {
  const { label, addresses, expiresAtMs } = key;
  return [
    JSON.stringify(label),
    scopesOf(key).join(" "),
    addresses.length === 0 ? "from anywhere" : `from ${addresses.join(" ")}`,
    expiresAtMs === null ? "for ever" : `until ${new Date(expiresAtMs).toISOString()}`,
  ].join(", ");
}

import { createHash } from "node:crypto";
import type { Chance, Clock, Log, RepeatableCall } from "@propgate/base";
import { makeSecret, OPERATOR_TOKEN_PREFIX, secretForm } from "@propgate/contract";
import { type UnixMs, unixMs } from "@propgate/core";
import type { Database } from "@propgate/ledger";
import {
  createOperatorTokenStore,
  type OperatorToken,
  type OperatorTokenStore,
  type StoredOperatorToken,
} from "../storage/operator-token-store.ts";

/** An operator token to create. */
export interface NewOperatorToken {
  readonly name: string;
  readonly createdBy: string;
  readonly lifeMs: number;
  /** The name of the token whose writes the new token may repeat; null or absent for none. */
  readonly succeeds?: string | null;
}

/** The token of a call. It may repeat the writes of all tokens with the same `keySpace`. */
export interface TokenIdentity {
  readonly name: string;
  readonly keySpace: string;
}

/** The named tokens of the operator's interface. Every change is durable when its method resolves. */
export interface OperatorTokens {
  /**
   * Adds a token and returns it with its secret. `taken` when a token has or had the name, `full` when the maximum
   * number of tokens is in force, `unknown` when no token has or had the name `succeeds`.
   */
  add(
    token: NewOperatorToken,
    act?: RepeatableCall | null,
  ): Promise<
    { readonly added: OperatorToken; readonly secret: string } | "taken" | "full" | "unknown"
  >;
  /** All tokens by name, including expired and revoked ones. */
  list(): Promise<readonly OperatorToken[]>;
  /** Revokes a token. False when there is no such token, or it is already revoked. */
  revoke(name: string): Promise<boolean>;
  isRevoked(name: string): Promise<boolean>;
  /** The token in force with this value, whose use from this address is recorded; null when there is none. */
  find(text: string, address: string): Promise<TokenIdentity | null>;
}

/** Maximum number of tokens in force. */
export const OPERATOR_TOKENS_MAX = 100;
/** Maximum delay until another node sees a new or revoked token. */
const REREAD_INTERVAL_MS = 1_000;
/** A use is recorded only when the last recorded one is at least this old. */
const USE_RECORD_INTERVAL_MS = 60_000;
const TOKEN_BYTES = 32;

/** Makes the text of a token: its prefix, 256 random bits in url-safe characters, and a checksum. */
export function generateOperatorToken(chance: Chance): string {
  const random = Buffer.from(chance.bytes(TOKEN_BYTES)).toString("base64url");
  return makeSecret(OPERATOR_TOKEN_PREFIX, random);
}

export function createOperatorTokens(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}): OperatorTokens {
  const { database, clock, chance, log } = options;
  const store = createOperatorTokenStore(database);
  const known = createTokenCache((now) => store.listActive(now), clock);
  const notedAtMs = new Map<string, UnixMs>();

  const noteUse = async (name: string, from: string): Promise<void> => {
    const atMs = clock.now();
    const last = notedAtMs.get(name);
    if (last !== undefined && Math.abs(atMs - last) < USE_RECORD_INTERVAL_MS) return;
    notedAtMs.set(name, atMs);
    try {
      await store.recordUse(name, { atMs, from });
    } catch (cause) {
      log.error({ err: cause, name }, "the last use of an operator token was not stored");
    }
  };

  return {
    async add({ name, createdBy, lifeMs, succeeds = null }, act = null) {
      const secret = generateOperatorToken(act?.chance("operator token") ?? chance);
      const createdAtMs = clock.now();
      const added: OperatorToken = {
        name,
        createdBy,
        createdAtMs,
        expiresAtMs: unixMs(createdAtMs + lifeMs),
        revokedAtMs: null,
        lastUsedAtMs: null,
        lastUsedFrom: null,
      };
      const token = { ...added, tokenHash: hashOf(secret), keySpace: name };
      const result = await database.transaction(async (transaction) => {
        const within = createOperatorTokenStore(transaction);
        await within.lock();
        return addInTransaction(within, token, { succeeds, isRepeat: act?.isRepeat === true });
      });
      known.forget();
      return typeof result === "string" ? result : { added: tokenLine(result), secret };
    },
    list: () => store.list(),
    async revoke(name) {
      const isRevoked = await store.revoke(name, clock.now());
      known.forget();
      return isRevoked;
    },
    isRevoked: async (name) => (await store.find(name))?.revokedAtMs != null,
    async find(text, address) {
      // Mistyped tokens, and most guesses, have a wrong checksum and cost no hash and no query.
      if (secretForm(text, OPERATOR_TOKEN_PREFIX) !== "right") return null;
      const token = (await known.read()).get(hexOf(hashOf(text)));
      if (token === undefined || token.expiresAtMs <= clock.now()) return null;
      await noteUse(token.name, address);
      return { name: token.name, keySpace: token.keySpace };
    },
  };
}

/** The name of the root token. It stays the same when the token's value changes. */
export const ROOT_TOKEN_NAME = "root";

async function addInTransaction(
  tokens: OperatorTokenStore,
  token: StoredOperatorToken,
  how: { readonly succeeds: string | null; readonly isRepeat: boolean },
): Promise<OperatorToken | "taken" | "full" | "unknown"> {
  const before = how.isRepeat ? await tokens.find(token.name) : null;
  if (before !== null && hexOf(before.tokenHash) === hexOf(token.tokenHash)) return before;
  const keySpace = await keySpaceOf(tokens, how.succeeds ?? token.name, token.name);
  if (keySpace === null) return "unknown";
  if ((await tokens.listActive(token.createdAtMs)).length >= OPERATOR_TOKENS_MAX) return "full";
  return (await tokens.insert({ ...token, keySpace })) ? token : "taken";
}

/**
 * The key space of the new token: its own name, or the key space of the token that it succeeds. That is `root` for the
 * root token. Null when no named token has or had the name `succeeds`.
 */
async function keySpaceOf(
  tokens: OperatorTokenStore,
  succeeds: string,
  name: string,
): Promise<string | null> {
  if (succeeds === name || succeeds === ROOT_TOKEN_NAME) return succeeds;
  return (await tokens.find(succeeds))?.keySpace ?? null;
}

function tokenLine(token: OperatorToken): OperatorToken {
  const { name, createdBy, createdAtMs, expiresAtMs } = token;
  const { revokedAtMs, lastUsedAtMs, lastUsedFrom } = token;
  return { name, createdBy, createdAtMs, expiresAtMs, revokedAtMs, lastUsedAtMs, lastUsedFrom };
}

/**
 * The tokens in force by their hashes. They are read again after a second, so guesses cost the database at most one
 * query a second.
 */
function createTokenCache(
  readActive: (now: UnixMs) => Promise<readonly StoredOperatorToken[]>,
  clock: Clock,
) {
  type ByHash = ReadonlyMap<string, StoredOperatorToken>;
  let reading: { readonly atMs: UnixMs; readonly tokens: Promise<ByHash> } | null = null;

  const start = (atMs: UnixMs): Promise<ByHash> => {
    const tokens = readActive(atMs).then(
      (active) => new Map(active.map((token) => [hexOf(token.tokenHash), token])),
    );
    const mine = { atMs, tokens };
    reading = mine;
    tokens.catch(() => {
      if (reading === mine) reading = null;
    });
    return tokens;
  };

  return {
    read(): Promise<ByHash> {
      const now = clock.now();
      const isFresh = reading !== null && Math.abs(now - reading.atMs) < REREAD_INTERVAL_MS;
      return reading !== null && isFresh ? reading.tokens : start(now);
    },
    /** Makes the next call read again. Call it after a change on this node, which then sees the change immediately. */
    forget(): void {
      reading = null;
    },
  };
}

function hashOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

function hexOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex");
}

import { argon2, timingSafeEqual } from "node:crypto";
import { type Chance, createSlots } from "@propgate/base";

/** The cost of a password check. Every stored hash contains its cost, so the cost of new ones can be raised. */
export interface PasswordCost {
  readonly memoryKib: number;
  readonly passes: number;
}

/** The cost of new hashes: 64 MiB of memory, in three passes. */
export const PASSWORD_COST: PasswordCost = { memoryKib: 64 * 1024, passes: 3 };

const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** One check at a time: a flood of sign-ins takes 64 MiB and one processor at most. */
const CONCURRENT_MAX = 1;
/**
 * Maximum number of waiting checks, about ten seconds of work. Beyond it a sign-in is refused and must be retried
 * later.
 */
const WAITING_MAX = 64;

/** Hashes passwords and checks them against hashes, one at a time. */
export interface Passwords {
  /**
   * The hash of a password to store: `$argon2id$v=19$m=65536,t=3,p=1$salt$key`. Null when too many checks are waiting.
   */
  hash(password: string): Promise<string | null>;
  /**
   * Whether the password is that of the stored hash. When `stored` is null, it does the same work and returns false.
   * Null when too many checks are waiting.
   */
  matches(stored: string | null, password: string): Promise<boolean | null>;
  /** True for a hash whose cost is not the present one. */
  isOutdated(stored: string): boolean;
}

export function createPasswords(options: {
  readonly chance: Chance;
  readonly cost?: PasswordCost;
}): Passwords {
  const cost = options.cost ?? PASSWORD_COST;
  const slots = createSlots(CONCURRENT_MAX);
  const inTurn = async <Value>(derivation: () => Promise<Value>): Promise<Value | null> =>
    slots.waiting() >= WAITING_MAX ? null : slots.run(derivation);
  return {
    hash: (password) =>
      inTurn(async () => {
        const salt = Buffer.from(options.chance.bytes(SALT_BYTES));
        return formatHash(cost, salt, await deriveKey(password, salt, cost));
      }),
    matches(stored, password) {
      const known = stored === null ? createUnmatchableHash(cost) : parseHash(stored);
      return inTurn(async () => {
        const key = await deriveKey(password, known.salt, known.cost);
        return timingSafeEqual(key, known.key) && stored !== null;
      });
    },
    isOutdated(stored) {
      const { memoryKib, passes } = parseHash(stored).cost;
      return memoryKib !== cost.memoryKib || passes !== cost.passes;
    },
  };
}

interface ParsedHash {
  readonly cost: PasswordCost;
  readonly salt: Buffer;
  readonly key: Buffer;
}

/** A hash that no password matches. It is checked for an unknown name, so that the duration reveals nothing. */
const createUnmatchableHash = (cost: PasswordCost): ParsedHash => ({
  cost,
  salt: Buffer.alloc(SALT_BYTES),
  key: Buffer.alloc(KEY_BYTES),
});

/** Derives the key of a password. Characters are normalized first, so that every keyboard gives the same password. */
function deriveKey(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
  const parameters = {
    message: password.normalize("NFKC"),
    nonce: salt,
    parallelism: 1,
    tagLength: KEY_BYTES,
    memory: cost.memoryKib,
    passes: cost.passes,
  };
  return new Promise((resolve, reject) => {
    argon2("argon2id", parameters, (cause, key) => {
      if (cause === null) resolve(key);
      else reject(cause);
    });
  });
}

function formatHash({ memoryKib, passes }: PasswordCost, salt: Buffer, key: Buffer): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(key)}`;
}

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]{43})$/;

function parseHash(stored: string): ParsedHash {
  const [, memory, passes, salt = "", key = ""] = FORM.exec(stored) ?? [];
  if (memory === undefined) throw new Error("a stored password has an unknown form");
  return {
    cost: { memoryKib: Number(memory), passes: Number(passes) },
    salt: Buffer.from(salt, "base64"),
    key: Buffer.from(key, "base64"),
  };
}

function toUnpaddedBase64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

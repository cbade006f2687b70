import { argon2, timingSafeEqual } from "node:crypto";
import type { Chance } from "../random.ts";

/** What one check costs; it stands in every stored password, so it can grow. */
export interface PasswordWork {
  readonly memoryKib: number;
  readonly passes: number;
}

export const PASSWORD_WORK: PasswordWork = { memoryKib: 64 * 1024, passes: 3 };

const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** With 64 MiB each, this is what a flood of sign-ins can take at most. */
const AT_ONCE = 2;
/** About ten seconds of work: who comes later is better told to try again. */
const WAITING_MAX = 64;

export interface Passwords {
  /** The text to keep: `$argon2id$v=19$m=65536,t=3,p=1$salt$key`. Null: too many at once. */
  hash(password: string): Promise<string | null>;
  /** `stored` null: the same work, and false. Null: too many at once. */
  matches(stored: string | null, password: string): Promise<boolean | null>;
  /** True for what was made with other work than is asked for today. */
  isOutdated(stored: string): boolean;
}

export function createPasswords(need: {
  readonly chance: Chance;
  readonly work?: PasswordWork;
}): Passwords {
  const work = need.work ?? PASSWORD_WORK;
  const inTurn = turns();
  return {
    hash: (password) =>
      inTurn(async () => {
        const salt = Buffer.from(need.chance.bytes(SALT_BYTES));
        return written(work, salt, await derive(password, salt, work));
      }),
    matches(stored, password) {
      const known = stored === null ? NOBODYS(work) : parsed(stored);
      return inTurn(async () => {
        const key = await derive(password, known.salt, known.work);
        return timingSafeEqual(key, known.key) && stored !== null;
      });
    },
    isOutdated(stored) {
      const { memoryKib, passes } = parsed(stored).work;
      return memoryKib !== work.memoryKib || passes !== work.passes;
    },
  };
}

interface Known {
  readonly work: PasswordWork;
  readonly salt: Buffer;
  readonly key: Buffer;
}

/** Asked when there is nobody of that name, so that the time it takes tells nothing. */
const NOBODYS = (work: PasswordWork): Known => ({
  work,
  salt: Buffer.alloc(SALT_BYTES),
  key: Buffer.alloc(KEY_BYTES),
});

/** One way of writing each character, so that another keyboard types the same password. */
function derive(password: string, salt: Buffer, work: PasswordWork): Promise<Buffer> {
  const parameters = {
    message: password.normalize("NFKC"),
    nonce: salt,
    parallelism: 1,
    tagLength: KEY_BYTES,
    memory: work.memoryKib,
    passes: work.passes,
  };
  return new Promise((resolve, reject) => {
    argon2("argon2id", parameters, (cause, key) => {
      if (cause === null) resolve(key);
      else reject(cause);
    });
  });
}

function written({ memoryKib, passes }: PasswordWork, salt: Buffer, key: Buffer): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$${unpadded(salt)}$${unpadded(key)}`;
}

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]{43})$/;

function parsed(stored: string): Known {
  const [, memory, passes, salt = "", key = ""] = FORM.exec(stored) ?? [];
  if (memory === undefined) throw new Error("a stored password is not as this release writes it");
  return {
    work: { memoryKib: Number(memory), passes: Number(passes) },
    salt: Buffer.from(salt, "base64"),
    key: Buffer.from(key, "base64"),
  };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

type InTurn = <Value>(work: () => Promise<Value>) => Promise<Value | null>;

/** A few at once, the next ones in their order, and no endless queue: null for who finds it full. */
function turns(): InTurn {
  let working = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (working >= AT_ONCE) {
      if (waiting.length >= WAITING_MAX) return null;
      // Whoever ends hands its turn over, so the count stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      working += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) working -= 1;
      else next();
    }
  };
}

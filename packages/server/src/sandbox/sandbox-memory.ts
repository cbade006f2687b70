import type { FirstKey } from "@propgate/access";
import { type UnixMs, unixMs } from "@propgate/core";
import { createSettingStore, type Database } from "@propgate/ledger";

const CLOCK = "sandbox.clockMs";
const STARTS = "sandbox.starts";
const FIRST_ACCOUNT = "sandbox.first";
const OPERATOR_TOKEN = "sandbox.operatorToken";

/** The state that a sandbox keeps in its database between runs. */
export interface SandboxMemory {
  /** The saved time of the clock; null on the first start. @rule D8.sandbox */
  clockMs(): Promise<UnixMs | null>;
  saveClock(atMs: UnixMs): Promise<void>;
  /** Counts this start and returns the number of starts before it, so that seeded chance does not repeat ids. */
  countStart(): Promise<number>;
  /** The account and key of the ready line, which stay the same after a restart; null on the first start. */
  loadFirst(): Promise<FirstKey | null>;
  saveFirst(first: FirstKey): Promise<void>;
  /** The operator's root token: `fresh` on the first start, and the same token on every later one. */
  operatorToken(fresh: string): Promise<string>;
}

export function createSandboxMemory(database: Database): SandboxMemory {
  const settings = createSettingStore(database);
  return {
    async clockMs() {
      const saved = await settings.get(CLOCK);
      return saved === null ? null : unixMs(Number(saved));
    },
    saveClock: (atMs) => settings.set(CLOCK, String(atMs)),
    async countStart() {
      const before = Number((await settings.get(STARTS)) ?? "0");
      await settings.set(STARTS, String(before + 1));
      return before;
    },
    async loadFirst() {
      const saved = await settings.get(FIRST_ACCOUNT);
      return saved === null ? null : readFirst(JSON.parse(saved));
    },
    saveFirst: (first) => settings.set(FIRST_ACCOUNT, JSON.stringify(first)),
    operatorToken: (fresh) => settings.setOnce(OPERATOR_TOKEN, fresh),
  };
}

function readFirst(saved: unknown): FirstKey {
  if (typeof saved === "object" && saved !== null) {
    const { accountId, keyId, secret } = { accountId: null, keyId: null, secret: null, ...saved };
    if (typeof accountId === "string" && typeof keyId === "string" && typeof secret === "string") {
      return { accountId, keyId, secret };
    }
  }
  throw new Error(`the setting ${FIRST_ACCOUNT} was not written by a sandbox`);
}

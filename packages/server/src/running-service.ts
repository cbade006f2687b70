import type { Role } from "@propgate/contract";
import type { Settings } from "./config.ts";

/** The service as it runs in this process. */
export interface RunningService {
  /** Where the public API answers, without a path: `http://127.0.0.1:8787`. */
  readonly baseUrl: string;
  /** The header names' brand word. */
  readonly brand: string;
  /** Where the data is, for people; never a password. */
  readonly storage: string;
  /** Where prices come from, for people. */
  readonly prices: string;
  /** The operator token's file; null when the token is configured. */
  readonly operatorTokenFile: string | null;
  /** Made by this start, because there was no account yet; its secret is shown once. */
  readonly firstKey: FirstKey | null;
  /** Of the people that this start made, because there was nobody yet: each is shown once. */
  readonly firstLinks: readonly FirstLink[];
  /** The oldest account; null while there is none. */
  readonly accountId: string | null;
  /** A pair that has a price, for an example that works; null while none has. */
  readonly examplePair: string | null;
  /** What the operator should know, a line each. */
  readonly warnings: readonly string[];
  /** Answers what has begun, then lets go of port and data. */
  stop(): Promise<void>;
}

/** How somebody gets a password: the page at `url` asks for one. It works once, for a day. */
export interface FirstLink {
  readonly name: string;
  readonly role: Role;
  readonly url: string;
}

export interface FirstKey {
  readonly accountId: string;
  readonly keyId: string;
  readonly secret: string;
}

/** Starts everything and resolves when the first request can be answered. @throws CannotStart */
export type StartService = (settings: Settings, tuning?: Tuning) => Promise<RunningService>;

/** What measurements vary; a service runs without it. */
export interface Tuning {
  /** Commands, and requests, of one transaction. */
  readonly batchMax?: number;
}

/** The service cannot start with what it was given; both texts are for whoever started it. */
export class CannotStart extends Error {
  override readonly name = "CannotStart";
  readonly fix: string | null;

  constructor(message: string, options: { readonly fix?: string; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.fix = options.fix ?? null;
  }
}

export interface SandboxSettings {
  readonly port: number;
  /** Where the clock stands at the first start; Unix milliseconds, null: now. */
  readonly startMs: number | null;
  readonly seed: string;
  readonly clock: "frozen" | "real";
  /** Null: in memory. */
  readonly dataDir: string | null;
  /** How long the network may take for one call, such as an order that hangs; in real time. */
  readonly networkTimeoutMs: number;
}

/** A sandbox as it runs in this process. */
export interface RunningSandbox {
  /** The one line that is printed when it is ready. */
  readonly ready: {
    readonly baseUrl: string;
    readonly controlUrl: string;
    readonly controlToken: string;
    readonly accountId: string;
    readonly keyId: string;
    readonly secret: string;
  };
  stop(): Promise<void>;
}

export type StartSandbox = (settings: SandboxSettings) => Promise<RunningSandbox>;

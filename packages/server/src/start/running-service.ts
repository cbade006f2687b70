import type { FirstKey } from "@propgate/access";
import type { Settings } from "@propgate/base";
import type { Role } from "@propgate/contract";
import type { OrderTimes, UpstreamLimits } from "@propgate/vanta";
import type { SandboxValidator } from "../sandbox/sandbox-validator.ts";

/** The service as it runs in this process. */
export interface RunningService {
  /** Where the public API answers, without a path: `http://127.0.0.1:8787`. */
  readonly baseUrl: string;
  /** Where the operator's interface answers, without a path: `http://127.0.0.1:8787`. */
  readonly operatorUrl: string;
  /** Where Prometheus finds the metrics; null without a listener for them. */
  readonly metricsUrl: string | null;
  /** The header names' brand word. */
  readonly brand: string;
  /** Where the data is stored, for people; without passwords. */
  readonly storage: string;
  /** Where prices come from, for people. */
  readonly prices: string;
  /** The operator token's file; null when the token is configured. */
  readonly operatorTokenFile: string | null;
  /** Set when this start opened the first account; its secret is shown once. */
  readonly firstKey: FirstKey | null;
  /** Set when this start added the first people; each link is shown once. */
  readonly firstLinks: readonly FirstLink[];
  /** The oldest account; null when there is none. */
  readonly accountId: string | null;
  /** A pair with a price, for the printed example; null when none has a price. */
  readonly examplePair: string | null;
  /** Warnings for the operator, one per line. */
  readonly warnings: readonly string[];
  /** Resolves with the reason when the service must be stopped, because it cannot go on. */
  readonly ended: Promise<Error>;
  /** Answers open requests, then releases the port and the data. */
  stop(): Promise<void>;
}

/** A link to the page at which a person chooses a password. It works once, within a day. */
export interface FirstLink {
  readonly name: string;
  readonly role: Role;
  readonly url: string;
}

/** Starts the service; resolves when it can answer requests. @throws CannotStart */
export type StartService = (settings: Settings, tuning?: Tuning) => Promise<RunningService>;

/** Parameters for benchmarks, proofs and the command line; a service runs without them. */
export interface Tuning {
  /** Takes each line of the log; standard output unless given. */
  readonly writeLog?: (line: string) => void;
  /** Commands or requests per transaction. */
  readonly batchMax?: number;
  /** Times of orders at a validator. */
  readonly orderTimes?: Partial<OrderTimes>;
  /** Bounds of the calls to a validator and its gateway. */
  readonly upstreamLimits?: Partial<UpstreamLimits>;
}

export interface SandboxSettings {
  readonly port: number;
  /** The clock's time at the first start, in Unix milliseconds; null for the present time. */
  readonly startMs: number | null;
  readonly seed: string;
  readonly clock: "frozen" | "real";
  /** Null keeps the data in memory. */
  readonly dataDir: string | null;
  /** Timeout of one call of the network, such as an order that hangs; in real time. */
  readonly networkTimeoutMs: number;
  /** A catalogue's path or name; `standard` unless given. */
  readonly catalogue?: string;
  /** A file of programs; the service's own programs when absent. */
  readonly programs?: string;
  /** The word in the header names; `Service` unless given. @rule D1.brand */
  readonly brand?: string;
  /** The network's name in texts such as the 503's; `Propgate` unless given. @rule D1.network */
  readonly networkName?: string;
  /** The validator behind it; none unless given. */
  readonly validator?: SandboxValidator;
  /** True adds the operator's interface, and its token to the ready line. */
  readonly operator?: boolean;
  /** Takes the lines of the log, errors and the operator's calls; standard output unless given. */
  readonly writeLog?: (line: string) => void;
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
    /** An account that is linked to the sandbox's validator, with its key; absent without a validator. */
    readonly linkedAccountId?: string;
    readonly linkedKeyId?: string;
    readonly linkedSecret?: string;
    /** Scheme, host and port of the operator's interface, and its root token; absent without `operator`. */
    readonly operatorUrl?: string;
    readonly operatorToken?: string;
  };
  stop(): Promise<void>;
}

export type StartSandbox = (settings: SandboxSettings) => Promise<RunningSandbox>;

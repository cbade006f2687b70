import type { FirstKey } from "@propgate/access";
import type { Settings } from "@propgate/base";
import type { Role } from "@propgate/contract";
import type { OrderTimes, UpstreamLimits } from "@propgate/vanta";
import type { SandboxValidator } from "../sandbox/sandbox-validator.ts";

/** A started service: its addresses, the texts about its start for the operator, and its stop. */
export interface RunningService {
  /** The origin of the public API, without a path: `http://127.0.0.1:8787`. */
  readonly baseUrl: string;
  /** The origin of the operator's interface, without a path: `http://127.0.0.1:8787`. */
  readonly operatorUrl: string;
  /** The address of the metrics for Prometheus; null when the service has no listener for them. */
  readonly metricsUrl: string | null;
  /** The brand, which is the word in the names of headers. */
  readonly brand: string;
  /** Describes for people where the data are stored, without passwords. */
  readonly storage: string;
  /** Describes for people where prices come from. */
  readonly prices: string;
  /** The file of the operator token; null when the settings have the token. */
  readonly operatorTokenFile: string | null;
  /** The key of the first account if this start opened it, else null. Its secret is shown once. */
  readonly firstKey: FirstKey | null;
  /** The links of the first people if this start added them, else empty. Each link is shown once. */
  readonly firstLinks: readonly FirstLink[];
  /** The id of the oldest account; null when there is none. */
  readonly accountId: string | null;
  /** A pair with a price, for the printed example; null when no pair has a price. */
  readonly examplePair: string | null;
  /** Warnings for the operator, one per line. */
  readonly warnings: readonly string[];
  /** Resolves with the reason when the service cannot continue and must be stopped. */
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

/** Starts the service, and resolves when it can answer requests. @throws CannotStart */
export type StartService = (settings: Settings, tuning?: Tuning) => Promise<RunningService>;

/** Parameters for benchmarks, proofs and the command line. A service runs without them. */
export interface Tuning {
  /** Takes each line of the log; absent for standard output. */
  readonly writeLog?: (line: string) => void;
  /** The maximum of commands, or of requests to admit, in one transaction; absent for each part's own maximum. */
  readonly batchMax?: number;
  /** The times and limits for orders at a validator that replace the usual ones. */
  readonly orderTimes?: Partial<OrderTimes>;
  /** The bounds of the calls to a validator and its gateway that replace the usual ones. */
  readonly upstreamLimits?: Partial<UpstreamLimits>;
}

/** The settings with which a sandbox starts. */
export interface SandboxSettings {
  readonly port: number;
  /** The clock's time at the first start, in Unix milliseconds; null for the present time. */
  readonly startMs: number | null;
  readonly seed: string;
  readonly clock: "frozen" | "real";
  /** The folder of the data; null keeps the data in memory. */
  readonly dataDir: string | null;
  /** The timeout of one call of the network, such as an order that hangs; in real time. */
  readonly networkTimeoutMs: number;
  /** The path or name of a catalogue; absent for `standard`. */
  readonly catalogue?: string;
  /** The path of a file of programs; absent for the service's own programs. */
  readonly programs?: string;
  /** The word in the names of headers; absent for `Service`. @rule D1.brand */
  readonly brand?: string;
  /** The network's name in texts, such as those of a 503; absent for `Propgate`. @rule D1.network */
  readonly networkName?: string;
  /** The validator behind the sandbox; absent when there is none. */
  readonly validator?: SandboxValidator;
  /** True adds the operator's address and root token to the ready line. */
  readonly operator?: boolean;
  /** Takes the lines of the log, which are errors and the operator's calls; absent for standard output. */
  readonly writeLog?: (line: string) => void;
}

/** A started sandbox: the line that says that it is ready, and its stop. */
export interface RunningSandbox {
  /** The content of the one line that is printed when the sandbox is ready. */
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
    /** The origin of the operator's interface, and its root token; absent unless `operator` is true. */
    readonly operatorUrl?: string;
    readonly operatorToken?: string;
  };
  /**
   * The time at which the sandbox continues an earlier run on its folder, in Unix milliseconds; null on the first
   * start.
   */
  readonly continuedAtMs: number | null;
  stop(): Promise<void>;
}

/** Starts a sandbox, and resolves when it can answer requests. */
export type StartSandbox = (settings: SandboxSettings) => Promise<RunningSandbox>;

import { DEFAULT_BRAND, isBrandWord, isSecretShaped, secretForm } from "@propgate/contract";
import { type Now, serviceClock, systemNow } from "./clock.ts";
import { InvalidSettingError } from "./errors.ts";
import { type NewNonce, randomNonce } from "./random.ts";
import type { RetryPlan } from "./retry.ts";
import type { Connection } from "./send.ts";

/** The settings of `createClient`: the address of the service, the key, the time limits, and how the client sends. */
export interface ClientSettings {
  /** The service's address without a path, such as `https://trade.example.com`. */
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  /** The brand word in the header names; `Service` when absent. */
  readonly brand?: string;
  /** The time limit of one request in milliseconds; 10 s when absent. */
  readonly timeoutMs?: number;
  /**
   * The time limit of `placeOrder` and of `settle` in milliseconds, with all their requests and waits; 18 s when
   * absent. At the limit they resolve with `unknown` and the nonce. @rule D10.settleDeadline
   */
  readonly settleTimeoutMs?: number;
  /**
   * When true, an order with an unknown field, or one that the service would reject in every market, throws
   * InvalidOrderError before it is sent. A stop or target that was not attached throws MissingLegError. False when
   * absent.
   */
  readonly strict?: boolean;
  /** How reads are repeated; `{ attempts: 1 }` never repeats one. Orders are never repeated. */
  readonly retry?: Partial<RetryPlan>;
  /** The waits between the attempts to find out an order's fate, which last until `settleTimeoutMs`. */
  readonly settling?: Partial<RetryPlan>;
  /** The clock for timestamps, in milliseconds since the Unix epoch; this machine's when absent. */
  readonly now?: Now;
  /** Makes a nonce that the key has never used. Its characters must be valid in a path. Random nonces when absent. */
  readonly newNonce?: NewNonce;
  readonly fetch?: typeof globalThis.fetch;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** With this limit a program such as the command line, which must end within 20 s, has 2 s left to start. */
const DEFAULT_SETTLE_TIMEOUT_MS = 18_000;
/** The longest time that a timer holds. With a longer one it would fire immediately. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Checks the settings and adds the defaults. Throws InvalidSettingError for an invalid one. */
export function connectionOf(settings: ClientSettings): Connection {
  return {
    baseUrl: readBaseUrl(settings.baseUrl),
    keyId: readKeyId(settings.keyId),
    secret: readSecret(settings.secret),
    brand: readBrand(settings.brand ?? DEFAULT_BRAND),
    timeoutMs: readTimeout("timeoutMs", settings.timeoutMs, DEFAULT_TIMEOUT_MS),
    signal: null,
    clock: serviceClock(settings.now ?? systemNow),
    newNonce: settings.newNonce ?? randomNonce,
    fetch: settings.fetch ?? globalThis.fetch,
  };
}

/**
 * The time limit of calls that place or settle an order, in milliseconds. Throws InvalidSettingError for an invalid
 * one.
 */
export function settleTimeoutOf({ settleTimeoutMs }: ClientSettings): number {
  return readTimeout("settleTimeoutMs", settleTimeoutMs, DEFAULT_SETTLE_TIMEOUT_MS);
}

/**
 * `given` when it is a number of milliseconds that a timer can hold, or `fallback` when `given` is undefined. Throws
 * InvalidSettingError for any other value.
 */
export function readTimeout(name: string, given: unknown, fallback: number): number {
  if (given === undefined) return fallback;
  if (typeof given === "number" && given > 0 && given <= LONGEST_TIMEOUT_MS) return given;
  throw new InvalidSettingError(
    name,
    `must be milliseconds above 0, at most ${LONGEST_TIMEOUT_MS}`,
  );
}

/**
 * The origin of an address. Throws InvalidSettingError for text that is not an http or https address, and for an
 * address with more than an origin, because the rest would not be used.
 */
export function readBaseUrl(given: unknown): string {
  const text = readText("baseUrl", given);
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new InvalidSettingError(
      "baseUrl",
      "must be an http or https URL, such as http://127.0.0.1:8787",
    );
  }
  const { origin, username, password, pathname, search, hash } = new URL(text);
  if (username !== "" || password !== "") {
    throw new InvalidSettingError("baseUrl", "must not contain a user name or password");
  }
  if (pathname !== "/" || search !== "" || hash !== "" || /[?#]$/.test(text)) {
    throw new InvalidSettingError("baseUrl", `must have no path or query, such as ${origin}`);
  }
  return origin;
}

/** The key's id. Rejects a secret that was given instead of the id. @rule D10.secretAsId */
function readKeyId(given: unknown): string {
  const text = readText("keyId", given);
  if (isSecretShaped(text)) {
    throw new InvalidSettingError("keyId", "looks like a secret: id and secret are swapped");
  }
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new InvalidSettingError("keyId", "must be printable ASCII without spaces or line breaks");
}

/** The secret. Rejects one whose checksum does not match. @rule D10.secretForm */
function readSecret(given: unknown): string {
  const text = readText("secret", given);
  if (/\s/.test(text)) {
    throw new InvalidSettingError("secret", "must have no spaces or line breaks");
  }
  if (secretForm(text) === "wrong") {
    throw new InvalidSettingError(
      "secret",
      "was copied incompletely or mistyped: its checksum does not match",
    );
  }
  return text;
}

function readBrand(given: unknown): string {
  const text = readText("brand", given);
  if (isBrandWord(text)) return text;
  throw new InvalidSettingError(
    "brand",
    "must be a word that is valid in a header name, such as Service",
  );
}

function readText(name: string, given: unknown): string {
  if (typeof given !== "string")
    throw new InvalidSettingError(name, "is required and must be a string");
  if (given === "") throw new InvalidSettingError(name, "is empty");
  return given;
}

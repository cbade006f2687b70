import type { Instrument, Instruments } from "../market/instrument.ts";
import type { AccountState } from "../state/account.ts";
import type { Command } from "../state/command.ts";
import type { Terms } from "../state/terms.ts";
import type { Sha256 } from "./sha256.ts";

/** Identifies the catalogue and the terms of a decision: 12 bytes of SHA-256, 16 characters of base64url. */
export interface InputHashes {
  catalogue(instruments: Instruments): string;
  /** Hashes the account's terms before the decision, or the terms of the command that opens it; empty without terms. */
  program(before: AccountState | null, command: Command): string;
}

/** Hashes each catalogue and each terms object once. */
export function createInputHashes(sha256: Sha256): InputHashes {
  const known = new WeakMap<object, string>();
  const hashOf = (key: object, text: () => string): string => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = inputHash(sha256, text());
    known.set(key, made);
    return made;
  };
  return {
    catalogue: (instruments) => hashOf(instruments, () => catalogueText(instruments)),
    program(before, command) {
      const opened = command.type === "openAccount" ? command.terms : null;
      const terms = before?.terms ?? opened;
      return terms === null ? "" : hashOf(terms, () => termsText(terms));
    },
  };
}

const HASH_BYTES = 12;

/** The hash of a text in the form that inputs name. */
export function inputHash(sha256: Sha256, text: string): string {
  return base64Url(sha256(text).subarray(0, HASH_BYTES));
}

/**
 * All instruments in order, as JSON whose keys are sorted. Sets and maps are `{"set": […]}` and `{"map": […]}`. The
 * catalogue's hash covers exactly this text.
 */
export function catalogueText(instruments: Instruments): string {
  return sortedJson([...instruments.values()]);
}

/** The terms as JSON whose keys are sorted. The hash of the terms covers exactly this text. */
export function termsText(terms: Terms): string {
  return sortedJson(terms);
}

/** The instruments of `catalogueText`. */
export function parseCatalogue(text: string): Instruments {
  const list = JSON.parse(text, (_key, inner: unknown) => {
    if (typeof inner !== "object" || inner === null) return inner;
    if ("set" in inner && Array.isArray(inner.set)) return new Set(inner.set);
    return "map" in inner && Array.isArray(inner.map) ? new Map(inner.map) : inner;
  }) as readonly Instrument[];
  return new Map(list.map((instrument) => [instrument.id, instrument]));
}

/** Equal values give equal texts, in any order of their keys. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner instanceof Set) return { set: [...inner] };
    if (inner instanceof Map) return { map: [...inner] };
    return typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner;
  });
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** For a number of bytes that is divisible by three. */
function base64Url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    for (const shift of [18, 12, 6, 0]) text += DIGITS.charAt((three >> shift) & 63);
  }
  return text;
}

import type { Instrument, Instruments } from "../market/instrument.ts";
import type { AccountState } from "../state/account.ts";
import type { Command } from "../state/command.ts";
import type { Terms } from "../state/terms.ts";
import type { Sha256 } from "./sha256.ts";

/**
 * Makes the hashes that identify the catalogue and the terms of a decision: 12 bytes of SHA-256 as 16 characters of
 * base64url.
 */
export interface InputHashes {
  catalogue(instruments: Instruments): string;
  /**
   * The hash of the account's terms before the decision, or of the command's terms when it opens the account. Empty
   * when there are neither.
   */
  program(before: AccountState | null, command: Command): string;
}

/** The hashes of inputs. Each catalogue and each terms object is hashed only once. */
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

/** The hash that identifies a text among the inputs of a decision: 12 bytes of SHA-256 in base64url. */
export function inputHash(sha256: Sha256, text: string): string {
  return base64Url(sha256(text).subarray(0, HASH_BYTES));
}

/**
 * All instruments in the order of the catalogue, as JSON whose keys are sorted. A set is `{"set": […]}` and a map
 * `{"map": […]}`. The hash of the catalogue covers exactly this text.
 */
export function catalogueText(instruments: Instruments): string {
  return sortedJson([...instruments.values()]);
}

/** The terms as JSON whose keys are sorted. The hash of the terms covers exactly this text. */
export function termsText(terms: Terms): string {
  return sortedJson(terms);
}

/** Reads a text of `catalogueText`. */
export function parseCatalogue(text: string): Instruments {
  const list = JSON.parse(text, (_key, inner: unknown) => {
    if (typeof inner !== "object" || inner === null) return inner;
    if ("set" in inner && Array.isArray(inner.set)) return new Set(inner.set);
    return "map" in inner && Array.isArray(inner.map) ? new Map(inner.map) : inner;
  }) as readonly Instrument[];
  return new Map(list.map((instrument) => [instrument.id, instrument]));
}

/** JSON with sorted keys, so that equal values have equal texts in any order of their keys. */
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

/** The base64url text of the bytes. Their number must be divisible by three. */
function base64Url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    for (const shift of [18, 12, 6, 0]) text += DIGITS.charAt((three >> shift) & 63);
  }
  return text;
}

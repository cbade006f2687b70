import { readAddressBlocks } from "../address-block.ts";
import { type ListenAddress, parseListenAddress } from "../listen-address.ts";
import { databaseAddressProblem } from "./database-address.ts";

/**
 * Parsers of the values of settings. A problem continues a sentence that begins with the name of the setting: "must be
 * …".
 */

/** Accepts any text. */
export function parseAnyText(value: string): { readonly value: string } {
  return { value };
}

/** Parses an http or https address without a user, path, query or fragment, and returns its origin. */
export function parseWebOrigin(
  value: string,
): { readonly value: string } | { readonly problem: string } {
  const url = URL.parse(value);
  const isOrigin = /^https?:\/\/[^/?#@\\]+\/?$/i.test(value) && url !== null && url.host !== "";
  return isOrigin
    ? { value: url.origin }
    : { problem: "must be an http or https address without a path" };
}

/**
 * Parses the origin of a server to which the service sends a key: https, or http for a loopback address. The text may
 * contain a password, so no problem repeats it.
 */
export function parseUpstreamOrigin(
  value: string,
): { readonly value: string } | { readonly problem: string } {
  const read = parseWebOrigin(value);
  const url = "value" in read ? new URL(read.value) : null;
  return url !== null && (url.protocol === "https:" || isLoopback(url.hostname))
    ? { value: url.origin }
    : {
        problem:
          "must be an https address without user, path, query or fragment; http only for a loopback address",
      };
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** Parses `host:port` or `[IPv6]:port`. */
export function parseListenSetting(
  value: string,
): { readonly value: ListenAddress } | { readonly problem: string } {
  const address = parseListenAddress(value);
  return address === null
    ? { problem: `must be host:port or [IPv6]:port, not "${value}"` }
    : { value: address };
}

/** Parses addresses and CIDR blocks separated by commas. */
export function parseAddressBlocks(
  list: string,
): { readonly value: readonly string[] } | { readonly problem: string } {
  const given = listItems(list);
  const read = readAddressBlocks(given);
  if ("blocks" in read) return { value: read.blocks };
  return {
    problem: `must be addresses or CIDR blocks separated by commas; ${given[read.index]} ${read.problem}`,
  };
}

/** Parses a percentage from 0 to 100 with at most six decimals. */
export function parsePercentage(
  value: string,
): { readonly value: number } | { readonly problem: string } {
  const percent = Number(value);
  return /^\d{1,3}(\.\d{1,6})?$/.test(value) && percent <= 100
    ? { value: percent }
    : { problem: "must be a number from 0 to 100" };
}

/** The items of a comma-separated list, without empty ones. */
export function listItems(list: string): readonly string[] {
  return list
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}

/** An origin that replaces the origin of the price source `name`. */
export interface NamedOrigin {
  readonly name: string;
  readonly origin: string;
}

/** Parses `name=origin`, several separated by commas; each name may occur once. */
export function parseNamedOrigins(
  list: string,
): { readonly value: readonly NamedOrigin[] } | { readonly problem: string } {
  const value: NamedOrigin[] = [];
  for (const item of listItems(list)) {
    const [, name = "", text = ""] = /^([a-z][a-z0-9-]*)=(.*)$/.exec(item) ?? [];
    const read = parseWebOrigin(text);
    if (name === "" || "problem" in read) {
      return { problem: `must be NAME=ORIGIN separated by commas; "${item}" is not` };
    }
    if (value.some((one) => one.name === name)) return { problem: `names ${name} twice` };
    value.push({ name, origin: read.value });
  }
  return { value };
}

/** Checks the URL of a database, which it returns unchanged. */
export function parseDatabaseUrl(
  value: string,
): { readonly value: string } | { readonly problem: string } {
  const problem = databaseAddressProblem(value);
  return problem === null ? { value } : { problem };
}

/** Parses a decimal number above 0. */
export function parsePositiveNumber(
  value: string,
): { readonly value: number } | { readonly problem: string } {
  const number = Number(value);
  return /^\d+(\.\d+)?$/.test(value) && number > 0
    ? { value: number }
    : { problem: `must be a number above 0, not "${value}"` };
}

/** Parses `true`, `1`, `false` or `0`. */
export function parseYesOrNo(
  value: string,
): { readonly value: boolean } | { readonly problem: string } {
  if (value === "true" || value === "1") return { value: true };
  if (value === "false" || value === "0") return { value: false };
  return { problem: `must be true or false, not "${value}"` };
}

/** Makes a parser of whole numbers from `min` to `max`, both included. */
export function wholeNumberParser(min: number, max: number) {
  return (value: string): { readonly value: number } | { readonly problem: string } => {
    const number = Number(value);
    return /^\d+$/.test(value) && number >= min && number <= max
      ? { value: number }
      : { problem: `must be a whole number from ${min} to ${max}, not "${value}"` };
  };
}

/** Makes a parser that accepts every text that the pattern matches, and otherwise returns this problem. */
export function patternParser(pattern: RegExp, problem: string) {
  return (value: string): { readonly value: string } | { readonly problem: string } =>
    pattern.test(value) ? { value } : { problem };
}

/** Makes a parser that accepts one of these words. */
export function wordParser<const Word extends string>(words: readonly Word[]) {
  return (value: string): { readonly value: Word } | { readonly problem: string } => {
    const word = words.find((one) => one === value);
    return word === undefined ? { problem: `must be ${words.join(" or ")}` } : { value: word };
  };
}

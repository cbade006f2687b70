import { memberOf } from "../../../../market/src/prices/venues/ccxt/member-of.ts";

/**
 * The JSON value of a client's message; null for a text that is not valid JSON. The functions of this file check
 * messages as strictly as real venues do.
 */

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function textIn(value: unknown, name: string): string {
  const found = memberOf(value, name);
  return typeof found === "string" ? found : "";
}

export function textsIn(value: unknown, name: string): readonly string[] {
  const found = memberOf(value, name);
  return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
}

export function listIn(value: unknown, name: string): readonly unknown[] {
  const found = memberOf(value, name);
  return Array.isArray(found) ? found : [];
}

export function isoOf(atMs: number): string {
  return new Date(atMs).toISOString();
}

import { memberOf } from "../../../../market/src/prices/venues/ccxt/member-of.ts";

/** Readers of a client's messages, which local venues trust as little as real ones. */

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

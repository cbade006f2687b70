import { isIP } from "node:net";
import { type AddressRules, hasPublicForm, portOf } from "./address-rules.ts";
import { type AddressReach, addressReach } from "./callable-address.ts";

/** A judged address. `message` is to be shown after the name of the field: `must use https`. */
export type WebhookAddress =
  | { readonly ok: true; readonly url: URL }
  | {
      readonly ok: false;
      readonly code: "invalid" | "address_refused";
      readonly message: string;
    };

export const WEBHOOK_ADDRESS_LENGTH_MAX = 2048;
const SHOWN_CHARACTERS = 4;

/** Names of metadata services. They are listed because some networks answer them with a public address. */
const METADATA_NAMES: ReadonlySet<string> = new Set(["metadata.google.internal", "metadata.goog"]);

/**
 * Judges an address when it is saved, and again at each call. Names are not looked up here; `isCallable` judges their
 * addresses for each connection. The code is `invalid` for a text that is not a URL or is too long, and
 * `address_refused` for a URL that may not be called.
 */
export function parseWebhookAddress(text: string, rules: AddressRules): WebhookAddress {
  // Whitespace, control characters and backslashes are not allowed in a URL, and programs disagree about their meaning.
  const url = /[\s\p{Cc}\\]/u.test(text) ? null : URL.parse(text);
  if (url === null || url.href.length > WEBHOOK_ADDRESS_LENGTH_MAX) {
    const message = `must be a URL of at most ${WEBHOOK_ADDRESS_LENGTH_MAX} characters, such as https://example.com/hooks`;
    return { ok: false, code: "invalid", message };
  }
  const message = formProblem(url) ?? targetProblem(url, rules);
  return message === null ? { ok: true, url } : { ok: false, code: "address_refused", message };
}

/**
 * An address as answers and logs show it: `https://example.com/…9f2c`. Path and query may be a secret, so only their
 * last four characters are shown.
 */
export function maskAddress({ protocol, host, pathname, search }: URL): string {
  const rest = `${pathname}${search}`.slice(1);
  return `${protocol}//${host}/${rest === "" ? "" : `…${rest.slice(-SHOWN_CHARACTERS)}`}`;
}

/** The host in the form that sockets and lookups need: an IPv6 address without brackets. */
export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function formProblem({ protocol, username, password, href }: URL): string | null {
  if (protocol !== "https:" && protocol !== "http:") return "must use https";
  if (username !== "" || password !== "") return "must not contain a user or a password";
  return href.includes("#") ? "must not have a fragment" : null;
}

function targetProblem(url: URL, rules: AddressRules): string | null {
  const reach = hostReach(url);
  if (reach === "never" || portOf(url) === 0) {
    return "must not be a metadata service or a reserved address";
  }
  if (reach === "private" && !rules.allowsPrivate) return "must not be a private address";
  if (hasPublicForm(url, rules) || (reach !== "public" && rules.allowsPrivate)) return null;
  return url.protocol === "https:"
    ? `must use one of the ports ${[...rules.ports].join(", ")}`
    : "must use https";
}

/**
 * The reach of a literal address, of a metadata service's name or of `localhost`; null for a name that has to be looked
 * up.
 */
function hostReach(url: URL): AddressReach | null {
  const host = bareHost(url);
  if (isIP(host) !== 0) return addressReach(host);
  const name = host.replace(/\.$/, "");
  if (METADATA_NAMES.has(name)) return "never";
  return /(^|\.)localhost$/.test(name) ? "private" : null;
}

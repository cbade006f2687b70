import { createHash, createHmac } from "node:crypto";
import {
  authHeaders,
  canonicalString,
  DEFAULT_BRAND,
  isRecord,
  isSecretShaped,
  PATH_PREFIX,
  secretForm,
  signatureHeader,
} from "@propgate/contract";
import { randomNonce } from "@propgate/sdk";
import { ccxtError, type ExchangeContext } from "./ccxt-module.ts";

/** The arguments of ccxt's `sign`, unchanged. */
export interface SignArguments {
  readonly path: string;
  readonly api: unknown;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: unknown;
}

/** A signed request in the form in which ccxt sends it. */
export interface SignedRequest {
  readonly url: string;
  readonly method: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Signs a request by the contract, in the form that ccxt expects. A nonce in the given headers is kept, so that an
 * order has the same nonce in every attempt; otherwise the nonce is random.
 * @rule S5.canonical
 */
export function signedRequest(desk: ExchangeContext, given: SignArguments): SignedRequest {
  const { exchange } = desk;
  const { method, params } = given;
  const rest = exchange.omit(params, exchange.extractParams(given.path));
  const filled = exchange.implodeParams(given.path, params);
  const path = filled.startsWith("/") ? filled : `${PATH_PREFIX}/${filled}`;
  const query = method === "GET" ? exchange.urlencode(rest) : "";
  const target = query === "" ? path : `${path}?${query}`;
  const url = checkAddress(desk, "api") + target;
  if (given.api === "public") return { url, method, body: undefined, headers: {} };
  checkCredentials(desk);
  const body = method === "GET" ? undefined : JSON.stringify(rest);
  const content = body === undefined ? {} : { "Content-Type": "application/json" };
  const headers = { ...signatureOf(desk, { method, target, body, headers: given.headers }) };
  return { url, method, body, headers: { ...headers, ...content } };
}

/**
 * Checks key id and secret before a request is signed. The error shows neither of them.
 * @rule D10.secretAsId D10.secretForm
 */
export function checkCredentials(desk: ExchangeContext): void {
  const { exchange } = desk;
  exchange.checkRequiredCredentials();
  if (isSecretShaped(exchange.apiKey)) {
    throw ccxtError(
      desk,
      "AuthenticationError",
      "apiKey contains a secret: id and secret are swapped",
    );
  }
  if (secretForm(exchange.secret) === "wrong") {
    throw ccxtError(
      desk,
      "AuthenticationError",
      "the secret was copied incompletely or mistyped: its checksum does not match",
    );
  }
}

interface Unsigned {
  readonly method: string;
  readonly target: string;
  readonly body: string | undefined;
  readonly headers: unknown;
}

function signatureOf(
  { exchange }: ExchangeContext,
  unsigned: Unsigned,
): Readonly<Record<string, string>> {
  const { method, target, body = "" } = unsigned;
  const names = authHeaders(brandOf(exchange.options));
  const own = isRecord(unsigned.headers) ? unsigned.headers[names.nonce] : undefined;
  const nonce = typeof own === "string" ? own : randomNonce();
  const timestamp = String(exchange.nonce());
  const bodySha256 = createHash("sha256").update(body, "utf8").digest("hex");
  const canonical = canonicalString({ method, target, timestamp, nonce, bodySha256 });
  const mac = createHmac("sha256", exchange.secret).update(canonical, "utf8").digest("base64");
  return {
    [names.keyId]: exchange.apiKey,
    [names.timestamp]: timestamp,
    [names.nonce]: nonce,
    [names.signature]: signatureHeader(mac),
  };
}

/** The headers with which a request gets this nonce. */
export function nonceHeaders(
  { exchange }: ExchangeContext,
  nonce: string,
): Readonly<Record<string, string>> {
  return { [authHeaders(brandOf(exchange.options)).nonce]: nonce };
}

/** The brand word in the header names; `Service` without the option. */
export function brandOf(options: Readonly<Record<string, unknown>>): string {
  return typeof options.brand === "string" ? options.brand : DEFAULT_BRAND;
}

/**
 * The service's address without a slash at its end. Throws ArgumentsRequired without one: every firm runs its own
 * service, so there is no default.
 */
export function checkAddress(desk: ExchangeContext, field: "api" | "test"): string {
  const url: unknown = desk.exchange.urls[field];
  if (typeof url === "string" && url !== "") return url.replace(/\/+$/, "");
  throw ccxtError(
    desk,
    "ArgumentsRequired",
    `has no address: set urls.${field}, such as { urls: { ${field}: 'http://127.0.0.1:8787' } }`,
  );
}

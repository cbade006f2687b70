import { authHeaders, DEFAULT_BRAND, ENDPOINTS } from "@propgate/contract";
import type { FirstKey, RunningService } from "@propgate/server";
import { shellQuote } from "./curl-command.ts";

/**
 * The lines of a first start: the first key, and a request that a new user can paste into a shell with openssl and
 * curl.
 */
export function firstRequestLines(
  service: Pick<RunningService, "baseUrl" | "brand" | "examplePair">,
  key: FirstKey,
): readonly string[] {
  return [
    "A first account and its key, whose secret is shown only once. Paste this into another",
    "terminal to sign a request and print the account.",
    "",
    ...signedReadLines(service, key),
    "",
    "Then, from a checkout, an order:",
    "",
    `sh examples/curl/propgate-curl.sh POST ${ENDPOINTS.placeOrder.path} \\`,
    `  ${shellQuote(exampleOrder(service.examplePair ?? "BTCUSD"))}`,
  ];
}

function settingLines(
  service: Pick<RunningService, "baseUrl" | "brand">,
  key: FirstKey,
): readonly string[] {
  return [
    `export PROPGATE_KEY_ID=${shellWord(key.keyId)}`,
    `export PROPGATE_SECRET=${shellWord(key.secret)}`,
    `export PROPGATE_BASE_URL=${service.baseUrl}`,
    ...(service.brand === DEFAULT_BRAND ? [] : [`export PROPGATE_BRAND=${service.brand}`]),
  ];
}

function signedReadLines(
  service: Pick<RunningService, "baseUrl" | "brand">,
  key: FirstKey,
): readonly string[] {
  const names = authHeaders(service.brand);
  const { method, path } = ENDPOINTS.getAccount;
  return [
    ...settingLines(service, key),
    `target=${path} time=$(date +%s)000 nonce=$(openssl rand -hex 16)`,
    "body=$(printf '' | openssl dgst -sha256 -r | cut -c 1-64)",
    `signature=$(printf 'v1\\n${method}\\n%s\\n%s\\n%s\\n%s' "$target" "$time" "$nonce" "$body" |`,
    '  openssl dgst -sha256 -hmac "$PROPGATE_SECRET" -binary | openssl base64 -A)',
    `curl -sS "${service.baseUrl}$target" \\`,
    `  -H "${names.keyId}: $PROPGATE_KEY_ID" -H "${names.timestamp}: $time" \\`,
    `  -H "${names.nonce}: $nonce" -H "${names.signature}: v1=$signature"`,
  ];
}

function exampleOrder(pair: string): string {
  const trade = {
    execution_type: "MARKET",
    trade_pair: pair,
    order_type: "LONG",
    leverage: 0.1,
  };
  return JSON.stringify({ trade });
}

/** The text as one word of a shell, without quotes where that is safe, so that it is easy to read. */
function shellWord(text: string): string {
  return /^[A-Za-z0-9_.:/-]+$/.test(text) ? text : shellQuote(text);
}

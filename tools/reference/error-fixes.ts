/** The fix for each error, addressed to the client that has just received it. */
const FIXES: ReadonlyMap<string, string> = new Map([
  ["notFound", "Compare the path with the list of endpoints; a slash at the end is another path."],
  ["methodNotAllowed", "Use a method that `Allow` names."],
  ["bodyTooLarge", "Send the order alone; none needs more than a few hundred bytes."],
  [
    "missingCredentials",
    "Send all four headers with your firm's brand word in their names; make the nonce of 16 random bytes in hex.",
  ],
  ["invalidTimestamp", "Send whole milliseconds: `Date.now()`, or seconds times 1,000."],
  ["timestampInvalid", "Set the clock by NTP, or sign with the service's time."],
  [
    "invalidKey",
    "Check that the key id is complete and not revoked. Otherwise create another key.",
  ],
  [
    "decryptFailed",
    "Report it to the operator: the key was sealed with a master key that is missing.",
  ],
  [
    "badSignature",
    "`propgate verify` names the part that differs. Common mistakes: hex for base64, a body serialised twice, a missing query, a newline at the end.",
  ],
  [
    "nonceUsed",
    "Sign a read again with a fresh nonce. For an order, read the receipt of this nonce: under a fresh one it may be carried out twice.",
  ],
  ["insufficientScope", "Use a key that has the scope; the scopes of a key never change."],
  [
    "rateLimited",
    "Wait as long as `Retry-After` says. One read of the account has most of the figures.",
  ],
  ["tooManyReceipts", "Wait as long as `Retry-After` says, then try again."],
  [
    "tooManyFailedRequests",
    "Stop sending orders, fix the rejected ones, and wait as long as `Retry-After` says. Reads still work.",
  ],
  ["malformedAccountId", "Leave `accountId` out: the key belongs to one account."],
  ["differentAccount", "Leave `accountId` out, or use that account's own key."],
  ["accountNotFound", "Ask the operator what became of the account."],
  [
    "notOffered",
    "Do without it: only accounts of the service's own network have this endpoint. The six endpoints of the specification work for every account.",
  ],
  ["invalidLimit", "Send a whole number of at least 1, or leave it out."],
  ["invalidCursor", "Send `nextCursor` unchanged, or begin again without one."],
  ["invalidPairs", "Name pairs as `instruments` lists them, with commas between."],
  ["invalidCandles", "Fix the parameter that the text names."],
  ["invalidHistory", "Fix the parameter that the text names."],
  ["invalidTrades", "Pass `next` of the page before as `after`, and a `limit` of 1 to 500."],
  ["orderNotFound", "Check the id, and that the key is of the account that placed the order."],
  [
    "invalidEvents",
    "Fix the parameter that the text names. After `history differs`, read again from a sequence that you trust, or from the start.",
  ],
  [
    "tooManyStreams",
    "Close a stream of this key or account, wait as long as `Retry-After` says, then open it again.",
  ],
  ["invalidNonce", "Use the nonce as it was sent, escaped for a path."],
  ["invalidBody", "Fix the field that the text names."],
  ["missingSize", "Give exactly one of `leverage`, `value` and `quantity`."],
  ["accountNotReady", "Wait until the operator has provisioned the account."],
  ["orderRefused", "Follow the text: nothing was carried out."],
  [
    "unknownFate",
    "Do not send it again before you know its fate. Read the receipt of its nonce if there is one, otherwise positions and orders.",
  ],
  ["networkDown", "Send it again later, signed anew: it was not accepted."],
  ["notCarriedOut", "Send it again, signed anew: it was not carried out."],
  [
    "ownerChanging",
    "Wait for `Retry-After`, then send it again, signed anew; its receipt says that it was rejected.",
  ],
  ["upstreamFailed", "Try again, waiting longer each time."],
  ["snapshotUnavailable", "Try again, waiting longer each time; orders are refused meanwhile."],
  ["internal", "Retry a read. For an order, read the receipt of its nonce first."],
]);

/**
 * The fix for the error with this name. @throws when `FIXES` has none, because the readers of the error would find no
 * remedy
 */
export function errorFixOf(name: string): string {
  const fix = FIXES.get(name);
  if (fix === undefined) throw new Error(`tools/reference: ${name} has no fix in error-fixes.ts`);
  return fix;
}

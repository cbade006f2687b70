/** What to do about each error, in the words of somebody who has just received it. */
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
  ["invalidKey", "Look whether the key id is complete and not revoked; make another key."],
  ["decryptFailed", "Tell the operator: the key was sealed with a master key that is missing."],
  [
    "badSignature",
    "`propgate verify` says which part differs. Usual: hex for base64, a body serialised twice, the query left out, a newline at the end.",
  ],
  ["nonceUsed", "Make a new nonce for every request, retries too."],
  ["insufficientScope", "Use a key that has the scope; the scopes of a key never change."],
  ["rateLimited", "Wait as long as `Retry-After` says; one read of the account tells most."],
  ["tooManyReceipts", "Wait as long as `Retry-After` says, then ask again."],
  [
    "tooManyFailedRequests",
    "Stop, mend what was refused, wait as long as `Retry-After` says. Reads go on.",
  ],
  ["malformedAccountId", "Leave `accountId` out: the key knows its account."],
  ["differentAccount", "Leave `accountId` out, or use that account's own key."],
  ["accountNotFound", "Ask the operator what became of the account."],
  ["invalidLimit", "Send a whole number from 1 on, or none."],
  ["invalidCursor", "Pass `nextCursor` on as it came, or begin again without one."],
  ["invalidPairs", "Name pairs as `instruments` lists them, with commas between."],
  ["invalidNonce", "Ask for the nonce as it was sent, escaped for a path."],
  ["invalidBody", "Mend the field that the text names."],
  ["missingSize", "Give exactly one of `leverage`, `value` and `quantity`."],
  ["accountNotReady", "Wait until the operator has provisioned the account."],
  ["orderRefused", "Do what the text asks for: nothing was carried out."],
  [
    "unknownFate",
    "Do not send it again before you know: read the receipt of its nonce, where there is one, or positions and orders.",
  ],
  ["networkDown", "Send it again later, signed anew: it was not accepted."],
  ["notCarriedOut", "Send it again, signed anew: it was not carried out."],
  ["upstreamFailed", "Try again, waiting longer each time."],
  ["snapshotUnavailable", "Try again, waiting longer each time; orders are refused meanwhile."],
  ["internal", "Try a read again. Of an order read positions and orders first."],
]);

/** @throws when an error has no line here: a reader who meets it would find nothing to do. */
export function fixOf(name: string): string {
  const fix = FIXES.get(name);
  if (fix === undefined) throw new Error(`tools/reference: what is to be done about ${name}?`);
  return fix;
}

import type { ErrorName } from "./errors.ts";

/** Why an error is answered, and the id of the rule that decides it. */
export interface ErrorNote {
  /** The cause, as a sentence for documents and agents. */
  readonly cause: string;
  readonly rule: string;
}

/** The explanation of each error. Clients need only the table of errors, so it is not part of their bundles. */
export const ERROR_NOTES: Readonly<Record<ErrorName, ErrorNote>> = {
  notFound: {
    cause: "No endpoint has this path.",
    rule: "D2.routes",
  },
  methodNotAllowed: {
    cause: "The path does not support the method; `Allow` lists the methods that it supports.",
    rule: "D2.routes",
  },
  bodyTooLarge: {
    cause: "The body exceeds its limit; the rest was not read.",
    rule: "D2.body",
  },
  missingCredentials: {
    cause:
      "One or more of the four headers are absent or empty, or the nonce is not 1 to 128 printable ASCII characters.",
    rule: "D2.1",
  },
  invalidTimestamp: {
    cause: "The timestamp is not whole milliseconds in 12 to 16 decimal digits.",
    rule: "D2.2",
  },
  timestampInvalid: {
    cause: "The timestamp is more than 5 minutes from the server's clock.",
    rule: "D2.3",
  },
  invalidKey: {
    cause:
      "No active key with this id may be used from this address. The key is unknown, revoked, deleted, expired or paused, or it is not allowed from the client's address.",
    rule: "D2.4",
  },
  decryptFailed: {
    cause: "The stored secret of the key could not be decrypted, which is a fault of the service.",
    rule: "D2.5",
  },
  badSignature: {
    cause:
      "The signature does not match this request and the key's secret. Also an answer to a read with a body of more than 64 KiB.",
    rule: "D2.6",
  },
  nonceUsed: {
    cause: "The key has already used this nonce: a request with it has arrived before.",
    rule: "D2.7",
  },
  insufficientScope: {
    cause: "The key lacks the endpoint's scope, which `required_scope` names.",
    rule: "D2.8",
  },
  rateLimited: {
    cause: "The key's read budget for this minute is used up.",
    rule: "D2.9",
  },
  tooManyReceipts: {
    cause:
      "The key's receipt budget for this minute is used up; other reads have their own budget.",
    rule: "D10.receiptBudget",
  },
  tooManyFailedRequests: {
    cause:
      "POST orders: the key had 30 rejected order requests in 10 minutes, so its order placement is paused for 15 minutes. Any write: the key had more than 3,600 refused requests in a clock hour, and the write was signed no later than a refused one whose nonce was not stored.",
    rule: "D2.9",
  },
  malformedAccountId: {
    cause: "The body's `accountId` is not a uuid string.",
    rule: "D2.10",
  },
  differentAccount: {
    cause: "`accountId` in the query or body names an account other than the key's.",
    rule: "D2.10",
  },
  accountNotFound: {
    cause: "The key's account cannot be found: it was deleted, transferred or never provisioned.",
    rule: "D2.11",
  },
  notOffered: {
    cause: "The account's network does not offer this endpoint. The text gives the reason.",
    rule: "D9.notOffered",
  },
  orderNotFound: {
    cause: "No order or leg of the account has, or ever had, this id.",
    rule: "D9.orderLife",
  },
  invalidLimit: {
    cause: "`limit` is not a positive integer.",
    rule: "D2.12",
  },
  invalidCursor: {
    cause: "`cursor` was not returned by this API for this account.",
    rule: "D2.12",
  },
  invalidPairs: {
    cause: "`pairs` is empty or contains an unknown pair, which the text names.",
    rule: "D9.quotes",
  },
  invalidCandles: {
    cause:
      "`tradePair` or `interval` is missing or unknown, or `after` or `limit` is invalid; the text names the parameter.",
    rule: "D9.candles",
  },
  invalidEvents: {
    cause:
      "A parameter of the events is invalid; the text names it. An `after` is invalid when it is a cursor of another account, is ahead of the journal, or belongs to a history that was rewritten.",
    rule: "D9.cursor",
  },
  tooManyStreams: {
    cause:
      "The maximum number of event streams is open for the key, the account or this process of the service. The request counts as one read.",
    rule: "D9.streamPlaces",
  },
  invalidHistory: {
    cause:
      "`after`, `limit`, `tradePair` or `since` of the order history or the fills, or `after` of an order's life, is invalid; the text names the parameter.",
    rule: "D9.orderHistory",
  },
  invalidTrades: {
    cause: "`after` or `limit` of the trades is invalid; the text names the parameter.",
    rule: "D13.tradesPage",
  },
  invalidNonce: {
    cause: "The path contains a string that cannot be a nonce.",
    rule: "D9.receipts",
  },
  invalidBody: {
    cause: "The order body failed validation; the text names the first problem and its field.",
    rule: "D2.12",
  },
  missingSize: {
    cause: "None of the sizing fields is given, or more than one.",
    rule: "D2.12",
  },
  accountNotReady: {
    cause: "The account is not yet provisioned on the trading network.",
    rule: "D8.states",
  },
  orderRefused: {
    cause: "The trading network refused the order; the text says why.",
    rule: "D5.refusal",
  },
  unknownFate: {
    cause:
      "It is not known whether the order was carried out. Read positions and orders before a retry.",
    rule: "D5.unknownFate",
  },
  networkDown: {
    cause: "The order did not reach the trading network: nothing happened.",
    rule: "D5.networkDown",
  },
  notCarriedOut: {
    cause:
      "The order was not decided before its deadline, and a client then read its receipt, which made that final: nothing happened.",
    rule: "D9.receipts",
  },
  ownerChanging: {
    cause:
      "The node that decides the account's orders has stopped, and another node of the service is taking over. Nothing happened.",
    rule: "D5.networkDown",
  },
  upstreamFailed: {
    cause: "The trade history service answered with an error, which is the text.",
    rule: "S7.502",
  },
  snapshotUnavailable: {
    cause: "The network could not be reached on a read; no data is returned.",
    rule: "S7.R1",
  },
  internal: {
    cause: "A fault of the service; the log has the details under the request id.",
    rule: "S7.500",
  },
};

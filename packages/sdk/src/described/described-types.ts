// Made from the schemas of the contract by `npm run docs`.

export type * from "./account.ts";
export type * from "./account-events.ts";
export type * from "./drawdown-rules.ts";
export type * from "./event-parts.ts";
export type * from "./events.ts";
export type * from "./market-items.ts";
export type * from "./order-events.ts";
export type * from "./order-history.ts";
export type * from "./order-notes.ts";
export type * from "./order-result.ts";
export type * from "./payouts.ts";
export type * from "./pending-order.ts";
export type * from "./position-events.ts";
export type * from "./position-item.ts";
export type * from "./preview.ts";
export type * from "./pro-track.ts";
export type * from "./program-events.ts";
export type * from "./receipt.ts";
export type * from "./stream-mark.ts";
export type * from "./trade-item.ts";

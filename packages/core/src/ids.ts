import type { Brand } from "./brand.ts";

/** The id of an account, a uuid. */
export type AccountId = Brand<string, "AccountId">;
/** The id of the owner of one or more accounts. */
export type OwnerId = Brand<string, "OwnerId">;
/**
 * The id of an order, a uuid. The id of a leg is the uuid of the order that attached it, with `-bracket-N` appended.
 */
export type OrderUuid = Brand<string, "OrderUuid">;
/** The id of a position and, when it is closed, of its trade: the uuid of the order that opened it. */
export type PositionUuid = Brand<string, "PositionUuid">;
/** A pair in its canonical form, upper case without a slash: `BTCUSD`. */
export type PairId = Brand<string, "PairId">;

/** Marks a text as the id of an account; the text is not checked. The functions below do the same for other ids. */
export const accountId = (value: string): AccountId => value as AccountId;
/** Marks a text as the id of an owner; the text is not checked. */
export const ownerId = (value: string): OwnerId => value as OwnerId;
/** Marks a text as the id of an order or leg; the text is not checked. */
export const orderUuid = (value: string): OrderUuid => value as OrderUuid;
/** Marks a text as the id of a position; the text is not checked. */
export const positionUuid = (value: string): PositionUuid => value as PositionUuid;
/** Marks a text as the id of a pair; it is neither checked nor converted to the canonical form. */
export const pairId = (value: string): PairId => value as PairId;

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

export const accountId = (value: string): AccountId => value as AccountId;
export const ownerId = (value: string): OwnerId => value as OwnerId;
export const orderUuid = (value: string): OrderUuid => value as OrderUuid;
export const positionUuid = (value: string): PositionUuid => value as PositionUuid;
export const pairId = (value: string): PairId => value as PairId;

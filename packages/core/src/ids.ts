import type { Brand } from "./brand.ts";

/** A prop account, a uuid. */
export type AccountId = Brand<string, "AccountId">;
/** The owner of one or more accounts. */
export type OwnerId = Brand<string, "OwnerId">;
/** An order, a uuid; a leg has its parent's uuid with `-bracket-N` appended. */
export type OrderUuid = Brand<string, "OrderUuid">;
/** A position and, once closed, its trade: the uuid of the order that opened it. */
export type PositionUuid = Brand<string, "PositionUuid">;
/** A pair in its canonical form, upper case without a slash: `BTCUSD`. */
export type PairId = Brand<string, "PairId">;

export const accountId = (value: string): AccountId => value as AccountId;
export const ownerId = (value: string): OwnerId => value as OwnerId;
export const orderUuid = (value: string): OrderUuid => value as OrderUuid;
export const positionUuid = (value: string): PositionUuid => value as PositionUuid;
export const pairId = (value: string): PairId => value as PairId;

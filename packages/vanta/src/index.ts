/**
 * # Vanta: accounts at a validator
 *
 * A linked account's orders go to its validator, and its figures are read there. This package speaks to the validator
 * and its gateway, and answers in the same words as for an account of the own network.
 *
 * ## Invariants
 * - A figure that the validator did not send is null, never one of this service.
 * - An order is sent once. When its answer is lost, its fate is found in the validator's own lists. Until then its fate
 *   is unknown: no clock ends it.
 *
 * ## Limits
 * Only orders and changes that the validator's lists show can be found; any other fate stays unknown. LIMIT_CANCEL,
 * LIMIT_EDIT and FLAT_ALL have no id at the validator. When the answer to one of them is lost, its fate is found by its
 * effect. A later command with the same effect cannot be told apart from it.
 *
 * Start with `desk/`, then `orders/order-desk.ts`.
 */

export { createAccountPresenter } from "./account-presenter.ts";
export { type AccountPolls, createAccountPolls } from "./desk/account-poll.ts";
export { createEquityPoints } from "./desk/equity-points.ts";
export { createFailureLog } from "./desk/failure-log.ts";
export { createLimitReader } from "./desk/limit-reader.ts";
export { createLinkedRecords } from "./desk/linked-records.ts";
export { createPairBook, type PairBook } from "./desk/pair-book.ts";
export { createParsedReadings } from "./desk/parsed-readings.ts";
export { createPayoutDesk } from "./desk/payout-desk.ts";
export { createPayoutReader } from "./desk/payout-reader.ts";
export { createLinkDesk, type SubaccountLink, type SubaccountLinks } from "./link-desk.ts";
export { createOrderDesk, type OrderDesk } from "./orders/order-desk.ts";
export type { OrderTimes } from "./orders/order-times.ts";
export { createReadingDesk, type ReadingDesk } from "./reading-desk.ts";
export { createTextCleaner } from "./upstream/clean-text.ts";
export { createGatewayClient } from "./upstream/gateway-client.ts";
export type { Gateway, Validator } from "./upstream/port.ts";
export { createStoppableGateway } from "./upstream/stoppable-gateway.ts";
export type { UpstreamLimits } from "./upstream/upstream-options.ts";
export { createValidatorClient } from "./upstream/validator-client.ts";
export { createVantaNetwork } from "./vanta-network.ts";
export { createVantaReadings } from "./vanta-readings.ts";

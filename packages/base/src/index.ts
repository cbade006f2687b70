/**
 * # Base: one reader each for settings, clock, chance, log and secret files
 *
 * The environment, the clock, chance, the log and secret files each have one reader here. So a test, a sandbox or a
 * simulation can replace each of them by passing another value. No code here knows accounts or requests; of prices it
 * knows only the settings.
 *
 * ## Invariants
 * - No module keeps state. State that lives longer than a call is created, and passed on, by the code that composes the
 *   service.
 * - Two kinds of time are never mixed: `Clock` is the service's time, which a sandbox can set; `Stopwatch` and `Timer`
 *   are the machine's, which no caller can set.
 *
 * ## Limits
 * A clock that jumps is noticed by the nodes (`server`), not here.
 *
 * Start with `clock.ts` and `config.ts`; `micro-batcher.ts` is the queue that admission and execution share.
 */

export { canonicalAddress, createAddressFilter, readAddressBlocks } from "./address-block.ts";
export { createBackOff } from "./back-off.ts";
export type { BatchObserver } from "./batch-observer.ts";
export { CannotStart } from "./cannot-start.ts";
export { cleanUpAfter } from "./clean-up.ts";
export { clientNetworkOf } from "./client-network.ts";
export {
  type Clock,
  delay,
  type Stopwatch,
  systemClock,
  systemStopwatch,
  systemTimer,
  type Timer,
  yieldToEventLoop,
} from "./clock.ts";
export {
  flagName,
  readSandboxNames,
  readSettings,
  type SandboxNames,
  SETTINGS,
  type Settings,
  secretSettings,
} from "./config.ts";
export {
  type ConnectionLimiter,
  createConnectionLimiter,
  LOOPBACK_BLOCKS,
} from "./connection-limiter.ts";
export { drawBase62 } from "./draw-base62.ts";
export { createHousekeeping, type Housekeeping, type Job, type JobHealth } from "./housekeeping.ts";
export { forEachYielding, mapYielding } from "./in-turns.ts";
export { interceptConnections } from "./intercept-connections.ts";
export { isNestedTooDeep, JSON_DEPTH_MAX } from "./json-depth.ts";
export {
  FIRST_KEY_VERSION,
  loadOrCreateMasterKeys,
  type MasterKeys,
  missingKeysWarning,
  readMasterKeys,
} from "./keys/master-key.ts";
export { type ListenAddress, listenOrigin } from "./listen-address.ts";
export { listenerPort } from "./listener-port.ts";
export { type Log, openLog } from "./log.ts";
export { createMicroBatcher, type MicroBatcher } from "./micro-batcher.ts";
export { type Chance, createSeededChance, systemChance } from "./random.ts";
export { coreDigest, serviceRelease } from "./release.ts";
export { createRepeatableCall, type RepeatableCall } from "./repeatable-call.ts";
export { addToSecretFile, createOwnerOnlyFolder, readOrCreateSecret } from "./secret-file.ts";
export { createSerialQueue, type SerialQueue } from "./serial-queue.ts";
export type { ProcessRole } from "./settings/bus-settings.ts";
export { databaseAddressProblem, parseDatabaseAddress } from "./settings/database-address.ts";
export { parseDatabaseUrls, splitDatabaseUrls } from "./settings/database-list.ts";
export { parseNatsUrl } from "./settings/nats-address.ts";
export {
  builtInSourceOf,
  findBuiltInSource,
  type PricePlan,
  type ValuesByPair,
  valueForPair,
} from "./settings/price-plan.ts";
export { parseUpstreamOrigin } from "./settings/setting-parsers.ts";
export { readSettingText } from "./settings/setting-text.ts";
export { createSlots, type Slots } from "./slots.ts";
export { LINE_BYTES_MAX, LineTooLong, textLines } from "./text-lines.ts";
export {
  formatTraceParent,
  isTraceParent,
  parseTraceParent,
  type TraceParent,
} from "./trace-parent.ts";
export { createDroppedMessages, type DroppedMessages } from "./transport/dropped-messages.ts";
export { createMessageSeal, type MessageSeal } from "./transport/message-seal.ts";
export { openNatsTransport } from "./transport/nats-transport.ts";
export { createSealedTransport } from "./transport/sealed-transport.ts";
export type { ReceivedMessage, Transport } from "./transport/transport.ts";
export { UnfitSettings } from "./unfit-settings.ts";
export { wireJson } from "./wire-json.ts";

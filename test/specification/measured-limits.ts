import {
  ENDPOINT_NAMES,
  type EndpointName,
  parsePayoutsQuery,
  parseQuery,
} from "@propgate/contract";
import type { Signer } from "../../packages/server/src/testing/signed-request.ts";
import { type EndpointReply, READ_ENDPOINTS, type ServiceUnderTest } from "./service-under-test.ts";

/** The limits of section 8 as they were measured at the service. */
export interface MeasuredLimits {
  readonly readsPerMinute: number;
  /** The first refused read of each GET endpoint, 15 s after the beginning of the minute at `minuteMs`. */
  readonly refusedReads: readonly EndpointReply[];
  readonly minuteMs: number;
  /** Whether a read passes at the first millisecond of the next minute. */
  readonly isRefilled: boolean;
  /** The statuses of successive orders, which are more than a minute's budget of reads, and of the read after them. */
  readonly afterManyOrders: readonly number[];
  readonly rejectionsToCooldown: number;
  readonly replyInCooldown: EndpointReply;
  /** The answers to reads with the key in its cooldown. */
  readonly readsInCooldown: readonly EndpointReply[];
  /** Whether the key has no cooldown after 29 rejections, a success and 29 more rejections. */
  readonly isResetBySuccess: boolean;
  /**
   * The minutes in which rejections are counted: within them the last rejection starts the cooldown, and after them it
   * does not. Null when the measurement shows another window.
   */
  readonly guardWindowMinutes: number | null;
  /**
   * The minutes by which a timestamp may be off in both directions at every endpoint, while one millisecond more is
   * refused. Null when the measurement shows something else.
   */
  readonly skewMinutes: number | null;
  readonly payoutsPage: { readonly min: number; readonly max: number; readonly usual: number };
  /** The endpoints that refused a repeated nonce after more than a year. */
  readonly noncesRefusedLater: readonly EndpointName[];
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const CANCEL_ALL = { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" };

export async function measureLimits(service: ServiceUnderTest): Promise<MeasuredLimits> {
  return {
    ...(await measureReads(service)),
    ...(await measureGuard(service)),
    skewMinutes: await measureSkew(service),
    payoutsPage: measurePage(),
    // This measurement is the last one, because it moves the clock by more than a year.
    noncesRefusedLater: await measureNonces(service),
  };
}

async function measureReads(service: ServiceUnderTest) {
  const { time } = service.harness;
  const signer = await service.newSigner();
  await time.pass(MINUTE_MS - (time.clock.now() % MINUTE_MS));
  const minuteMs = time.clock.now();
  await time.pass(15_000);
  const orders: number[] = [];
  for (let count = 0; count < 121; count += 1) {
    orders.push((await service.order(CANCEL_ALL, { signer })).status);
  }
  const reads = await Promise.all(
    Array.from({ length: 130 }, () => service.call("getPositions", { signer })),
  );
  const readsPerMinute = reads.filter(({ status }) => status === 200).length;
  const refusedReads: EndpointReply[] = [];
  for (const endpoint of READ_ENDPOINTS)
    refusedReads.push(await service.call(endpoint, { signer }));
  const refusedOrder = await service.order(CANCEL_ALL, { signer });
  await time.pass(45_000);
  const fresh = await service.call("getAccount", { signer });
  return {
    readsPerMinute,
    refusedReads,
    minuteMs,
    isRefilled: fresh.status === 200,
    afterManyOrders: [...orders, refusedOrder.status],
  };
}

async function measureGuard(service: ServiceUnderTest) {
  const { time } = service.harness;
  const rejected = async (signer: Signer, tries: number) => {
    for (let count = 0; count < tries; count += 1) {
      const reply = await service.order({}, { signer });
      if (reply.status === 429) return { count, reply };
    }
    return { count: tries, reply: await service.order(CANCEL_ALL, { signer }) };
  };
  const signer = await service.newSigner();
  const { count: rejectionsToCooldown, reply: replyInCooldown } = await rejected(signer, 100);
  const readsInCooldown: EndpointReply[] = [];
  for (const endpoint of READ_ENDPOINTS)
    readsInCooldown.push(await service.call(endpoint, { signer }));
  const careful = await service.newSigner();
  await rejected(careful, rejectionsToCooldown - 1);
  const { reply } = await rejected(careful, rejectionsToCooldown - 1);
  /** Whether the last rejection starts the cooldown when the others are `ms` milliseconds older. */
  const startsCooldownAfter = async (ms: number): Promise<boolean> => {
    const late = await service.newSigner();
    for (let count = 1; count < rejectionsToCooldown; count += 1)
      await service.order({}, { signer: late });
    await time.pass(ms);
    await service.order({}, { signer: late });
    return (await service.order(CANCEL_ALL, { signer: late })).status === 429;
  };
  const within = await startsCooldownAfter(10 * MINUTE_MS - 1);
  const beyond = await startsCooldownAfter(10 * MINUTE_MS + 1);
  return {
    rejectionsToCooldown,
    replyInCooldown,
    readsInCooldown,
    isResetBySuccess: reply.status === 200,
    guardWindowMinutes: within && !beyond ? 10 : null,
  };
}

async function measureSkew(service: ServiceUnderTest): Promise<number | null> {
  const now = service.harness.time.clock.now();
  for (const endpoint of ENDPOINT_NAMES) {
    for (const [offMs, status] of [
      [-5 * MINUTE_MS, 200],
      [5 * MINUTE_MS, 200],
      [-5 * MINUTE_MS - 1, 401],
      [5 * MINUTE_MS + 1, 401],
    ] as const) {
      const reply = await service.call(endpoint, { timestamp: String(now + offMs) });
      if (reply.status !== status) return null;
    }
  }
  return 5;
}

/**
 * The minimum, the maximum and the default of the parameter `limit`, as the service reads it. `payouts-reading.test.ts`
 * proves that a page has that many rows.
 */
function measurePage(): MeasuredLimits["payoutsPage"] {
  const limitOf = (query: string): number => {
    const read = parsePayoutsQuery(parseQuery(query));
    return read.ok ? read.limit : Number.NaN;
  };
  const min = [0, 1].map((rows) => limitOf(`limit=${rows}`)).find((rows) => !Number.isNaN(rows));
  return { min: min ?? Number.NaN, max: limitOf("limit=1000000"), usual: limitOf("") };
}

async function measureNonces(service: ServiceUnderTest): Promise<readonly EndpointName[]> {
  const signer = await service.newSigner();
  const again: EndpointName[] = [];
  for (const endpoint of ENDPOINT_NAMES) await service.call(endpoint, { signer, nonce: endpoint });
  await service.harness.time.pass(400 * DAY_MS);
  for (const endpoint of ENDPOINT_NAMES) {
    const reply = await service.call(endpoint, { signer, nonce: endpoint });
    if (reply.status === 409) again.push(endpoint);
  }
  return again;
}

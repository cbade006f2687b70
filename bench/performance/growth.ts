import { startBenchService } from "../bench-service.ts";
import { measureQuoteCost } from "../quote-cost.ts";
import { openDatabaseMeter } from "./database-meter.ts";
import { copyAccounts } from "./many-accounts.ts";
import type { GrowthPoint } from "./record.ts";
import { measureRound } from "./request-costs.ts";

interface Sizes {
  readonly accounts: readonly number[];
  readonly nonces: readonly number[];
  readonly resting: readonly number[];
  readonly reads: number;
  readonly orders: number;
}

const FULL: Sizes = {
  accounts: [1_000, 10_000, 100_000, 1_000_000],
  nonces: [100_000, 1_000_000, 10_000_000],
  resting: [100, 1_000, 10_000, 100_000],
  reads: 20_000,
  orders: 6_000,
};
const QUICK: Sizes = {
  accounts: [100, 1_000],
  nonces: [1_000, 10_000],
  resting: [100, 1_000, 10_000],
  reads: 1_000,
  orders: 300,
};
const MOST_NONCES = 100_000_000;
/** A full block of nonces has 64 hashes. Its split leaves two blocks, so a block has about 48 on average. */
const HASHES_PER_BLOCK = 48;
const ACCOUNTS_MADE = 40;
const KEYS_PER_ACCOUNT = 10;

/**
 * Measures how the costs grow with the numbers of accounts, nonces and resting orders. `hasMostNonces` adds a run with
 * 10^8 nonces.
 */
export async function measureGrowth(
  isQuick: boolean,
  hasMostNonces: boolean,
): Promise<readonly GrowthPoint[]> {
  const sizes = isQuick ? QUICK : FULL;
  const points: GrowthPoint[] = [];
  for (const size of sizes.accounts) points.push(...(await byAccounts(size, sizes)));
  for (const size of hasMostNonces ? [...sizes.nonces, MOST_NONCES] : sizes.nonces) {
    points.push(...(await byNonces(size, sizes)));
  }
  measureQuoteCost(sizes.resting[0] ?? 0);
  for (const size of sizes.resting) {
    const value = measureQuoteCost(size).nanosecondsPerQuote;
    points.push({ curve: "quoteByRestingOrders", size, value });
  }
  return points;
}

async function byAccounts(size: number, { reads, orders }: Sizes): Promise<GrowthPoint[]> {
  return onFilled(
    (databaseUrl) => copyAccounts(databaseUrl, size),
    async (bench) => {
      await measureRound(bench, "read", reads / 5);
      const read = await measureRound(bench, "read", reads);
      await measureRound(bench, "order", orders / 5);
      const order = await measureRound(bench, "order", orders);
      return [
        { curve: "readNodeByAccounts", size, value: read.nodeMicroseconds },
        { curve: "readDatabaseByAccounts", size, value: read.databaseMicroseconds ?? 0 },
        { curve: "readWalByAccounts", size, value: read.walBytes ?? 0 },
        { curve: "orderNodeByAccounts", size, value: order.nodeMicroseconds },
        { curve: "orderDatabaseByAccounts", size, value: order.databaseMicroseconds ?? 0 },
        { curve: "orderWalByAccounts", size, value: order.walBytes ?? 0 },
      ];
    },
  );
}

/**
 * The cost of reads just after a checkpoint, when the first change of each page of an index costs a whole page of WAL;
 * and the stored bytes of one nonce.
 */
async function byNonces(size: number, { reads }: Sizes): Promise<GrowthPoint[]> {
  return onFilled(
    (databaseUrl) => fillNonces(databaseUrl, size),
    async (bench) => {
      const { meter } = bench;
      await measureRound(bench, "read", reads / 5);
      await meter.run("checkpoint");
      const bytes = await meter.count("select pg_total_relation_size('nonce_blocks')");
      const read = await measureRound(bench, "read", reads);
      return [
        { curve: "readDatabaseByNonces", size, value: read.databaseMicroseconds ?? 0 },
        { curve: "readWalByNonces", size, value: read.walBytes ?? 0 },
        { curve: "bytesByNonces", size, value: bytes / size },
      ];
    },
  );
}

/** Inserts nonces of earlier days, divided among the keys, in blocks of the average size. */
async function fillNonces(databaseUrl: string, size: number): Promise<void> {
  const meter = await openDatabaseMeter(databaseUrl);
  try {
    // The statement inserts for one key after the other, so no sort is larger than the nonces of a key.
    await meter.run(`do $$
      declare of_key record;
      begin
        for of_key in select key_id, row_number() over () as place, count(*) over () as there from keys loop
          insert into nonce_blocks (key_id, first, hashes)
          select of_key.key_id,
            case block when 0 then '00000000-0000-0000-0000-000000000000' else (array_agg(hash order by hash))[1] end,
            array_agg(hash order by hash)
          from (select hash, (row_number() over (order by hash) - 1) / ${HASHES_PER_BLOCK} as block
            from (select gen_random_uuid() as hash
              from generate_series(of_key.place, ${size}, of_key.there)) hashes) blocks
          group by block;
        end loop;
      end $$`);
    await meter.run("vacuum analyze");
  } finally {
    await meter.close();
  }
}

type FilledBench = Parameters<typeof measureRound>[0] & {
  readonly meter: NonNullable<Parameters<typeof measureRound>[0]["meter"]>;
};

async function onFilled(
  fill: (databaseUrl: string) => Promise<void>,
  measure: (bench: FilledBench) => Promise<GrowthPoint[]>,
): Promise<GrowthPoint[]> {
  const service = await startBenchService({
    accounts: ACCOUNTS_MADE,
    keysPerAccount: KEYS_PER_ACCOUNT,
    batchMax: 0,
    fill,
  });
  try {
    if (service.databaseUrl === null) throw new Error("the growth curves need PostgreSQL");
    const meter = await openDatabaseMeter(service.databaseUrl);
    try {
      return await measure({ service, meter });
    } finally {
      await meter.close();
    }
  } finally {
    await service.stop();
  }
}

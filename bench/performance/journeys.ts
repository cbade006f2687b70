import { Session } from "node:inspector/promises";
import { startSandbox } from "../../packages/server/src/index.ts";
import { createSandboxClient } from "../../packages/server/src/testing/sandbox-client.ts";

/** The product code that one request runs in a warm sandbox, from the socket to the answer. */
export interface Journey {
  readonly name: string;
  readonly files: number;
  readonly functions: number;
  readonly calls: number;
}

/**
 * The number of tries. The one with the fewest calls counts, because the jobs that run every second may run during a
 * request.
 */
const TRIES = 9;
const START_MS = Date.UTC(2026, 0, 5, 12);

/**
 * Counts the calls of product code during an order, a read and two quotes. V8's precise coverage gives the exact
 * numbers.
 */
export async function measureJourneys(): Promise<readonly Journey[]> {
  const sandbox = await startSandbox({
    port: 0,
    startMs: START_MS,
    seed: "journeys",
    clock: "frozen",
    dataDir: null,
    networkTimeoutMs: 15_000,
  });
  const session = new Session();
  session.connect();
  try {
    const client = createSandboxClient(sandbox, () => START_MS);
    let price = 90_000;
    const quote = async (bid: number): Promise<void> => {
      price = bid;
      const body = [{ pair: "BTCUSD", bid, ask: bid }];
      expect200((await client.control("POST", "/quotes", body)).status);
    };
    const order = async (trade: object): Promise<void> => {
      expect200((await client.order({ trade_pair: "BTCUSD", ...trade })).status);
    };
    const buy = (): Promise<void> => {
      const stop_loss = price - 100;
      const size = { order_type: "LONG", value: 1_000 };
      return order({ execution_type: "MARKET", ...size, stop_loss });
    };
    const flat = (): Promise<void> => order({ execution_type: "MARKET", order_type: "FLAT" });
    await quote(price);

    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    const none = async (): Promise<void> => undefined;
    const walks = [
      { name: "a MARKET order with a stop", before: none, act: buy, after: flat },
      {
        name: "GET account",
        before: none,
        act: async () => expect200((await client.get("account")).status),
        after: none,
      },
      {
        name: "a quote that fills the stop",
        before: buy,
        act: () => quote(price - 200),
        after: none,
      },
      {
        name: "a quote that fills nothing",
        before: buy,
        act: () => quote(price + 1),
        after: flat,
      },
    ];
    const walked: Journey[] = [];
    for (const { name, before, act, after } of walks) {
      const tries: Omit<Journey, "name">[] = [];
      for (let number = 0; number < TRIES; number += 1) {
        await before();
        await session.post("Profiler.takePreciseCoverage");
        await act();
        tries.push(await takeCounts(session));
        await after();
      }
      const [fewest] = tries.toSorted((one, other) => one.calls - other.calls);
      if (fewest !== undefined) walked.push({ name, ...fewest });
    }
    return walked;
  } finally {
    session.disconnect();
    await sandbox.stop();
  }
}

/** The functions of the packages that ran since the last count, without test support. */
async function takeCounts(session: Session): Promise<Omit<Journey, "name">> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const files = new Set<string>();
  let functions = 0;
  let calls = 0;
  for (const { url, functions: known } of result) {
    if (!/\/packages\/[^/]+\/src\/(?!testing\/)/.test(url)) continue;
    for (const { ranges } of known) {
      const count = ranges[0]?.count ?? 0;
      if (count === 0) continue;
      files.add(url);
      functions += 1;
      calls += count;
    }
  }
  return { files: files.size, functions, calls };
}

function expect200(status: number): void {
  if (status !== 200) throw new Error(`an act of a journey was answered with ${status}`);
}

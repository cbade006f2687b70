import { Agent, get } from "node:http";
import { SIGNED_ENDPOINTS } from "@propgate/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deepenedCount } from "../../../../test/environment/depth.ts";
import { type Harness, openHarness } from "../testing/harness.ts";
import { BUY_TRADE } from "../testing/long-history-service.ts";
import { type Signer, signedHeaders } from "../testing/signed-request.ts";

/** The number of trades: 55 MB of JSON at depth 1. */
const TRADES = deepenedCount(100_000, 20_000);
const READS = 40;
const READERS = 4;
/**
 * The maximum number of bytes of a long history that one read of another key waits for. An account may have two
 * expensive reads in progress, and each sends a chunk or two per round of the event loop.
 */
const BETWEEN_BYTES_MAX = 4_000_000;

let service: Harness;
let history: Signer;
let nonces = 0;
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
beforeAll(async () => {
  service = await openHarness();
  await service.quote("BTCUSD", 50_000, 50_000);
  const accountId = await service.newAccount();
  history = await service.newKey({ accountId });
  await service.order(BUY_TRADE, { signer: history });
  await service.order({ execution_type: "FLAT_ALL" }, { signer: history });
  await service.database.query(
    `insert into trades (account_id, seq, trade_id, closed_at_ms, trade)
     select account_id, 1000000 + n, trade_id || n, closed_at_ms, trade
     from trades, generate_series(1, ${TRADES}) n where account_id = $1`,
    [accountId],
  );
});
afterAll(async () => {
  agent.destroy();
  await service.close();
});

/** The status and the bytes of a read; `onBytes` gets the bytes of each piece when it arrives. */
function read(
  signer: Signer,
  target: string,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<{ readonly status: number | undefined; readonly bytes: number }> {
  nonces += 1;
  const timestamp = String(service.time.clock.now());
  const signed = { method: "GET", target, body: "", timestamp, nonce: `beside-${nonces}` };
  const headers = signedHeaders(signer, signed);
  return new Promise((resolve, reject) => {
    const request = get(
      { agent, host: "127.0.0.1", port: service.port, path: target, headers },
      (response) => {
        let bytes = 0;
        response.on("data", (piece: Buffer) => {
          bytes += piece.length;
          onBytes(piece.length);
        });
        response.on("end", () => resolve({ status: response.statusCode, bytes }));
        response.on("error", reject);
      },
    );
    request.on("error", reject);
  });
}

test("each read of another key waits for few bytes of a long history, however often that is read [D12.share] [D13.tradesOnce]", async () => {
  const signers = await Promise.all(
    Array.from({ length: 8 }, async () =>
      service.newKey({ accountId: await service.newAccount() }),
    ),
  );
  let sent = 0;
  let left = READS;
  const answers: { readonly status: number | undefined; readonly bytes: number }[] = [];
  const reader = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const answer = read(history, SIGNED_ENDPOINTS.getTrades.path, (bytes) => {
        sent += bytes;
      });
      answers.push(await answer);
    }
  };
  let isOver = false;
  const reading = Promise.all(Array.from({ length: READERS }, reader)).finally(() => {
    isOver = true;
  });
  const between: number[] = [];
  for (let turn = 0; !isOver && turn < 100 * signers.length; turn += 1) {
    const before = sent;
    const signer = signers[turn % signers.length];
    if (signer === undefined) throw new Error("there are eight keys");
    expect((await read(signer, SIGNED_ENDPOINTS.getPositions.path)).status).toBe(200);
    between.push(sent - before);
  }
  await reading;
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers).toHaveLength(READS);
  expect(Math.min(...answers.map(({ bytes }) => bytes))).toBeGreaterThan(2 * BETWEEN_BYTES_MAX);
  expect(Math.max(...between)).toBeLessThan(BETWEEN_BYTES_MAX);
});

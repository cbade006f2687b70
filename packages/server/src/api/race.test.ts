import { type Receipt, receiptPath } from "@propgate/contract";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import { openPostgres } from "../../../ledger/src/storage/databases/postgres-database.ts";
import { type Harness, openHarness } from "../testing/harness.ts";
import {
  openScratchPostgres,
  patientDatabaseUrl,
  testPostgresUrl,
} from "../testing/open-test-database.ts";

const url = await testPostgresUrl();

describe("identical requests that race on one node, on PGlite [S5.R2] [D2.race]", () => {
  let service: Harness;
  beforeAll(async () => {
    service = await openHarness();
    return () => service.close();
  });

  test("exactly one of 50 identical requests on one node passes", async () => {
    expect(await raceOf([service], service)).toEqual({ 200: 1, 409: 49 });
  });
});

describe.skipIf(url === null)("identical requests that race on two nodes, on PostgreSQL", () => {
  let nodes: readonly [Harness, Harness];
  let database: Database;
  beforeAll(async () => {
    const scratch = await openScratchPostgres(url ?? "");
    database = scratch;
    const first = await openHarness({
      database: await openPostgres(patientDatabaseUrl(scratch.url)),
      seed: "one",
    });
    const second = await openHarness({
      database: await openPostgres(patientDatabaseUrl(scratch.url)),
      seed: "two",
    });
    nodes = [first, second];
    return async () => {
      for (const node of nodes) await node.close();
      await database.close();
    };
  });

  test("exactly one of 50 identical requests on two nodes passes, ten times over [S5.R2] [D2.race]", async () => {
    for (let round = 0; round < 10; round += 1) {
      expect(await raceOf(nodes, nodes[0], `round-${round}`)).toEqual({ 200: 1, 409: 49 });
    }
  });

  test("the read budget is one for both, to the last request [S8.read]", async () => {
    const signer = await nodes[0].newKey();
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        nodes[index % 2 === 0 ? 0 : 1].get("positions", { signer, nonce: `budget-${index}` }),
      ),
    );
    expect(countStatuses(replies)).toEqual({ 200: 120, 429: 80 });
  });

  test("the receipt budget is one for both as well, beside the read budget [D10.receiptBudget]", async () => {
    const signer = await nodes[0].newKey();
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const node = nodes[index % 2 === 0 ? 0 : 1];
        const nonce = `receipts-${index}`;
        return index < 100
          ? node.call(receiptPath("never-seen"), { signer, nonce })
          : node.get("positions", { signer, nonce });
      }),
    );
    expect(countStatuses(replies.slice(0, 100))).toEqual({ 200: 60, 429: 40 });
    expect(countStatuses(replies.slice(100))).toEqual({ 200: 100 });
  });

  test("many keys on two concurrent nodes never deadlock [D2.race]", async () => {
    const signers = await Promise.all(Array.from({ length: 20 }, () => nodes[1].newKey()));
    const replies = await Promise.all(
      Array.from({ length: 400 }, (_, index) => {
        const signer = signers[(index * 7) % signers.length];
        const node = nodes[index % 2 === 0 ? 0 : 1];
        return node.get("positions", { signer: signer ?? null, nonce: `many-${index}` });
      }),
    );
    expect(countStatuses(replies)).toEqual({ 200: 400 });
  });

  test("a key revoked on one node is immediately unknown on the other [S5.R6]", async () => {
    const signer = await nodes[0].newKey();
    expect((await nodes[1].get("account", { signer })).status).toBe(200);
    await nodes[0].keys.revoke(signer.keyId);
    const reply = await nodes[1].get("account", { signer });
    expect([reply.status, reply.text]).toEqual([401, '{"error":"Invalid key"}']);
  });

  test("an order on one node shows on the other in the next read [S2.3]", async () => {
    const placed = await nodes[0].order({
      execution_type: "LIMIT",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      quantity: 1,
      limit_price: 100,
    });
    const { data: made }: { data: { order: { orderUuid: string } } } = JSON.parse(placed.text);
    const seen = await nodes[1].get("orders", {
      signer: nodes[0].signer,
      nonce: "shows",
    });
    const { data }: { data: readonly { orderUuid: string }[] } = JSON.parse(seen.text);
    expect(data.map(({ orderUuid }) => orderUuid)).toContain(made.order.orderUuid);
  });

  test("receipts read on the other node while orders are placed agree with the orders [D9.receipts]", async () => {
    const signer = await nodes[0].newKey();
    const nonces = Array.from({ length: 30 }, (_, index) => `fate-${index}`);
    const cancel = { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" };
    const fates = await Promise.all(
      nonces.map(async (nonce) => {
        const [placed] = await Promise.all([
          nodes[0].order(cancel, { signer, nonce }),
          nodes[1].call(receiptPath(nonce), { signer, nonce: `ask-${nonce}` }),
        ]);
        const found = await nodes[1].call(receiptPath(nonce), { signer, nonce: `again-${nonce}` });
        const { data }: { data: Receipt } = JSON.parse(found.text);
        return [placed.status, data.fate, placed.text.includes(JSON.stringify(data.result))];
      }),
    );
    expect(fates).toEqual(nonces.map(() => [200, "accepted", true]));
  });

  test("either an order on one node or its withdrawal on the other decides for both [D13.withdrawn]", async () => {
    const signer = await nodes[0].newKey();
    const cancel = { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" };
    for (let round = 0; round < 20; round += 1) {
      const nonce = `withdrawn-${round}`;
      const [placed, looked] = await Promise.all([
        nodes[round % 2 === 0 ? 0 : 1].order(cancel, { signer, nonce }),
        nodes[round % 2 === 0 ? 1 : 0].get("positions", { signer, nonce }),
      ]);
      const found = await Promise.all(
        nodes.map((node, index) =>
          node.call(receiptPath(nonce), { signer, nonce: `found-${nonce}-${index}` }),
        ),
      );
      const fate = placed.status === 200 ? "accepted" : "withdrawn";
      expect(countStatuses([placed, looked])).toEqual({ 200: 1, 409: 1 });
      for (const { text } of found) expect(text).toContain(`"fate":"${fate}"`);
    }
  });
});

async function raceOf(
  nodes: readonly Harness[],
  owner: Harness,
  nonce = "raced",
): Promise<Record<number, number>> {
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const node = nodes[index % nodes.length] ?? owner;
      return node.get("account", { signer: owner.signer, nonce });
    }),
  );
  return countStatuses(replies);
}

function countStatuses(replies: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

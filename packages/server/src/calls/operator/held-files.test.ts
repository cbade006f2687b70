import { type IncomingMessage, request } from "node:http";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import { type Harness, OPERATOR_TOKEN, openHarness } from "../../testing/harness.ts";

/** More lines than fit into the buffers between a service and a client that does not read. */
const LINES = 10_000;

let service: Harness;

beforeAll(async () => {
  service = await openHarness();
  await service.quote("BTCUSD", 50_000, 50_010);
  await service.database.query(
    `insert into journal (account_id, seq, at_ms, origin, command, event, hash, inputs)
     select account_id, seq + made, at_ms, origin, command, event, hash, inputs
     from journal, generate_series(1, $2::bigint) made where account_id = $1 and seq = 1`,
    [service.accountId, LINES],
  );
  for (const table of ["accounts", "account_states"]) {
    await service.database.query(
      `update ${table} set version = version + $2 where account_id = $1`,
      [service.accountId, LINES],
    );
  }
  await service.database.query(
    `insert into people (person_id, name, name_key, role, created_at_ms)
     select gen_random_uuid(), 'n' || made || repeat('x', 2000), 'n' || made, 'operator', 0
     from generate_series(1, $1::int) made`,
    [LINES],
  );
  return () => service.close();
});

/** Requests a file and reads only the status and headers of the answer. */
async function heldAnswer(path: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request({
    port: service.port,
    path: `/operator/v1/${path}`,
    headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` },
  });
  sent.on("response", resolve).on("error", reject).end();
  const answer = await promise;
  onTestFinished(() => void answer.destroy());
  return answer;
}

describe("a client that does not read its file [D12.listFile]", () => {
  test.each([
    "accounts?format=csv",
    "people?format=csv",
    "events?after=0&format=ndjson",
    "accounts/:id/events?format=csv",
    "accounts/:id/journal-export",
  ])("the connection of GET %s is free for orders", async (path) => {
    const answer = await heldAnswer(path.replace(":id", service.accountId));
    expect(answer.statusCode).toBe(200);
    const order = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" };
    expect((await service.order({ ...order, quantity: 0.01 })).status).toBe(200);
    await eventually(() => expect(service.database.connections().inUse).toBe(0));
    expect(answer.readableFlowing).not.toBe(true);
  });
});

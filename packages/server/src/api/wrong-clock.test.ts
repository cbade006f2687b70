import { isWrite, SIGNED_ENDPOINT_NAMES, SIGNED_ENDPOINTS } from "@propgate/contract";
import { expect, test } from "vitest";
import { openHarness } from "../testing/harness.ts";

const UNREACHABLE =
  "Account snapshot temporarily unavailable (Propgate validator unreachable); retry shortly";
const NOT_ACCEPTED = "The trading network is unreachable; the order was not accepted";
const HOUR_MS = 3_600_000;

test("no request is judged by the clock while it is wrong, and the same bytes work afterwards [D12.oneClock]", async () => {
  let problem: string | null = null;
  await using stack = new AsyncDisposableStack();
  const service = stack.adopt(await openHarness({ clockProblem: () => problem }), (one) =>
    one.close(),
  );
  const right = service.time.clock.now();
  problem = "it is three hours ahead";
  await service.time.pass(3 * HOUR_MS);
  const call = (name: (typeof SIGNED_ENDPOINT_NAMES)[number]) => {
    const { method, path } = SIGNED_ENDPOINTS[name];
    const target = path.replaceAll(/\{\w+\}/gu, "one");
    const options = { method, timestamp: String(right), nonce: `of ${name}` };
    return service.call(target, method === "GET" ? options : { ...options, body: "{}" });
  };
  for (const name of SIGNED_ENDPOINT_NAMES) {
    const reply = await call(name);
    expect([name, reply.status, reply.json(), reply.headers["retry-after"]]).toEqual([
      name,
      isWrite(name) ? 500 : 503,
      { error: isWrite(name) ? NOT_ACCEPTED : UNREACHABLE },
      "1",
    ]);
  }
  expect((await service.get("account", { signer: null })).status).toBe(503);
  expect(await service.database.query("select 1 from nonces", [])).toEqual([]);
  problem = null;
  await service.time.pass(-3 * HOUR_MS);
  for (const name of SIGNED_ENDPOINT_NAMES) {
    expect([name, (await call(name)).status]).not.toEqual([
      name,
      expect.toBeOneOf([409, 500, 503]),
    ]);
  }
});

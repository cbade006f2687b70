import {
  isWrite,
  OPERATOR_CALLS,
  SIGNED_ENDPOINT_NAMES,
  SIGNED_ENDPOINTS,
} from "@propgate/contract";
import { expect, test } from "vitest";
import { createDashboardClient, TEST_PASSWORD } from "../testing/dashboard-client.ts";
import { openHarness } from "../testing/harness.ts";
import { createOperatorClient } from "../testing/operator-client.ts";

const UNREACHABLE =
  "Account snapshot temporarily unavailable (Propgate validator unreachable); retry shortly";
const NOT_ACCEPTED = "The trading network is unreachable; the order was not accepted";
const HOUR_MS = 3_600_000;

test("no request is judged by the clock while it is wrong, and the same bytes work afterwards [D12.oneClock] [D12.clockRequests]", async () => {
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

test("no call of an operator or a person is answered while the clock is wrong, but for the health [D12.oneClock]", async () => {
  let problem: string | null = null;
  await using stack = new AsyncDisposableStack();
  const service = stack.adopt(await openHarness({ clockProblem: () => problem }), (one) =>
    one.close(),
  );
  const ann = await service.signIn("operator", { name: "Ann" });
  problem = "it is three hours ahead";
  const wrongClock =
    "The clock of this node is wrong. Nothing was changed; try again at another node";
  const { health, ...others } = OPERATOR_CALLS;
  for (const { method, path } of Object.values(others)) {
    const { status, body, headers } = await createOperatorClient(service).call(
      method,
      path.replaceAll(/:\w+/gu, "one"),
      method === "GET" ? {} : { body: {} },
    );
    expect([path, status, body, headers.get("retry-after")]).toEqual([
      path,
      503,
      { error: wrongClock, code: "unavailable" },
      "1",
    ]);
  }
  const signIn = { name: "Ann", password: TEST_PASSWORD };
  expect(await createDashboardClient(service).refusal("POST", "/sign-in", signIn)).toEqual([
    503,
    wrongClock,
  ]);
  expect(await ann.refusal("POST", "/sign-out")).toEqual([503, wrongClock]);
  expect(await ann.refusal("GET", "/session")).toEqual([503, wrongClock]);
  const answer = await createOperatorClient(service).call(health.method, health.path);
  expect(answer.status).toBe(200);
  problem = null;
  expect(await ann.data("GET", "/session")).toMatchObject({ person: { name: "Ann" } });
});

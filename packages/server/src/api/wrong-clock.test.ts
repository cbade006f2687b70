import {
  isWrite,
  OPERATOR_CALLS,
  SIGNED_ENDPOINT_NAMES,
  SIGNED_ENDPOINTS,
} from "@propgate/contract";
import { expect, test } from "vitest";
import { dashboardClient, TEST_PASSWORD } from "../testing/dashboard-client.ts";
import { openHarness } from "../testing/harness.ts";
import { operatorClient } from "../testing/operator-client.ts";

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

test("no write of an operator or a person is carried out while the clock is wrong [D12.oneClock]", async () => {
  let problem: string | null = null;
  await using stack = new AsyncDisposableStack();
  const service = stack.adopt(await openHarness({ clockProblem: () => problem }), (one) =>
    one.close(),
  );
  const ann = await service.signIn("operator", { name: "Ann" });
  problem = "it is three hours ahead";
  const wrongClock =
    "The clock of this node is wrong. Nothing was changed; try again at another node";
  const writes = Object.values(OPERATOR_CALLS).filter(({ method }) => method !== "GET");
  expect(writes.length).toBeGreaterThan(20);
  for (const { method, path } of writes) {
    const { status, body, headers } = await operatorClient(service).call(
      method,
      path.replaceAll(/:\w+/gu, "one"),
      { body: {} },
    );
    expect([path, status, body, headers.get("retry-after")]).toEqual([
      path,
      503,
      { error: wrongClock, code: "unavailable" },
      "1",
    ]);
  }
  const signIn = { name: "Ann", password: TEST_PASSWORD };
  expect(await dashboardClient(service).refusal("POST", "/sign-in", signIn)).toEqual([
    503,
    wrongClock,
  ]);
  expect(await ann.refusal("POST", "/sign-out")).toEqual([503, wrongClock]);
  // Reading goes on: the health of this node says what is wrong.
  expect((await operatorClient(service).call("GET", "/health")).status).toBe(200);
  problem = null;
  expect(await ann.data("GET", "/session")).toMatchObject({ person: { name: "Ann" } });
});

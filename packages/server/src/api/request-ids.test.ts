import { expect, onTestFinished, test } from "vitest";
import { createSeededChance } from "../../../base/src/random.ts";
import { OPERATOR_TOKEN, openHarness } from "../testing/harness.ts";
import { createRequestIds } from "./request-ids.ts";

test("every request has a unique id, also after a restart [D2.help]", () => {
  const first = createRequestIds(createSeededChance("a"));
  const second = createRequestIds(createSeededChance("b"));
  const ids = [first(), first(), second()];
  expect(new Set(ids).size).toBe(3);
});

test("every answer has the id of its request, as the lines of the log do [D2.help]", async () => {
  const service = await openHarness();
  onTestFinished(() => service.close());
  const target = "/operator/v1/health";
  const authorization = { Authorization: `Bearer ${OPERATOR_TOKEN}` };
  const before = service.logged.length;
  const answers = await Promise.all([
    fetch(`http://127.0.0.1:${service.port}${target}`, { headers: authorization }),
    fetch(`http://127.0.0.1:${service.port}/health`),
    fetch(`http://127.0.0.1:${service.port}/api/v1/time`),
    fetch(`http://127.0.0.1:${service.port}/made-up`),
    fetch(`http://127.0.0.1:${service.port}/api/v1/trading/account`),
  ]);
  const ids = answers.map(({ headers }) => headers.get("X-Service-Request-Id"));
  expect(ids.filter((id) => /^[\w-]+-\w+$/.test(id ?? "")).length).toBe(answers.length);
  expect(new Set(ids).size).toBe(answers.length);
  const lines = service.logged
    .slice(before)
    .map((line) => JSON.parse(line) as { requestId: string });
  expect(lines.map(({ requestId }) => requestId)).toEqual([ids[0]]);
});

import { beforeEach, describe, expect, test } from "vitest";
import { expectDescribedAnswer } from "../../../testing/described-answer.ts";
import { type Harness, openHarness } from "../../../testing/harness.ts";
import { type OpenStream, openStream, openStreamWhenFree } from "../../../testing/open-stream.ts";

describe("GET events/stream answers 429 [D9.streamPlaces]", () => {
  let service: Harness;
  beforeEach(async () => {
    service = await openHarness();
    return () => service.close();
  });
  const statusesOf = (streams: readonly OpenStream[]) =>
    streams.map(({ response }) => response.statusCode ?? 0).toSorted((one, other) => one - other);

  test("GET events/stream answers 429 to the third stream of a key, of ten that are opened concurrently, and to no other key", async () => {
    const ten = await Promise.all(Array.from({ length: 10 }, () => openStream(service)));
    expect(statusesOf(ten)).toEqual([200, 200, ...Array<number>(8).fill(429)]);
    const refused = await service.get("events/stream");
    expectDescribedAnswer("getEventStream", refused);
    expect([refused.json(), refused.headers["retry-after"]]).toEqual([
      { error: "too_many_streams" },
      "5",
    ]);
    expect(refused.headers["x-ratelimit-limit"]).toBeUndefined();
    const other = await openStream(service, "", { signer: await service.newKey() });
    expect(other.response.statusCode).toBe(200);
    for (const { leave } of [...ten, other]) leave();
  });

  test("GET events/stream answers 429 to the ninth stream of an account, and a stream whose client is gone leaves its place", async () => {
    const streams: OpenStream[] = [];
    for (let keys = 0; keys < 4; keys += 1) {
      const signer = await service.newKey();
      for (const _ of [1, 2]) streams.push(await openStream(service, "", { signer }));
    }
    expect(statusesOf(streams)).toEqual(Array<number>(8).fill(200));
    expect((await openStream(service)).response.statusCode).toBe(429);
    streams[0]?.leave();
    const next = await openStreamWhenFree(service);
    for (const { leave } of [next, ...streams]) leave();
  });

  test("GET events/stream does not answer 429 to a stream that waits for its turn among the account's expensive reads [D13.expensiveReads]", async () => {
    const streams = [await openStream(service), await openStream(service)];
    const reads = Array.from({ length: 8 }, () => service.get("order-history"));
    for (const stream of streams) expect((await stream.until("mark")).at(-1)?.event).toBe("mark");
    await Promise.all(reads);
    for (const { leave } of streams) leave();
  });
});

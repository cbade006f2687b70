import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../../../testing/harness.ts";

describe("GET account answers 200", () => {
  let service: Harness;
  beforeAll(async () => {
    service = await openHarness();
  });
  afterAll(() => service.close());

  test("a fresh account reads as it was sold [S2.1]", async () => {
    const reply = await service.get("account");
    expect(reply.text).toBe("");
  });
});

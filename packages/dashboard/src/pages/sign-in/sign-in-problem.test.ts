import { describe, expect, test } from "vitest";
import { CallFailed } from "../../api/call.ts";
import { signInProblem } from "./sign-in-problem.ts";

const failed = (status: number, retryAfter: string | null = null): CallFailed =>
  new CallFailed("as the service says", { status, retryAfter });

describe("why somebody was not let in", () => {
  test.each([
    ["wrong", failed(401), { waitSeconds: null }],
    ["too many failures", failed(429, "120"), { waitSeconds: 120 }],
    ["too many failures, without saying for how long", failed(429), { waitSeconds: 60 }],
    ["busy", failed(503, "1"), { text: "as the service says", waitSeconds: null }],
    ["no service", failed(0), { text: "as the service says", waitSeconds: null }],
    ["a fault of the page", new Error("x"), { waitSeconds: null }],
  ])("%s", (_, cause, problem) => {
    expect(signInProblem(cause)).toMatchObject(problem);
  });
});

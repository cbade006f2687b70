import { describe, expect, test } from "vitest";
import { CallFailed } from "../../api/call.ts";
import { signInProblem } from "./sign-in-problem.ts";

const failed = (status: number, retryAfter: string | null = null): CallFailed =>
  new CallFailed("the service's message", { status, retryAfter });

describe("why a sign-in failed", () => {
  test.each([
    ["wrong", failed(401), { waitSeconds: null }],
    ["too many failures", failed(429, "120"), { waitSeconds: 120 }],
    ["too many failures, without a waiting time", failed(429), { waitSeconds: 60 }],
    ["busy", failed(503, "1"), { text: "the service's message", waitSeconds: null }],
    ["no service", failed(0), { text: "the service's message", waitSeconds: null }],
    ["a bug of the page", new Error("x"), { waitSeconds: null }],
  ])("the page says why a sign-in failed: %s", (_, cause, problem) => {
    expect(signInProblem(cause)).toMatchObject(problem);
  });
});

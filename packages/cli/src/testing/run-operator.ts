import { expect } from "vitest";
import { OPERATOR_TOKEN } from "../../../server/src/testing/harness.ts";
import { type CliResult, runCli } from "./run-cli.ts";

/**
 * Makes a function that runs `propgate operator`, these words and its own arguments with the root token, against the
 * service whose URL `baseUrl` returns at the time of the call.
 */
export function createOperatorCommand(
  baseUrl: () => string,
  ...words: readonly string[]
): (...given: readonly string[]) => Promise<CliResult> {
  return (...given) =>
    runCli(["operator", ...words, ...given], {
      env: { PROPGATE_BASE_URL: baseUrl(), PROPGATE_OPERATOR_TOKEN: OPERATOR_TOKEN },
    });
}

/**
 * The JSON that a command with `--json` has printed. Fails unless the command has succeeded without any text on
 * standard error.
 */
export async function printedJson(run: Promise<CliResult>): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run;
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

import assert from "node:assert/strict";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { makeSecret, SECRET_PREFIX } from "@propgate/contract";
import type { Command, Option } from "commander";
import fc from "fast-check";
import { EXIT } from "../../../packages/cli/src/cli-error.ts";
import { buildProgram, loadCommands, runCommandLine } from "../../../packages/cli/src/program.ts";
import type { BareTerminal } from "../../../packages/cli/src/terminal.ts";
import { arbitraryCharacter } from "../../../test/environment/arbitrary-character.ts";
import { createFuzzSuite, type FuzzSuite } from "../fuzz-suite.ts";

/** A command of the command line, with the words that select it. */
interface Leaf {
  readonly words: readonly string[];
  readonly command: Command;
}

/**
 * Commands that start a server when their options are valid. Their lines always end with an invalid port, so that no
 * server starts.
 */
const SERVING = ["serve", "sandbox"];
const WRONG_PORT = ["--port", "70000"];
/**
 * Options that name a file, a folder or an address. They get values within the test's folder only, so that no command
 * writes into the working folder.
 */
const PATH_OPTIONS = /^--(?:data|to|from|token-file|secret-file|.*url)/;
const SECRET = makeSecret(SECRET_PREFIX, "s".repeat(43));

const text = fc.oneof(
  fc.constantFrom("", " ", "-", "--", "-1", "0", "1e9", "NaN", "null", "../..", "\ud800", "x\ny"),
  fc.constantFrom("GET", "/api/v1/trading/account?a=1", "v1=x", "BTCUSD=", "{}", "--help", "💥"),
  fc.constantFrom("2026-01-05", "1767614400000", "9".repeat(30), "a".repeat(3_000)),
  fc.uuid(),
  fc.string({ unit: arbitraryCharacter, maxLength: 20 }),
);

/**
 * Any options and arguments of any command give a known exit code. A failure other than a refusal gives a message, and
 * no output has a stack trace or contains the secret.
 */
export async function commandLinesSuite(folder: string): Promise<FuzzSuite> {
  const program = buildProgram(terminalOf(folder).terminal, await loadCommands());
  const leaves = leavesOf(program, []);
  return createFuzzSuite({
    name: "command lines",
    defaultRuns: 400,
    inputs: fc
      .constantFrom(...leaves)
      .chain((leaf) => linesOf(leaf, folder).map((words) => [...leaf.words, ...words]))
      .map((words) => (SERVING.includes(words[0] ?? "") ? [...words, ...WRONG_PORT] : words)),
    async try(words) {
      const typed = terminalOf(folder);
      const code = await runCommandLine(words, typed.terminal);
      const { out, error } = typed.output();
      const codes: readonly number[] = Object.values(EXIT).filter((one) => one !== EXIT.fault);
      assert.ok(codes.includes(code), `${code}: ${error}`);
      if (code !== EXIT.done && code !== EXIT.refused)
        assert.notEqual(error, "", "a failure without a message");
      assert.doesNotMatch(out + error, /\n {4}at |\.ts:\d+|node:internal|a fault of this program:/);
      assert.ok(!(out + error).includes(SECRET), "the output contains a secret");
    },
  });
}

function leavesOf(command: Command, words: readonly string[]): readonly Leaf[] {
  const inside = command.commands.flatMap((one) => leavesOf(one, [...words, one.name()]));
  return [{ words, command }, ...inside];
}

/** Lines of known and unknown options and arguments of the command. */
function linesOf({ command }: Leaf, folder: string): fc.Arbitrary<readonly string[]> {
  const options = command.options.map((option) => wordsOf(option, folder));
  const unknown = fc.constantFrom("--json", "--help", "--nothing", "-x", "--port=", "--json=1");
  const word = fc.oneof(
    ...options,
    text.map((one) => [one]),
    unknown.map((one) => [one]),
  );
  return fc.array(word, { maxLength: 6 }).map((several) => several.flat());
}

function wordsOf(option: Option, folder: string): fc.Arbitrary<readonly string[]> {
  const flag = option.long ?? option.short ?? "";
  if (!option.required && !option.optional) return fc.constant([flag]);
  if (!PATH_OPTIONS.test(flag)) return text.map((value) => [flag, value]);
  // Every path and address is unusable: `a-file` is a file, the parent folder of the last path does not exist, and port
  // 1 has no listener.
  const places = [
    join(folder, "a-file"),
    join(folder, "a-file", "x"),
    join(folder, "nothing", "y"),
  ];
  const urls = ["http://127.0.0.1:1", "postgres://127.0.0.1:1/x", "nowhere", ""];
  return fc.constantFrom(...(flag.endsWith("url") ? urls : places)).map((value) => [flag, value]);
}

/** A terminal without input. A command that waits to be stopped is stopped immediately. */
function terminalOf(folder: string): {
  readonly terminal: BareTerminal;
  output(): { readonly out: string; readonly error: string };
} {
  const out: string[] = [];
  const error: string[] = [];
  const env = {
    PROPGATE_SECRET: SECRET,
    PROPGATE_BASE_URL: "http://127.0.0.1:1",
    PROPGATE_DATA_DIR: join(folder, "a-file", "data"),
  };
  const terminal: BareTerminal = {
    invocation: "propgate",
    env,
    out: (more) => void out.push(more),
    error: (more) => void error.push(more),
    inputIsTyped: false,
    readInput: async () => new Uint8Array(),
    streams: { input: Readable.from([]), output: new PassThrough().resume() },
    outIsTerminal: false,
    errorIsTerminal: false,
    hasColours: false,
    columns: () => 80,
    rows: () => 24,
    prompts: { confirm: async () => false, secret: async () => null },
    wait: async () => {},
    now: () => 1_767_614_400_000,
    untilStopped: async () => "SIGINT",
  };
  return { terminal, output: () => ({ out: out.join(""), error: error.join("") }) };
}

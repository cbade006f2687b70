#!/usr/bin/env node
import process from "node:process";
import { EXIT } from "./cli-error.ts";
import { runCommandLine } from "./program.ts";
import { CHECKOUT_INVOCATION, INSTALLED_INVOCATION } from "./render/invocation.ts";
import { createPrompts } from "./render/prompts.ts";
import type { BareTerminal } from "./terminal.ts";

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/** Aborts when the program that reads standard output has closed it. */
const unread = new AbortController();

const terminal: BareTerminal = {
  invocation: import.meta.url.includes("/node_modules/")
    ? INSTALLED_INVOCATION
    : CHECKOUT_INVOCATION,
  env: process.env,
  out(text) {
    process.stdout.write(text, (error) => {
      if (error && !isClosedPipe(error)) process.stderr.write(text);
    });
  },
  error: (text) => void process.stderr.write(text),
  inputIsTyped: process.stdin.isTTY === true,
  readInput: async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  },
  streams: { input: process.stdin, output: process.stdout },
  outIsTerminal: process.stdout.isTTY === true,
  errorIsTerminal: process.stderr.isTTY === true,
  hasColours: process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb",
  columns: () => process.stdout.columns ?? DEFAULT_COLUMNS,
  rows: () => process.stdout.rows ?? DEFAULT_ROWS,
  prompts: createPrompts(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  now: () => Date.now(),
  untilStopped: () =>
    new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, resolve);
      if (unread.signal.aborted) resolve("EPIPE");
      unread.signal.addEventListener("abort", () => resolve("EPIPE"));
    }),
};

/**
 * The time in which a command has to end after the reader of its output has closed the pipe. A command that has tried
 * to print its result, such as the fate of an order, ends sooner.
 */
const UNREAD_OUTPUT_MS = 5_000;

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // The reader of a pipe, such as `head`, may close it early. That is not a fault: the command ends with its own exit
  // code, or with 0 when it does not end in time.
  if (isClosedPipe(error)) {
    unread.abort();
    setTimeout(() => process.exit(EXIT.done), UNREAD_OUTPUT_MS).unref();
    return;
  }
  // The message goes to standard error, so that the fate of an order that could not be printed is not lost.
  process.stderr.write(`propgate: standard output cannot be written: ${error.message}\n`);
  process.exitCode = codeAfter(process.exitCode);
});

const code = await runCommandLine(process.argv.slice(2), terminal);
const { errored } = process.stdout;
process.exitCode = errored === null || isClosedPipe(errored) ? code : codeAfter(code);

function isClosedPipe(error: NodeJS.ErrnoException): boolean {
  return error.code === "EPIPE";
}

/**
 * The exit code of a command whose output could not be written: the command's own code, or `cannotStart` when that code
 * means success.
 */
function codeAfter(own: typeof process.exitCode): number {
  return own === undefined || Number(own) === EXIT.done ? EXIT.cannotStart : Number(own);
}

import type { Readable, Writable } from "node:stream";
import type { Prompts } from "./render/prompts.ts";

/** The command's view of its process; `main.ts` creates the real one. */
export interface Terminal {
  /** The words before a command's name: `propgate`, or `npm run propgate --` in a checkout. */
  readonly invocation: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes to standard output. Results only. */
  out(text: string): void;
  /** Writes problems and remedies to standard error. */
  error(text: string): void;
  /** True when standard input is a terminal. */
  readonly inputIsTyped: boolean;
  /** All of standard input, to its end. */
  readInput(): Promise<Uint8Array>;
  /** Standard input and output as they are, for a command that speaks a protocol over them. */
  readonly streams: { readonly input: Readable; readonly output: Writable };
  /** True when standard output is a terminal. */
  readonly outIsTerminal: boolean;
  readonly errorIsTerminal: boolean;
  /** True when standard output shows colours and NO_COLOR is not set. */
  readonly hasColours: boolean;
  /** Characters on a line of standard output. */
  columns(): number;
  /** Lines of the terminal. */
  rows(): number;
  /** Prompts the user; available when standard input and standard error are terminals. */
  readonly prompts: Prompts;
  /** Resolves after this many milliseconds. */
  wait(ms: number): Promise<void>;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves with the signal's name when the process receives SIGINT or SIGTERM. */
  untilStopped(): Promise<string>;
}

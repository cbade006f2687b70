import type { Readable, Writable } from "node:stream";
import type { Prompts } from "./render/prompts.ts";

/** All that the command knows of the process it runs in; `main.ts` makes the real one. */
export interface Terminal {
  /** What a user types before a command's name: `propgate`, or `npm run propgate --` in a checkout. */
  readonly invocation: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes to standard output. Results only. */
  out(text: string): void;
  /** Writes to standard error: problems and what to do about them. */
  error(text: string): void;
  /** True when a person would have to type the input. */
  readonly inputIsTyped: boolean;
  /** All of standard input, to its end. */
  readInput(): Promise<Uint8Array>;
  /** Standard input and output as they are, for a command that speaks a protocol over them. */
  readonly streams: { readonly input: Readable; readonly output: Writable };
  /** True when a person looks at standard output. */
  readonly outIsTerminal: boolean;
  readonly errorIsTerminal: boolean;
  /** True when standard output shows colours and nobody asked for none (NO_COLOR). */
  readonly hasColours: boolean;
  /** Characters on a line of standard output. */
  columns(): number;
  /** Lines that standard output shows at once. */
  rows(): number;
  /** Asks a person; only where the input is typed and standard error is seen. */
  readonly prompts: Prompts;
  /** Resolves after so many milliseconds. */
  wait(ms: number): Promise<void>;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves with the signal's name when the process is asked to stop. */
  untilStopped(): Promise<string>;
}

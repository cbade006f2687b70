import type { Readable, Writable } from "node:stream";
import type { Prompts } from "./render/prompts.ts";

/** The command's view of its process; `main.ts` creates the real one. */
export interface Terminal {
  /** The words before a command's name: `propgate`, or `npm run propgate --` in a checkout. */
  readonly invocation: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes to standard output. Results only. Characters that control a terminal are replaced. */
  out(text: string): void;
  /** Writes problems and remedies to standard error, in the same way. */
  error(text: string): void;
  /** The streams as they are, for drawing over what is shown. Text of others has to be cleaned before. */
  readonly draw: { out(text: string): void; error(text: string): void };
  /** The text as `out` writes it. */
  clean(text: string): string;
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

/** A terminal whose streams write every text as it is. */
export type BareTerminal = Omit<Terminal, "draw" | "clean">;

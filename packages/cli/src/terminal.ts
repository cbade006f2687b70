import type { Readable, Writable } from "node:stream";
import type { Prompts } from "./render/prompts.ts";

/** A command's view of its process; `main.ts` creates the real one. */
export interface Terminal {
  /** The words before a command's name: `propgate`, or `npm run propgate --` in a checkout. */
  readonly invocation: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes results, and only results, to standard output. Characters that control a terminal are replaced. */
  out(text: string): void;
  /** Writes problems and remedies to standard error, with the same replacement. */
  error(text: string): void;
  /**
   * The streams without the replacement of control characters, for drawing on the screen. The caller cleans text that
   * comes from elsewhere.
   */
  readonly draw: { out(text: string): void; error(text: string): void };
  /** Replaces the characters that `out` replaces. */
  clean(text: string): string;
  /** True when standard input is a terminal. */
  readonly inputIsTyped: boolean;
  /** All of standard input, to its end. */
  readInput(): Promise<Uint8Array>;
  /** Standard input and output without any replacement, for a command that speaks a protocol over them. */
  readonly streams: { readonly input: Readable; readonly output: Writable };
  /** True when standard output is a terminal. */
  readonly outIsTerminal: boolean;
  readonly errorIsTerminal: boolean;
  /** True when standard output is a terminal with colours: NO_COLOR is empty or not set, and TERM is not `dumb`. */
  readonly hasColours: boolean;
  /** The width of standard output in characters. */
  columns(): number;
  /** The height of the terminal in lines. */
  rows(): number;
  /** Prompts the user. A caller may use it only when standard input and standard error are terminals. */
  readonly prompts: Prompts;
  /** Resolves after this many milliseconds. */
  wait(ms: number): Promise<void>;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Resolves with the name of the signal when the process receives SIGINT or SIGTERM, or with `EPIPE` when the reader
   * of standard output has closed it.
   */
  untilStopped(): Promise<string>;
}

/** A terminal whose streams write every text unchanged. `cleanTerminal` makes a `Terminal` of it. */
export type BareTerminal = Omit<Terminal, "draw" | "clean">;

import { PassThrough, Readable } from "node:stream";
import type { BareTerminal } from "../terminal.ts";

/** A terminal of a person who answers every prompt in the same way. */
export interface PersonTerminal {
  readonly terminal: BareTerminal;
  /** The messages of the prompts that were shown. */
  readonly prompted: readonly string[];
  /** Everything on standard output and standard error so far. */
  said(): { readonly out: string; readonly error: string };
  /** Stops the command like Ctrl-C. */
  stop(): void;
}

export function createPersonTerminal(settings: {
  readonly env: Readonly<Record<string, string>>;
  readonly answer?: boolean;
  readonly secret?: string | null;
  readonly colours?: boolean;
  readonly rows?: number;
}): PersonTerminal {
  const prompted: string[] = [];
  const said = { out: "", error: "" };
  const stopped = Promise.withResolvers<string>();
  const terminal: BareTerminal = {
    invocation: "propgate",
    env: settings.env,
    out: (text) => {
      said.out += text;
    },
    error: (text) => {
      said.error += text;
    },
    inputIsTyped: true,
    readInput: () => Promise.reject(new Error("a person would have to type it")),
    streams: { input: Readable.from([]), output: new PassThrough().resume() },
    outIsTerminal: true,
    errorIsTerminal: true,
    hasColours: settings.colours ?? false,
    columns: () => 80,
    rows: () => settings.rows ?? 24,
    prompts: {
      confirm: (message) => {
        prompted.push(message);
        return Promise.resolve(settings.answer ?? false);
      },
      secret: (message) => {
        prompted.push(message);
        return Promise.resolve(settings.secret ?? null);
      },
    },
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 50))),
    now: () => Date.now(),
    untilStopped: () => stopped.promise,
  };
  return { terminal, prompted, said: () => ({ ...said }), stop: () => stopped.resolve("SIGINT") };
}

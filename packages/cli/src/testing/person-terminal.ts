import { PassThrough, Readable } from "node:stream";
import type { Terminal } from "../terminal.ts";

/** A terminal with a person at it, who answers every question alike. */
export interface PersonTerminal {
  readonly terminal: Terminal;
  readonly asked: readonly string[];
  /** Standard output and standard error so far. */
  said(): { readonly out: string; readonly error: string };
  /** As Ctrl-C does. */
  stop(): void;
}

export function personTerminal(settings: {
  readonly env: Readonly<Record<string, string>>;
  readonly answer?: boolean;
  readonly secret?: string | null;
  readonly colours?: boolean;
  readonly rows?: number;
}): PersonTerminal {
  const asked: string[] = [];
  const said = { out: "", error: "" };
  const stopped = Promise.withResolvers<string>();
  const terminal: Terminal = {
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
        asked.push(message);
        return Promise.resolve(settings.answer ?? false);
      },
      secret: (message) => {
        asked.push(message);
        return Promise.resolve(settings.secret ?? null);
      },
    },
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 50))),
    now: () => Date.now(),
    untilStopped: () => stopped.promise,
  };
  return { terminal, asked, said: () => ({ ...said }), stop: () => stopped.resolve("SIGINT") };
}

import { styleText } from "node:util";
import type { Terminal } from "../terminal.ts";

type Style = (text: string) => string;

/** Colours by meaning; without colours each returns the text unchanged. */
export interface Paint {
  readonly good: Style;
  readonly bad: Style;
  readonly warn: Style;
  readonly dim: Style;
  readonly strong: Style;
}

/** No colours with --no-color, with NO_COLOR, or when standard output is not a terminal. */
export function paintFor(terminal: Terminal, options: { readonly color?: boolean }): Paint {
  const coloured = terminal.hasColours && options.color !== false;
  const style =
    (format: Parameters<typeof styleText>[0]): Style =>
    (text) =>
      coloured ? styleText(format, text, { validateStream: false }) : text;
  return {
    good: style("green"),
    bad: style("red"),
    warn: style("yellow"),
    dim: style("dim"),
    strong: style("bold"),
  };
}

/** Green for a gain, red for a loss, by the sign of the text. */
export function bySign(paint: Paint, text: string): string {
  if (text.startsWith("+")) return paint.good(text);
  return /^-\d/.test(text) ? paint.bad(text) : text;
}

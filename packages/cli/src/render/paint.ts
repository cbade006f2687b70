import { styleText } from "node:util";
import type { Terminal } from "../terminal.ts";

type Style = (text: string) => string;

/** Functions that colour a text by its meaning. Without colours each returns the text unchanged. */
export interface Paint {
  readonly good: Style;
  readonly bad: Style;
  readonly warn: Style;
  readonly dim: Style;
  readonly strong: Style;
}

/** The colours for a command's output. There are none with --no-color, with NO_COLOR, or without a terminal. */
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

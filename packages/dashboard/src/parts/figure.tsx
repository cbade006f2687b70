import { type ReactNode, useState } from "react";
import { plainText, UNKNOWN } from "../format/numbers.ts";

export type Tone = "plain" | "gain" | "loss" | "muted" | "notice" | "warn" | "danger";

const TONES: Readonly<Record<Tone, string>> = {
  plain: "",
  gain: "text-gain",
  loss: "text-loss",
  muted: "text-muted",
  notice: "text-notice",
  warn: "text-warn",
  danger: "text-danger",
};

/** The colour of a gain or a loss; zero and unknown are plain. The text has a sign too. */
export function toneOf(value: number | null | undefined): Tone {
  if (value === null || value === undefined || value === 0) return "plain";
  return value > 0 ? "gain" : "loss";
}

interface FigureProps {
  /** The exact value. Null when it is unknown, which is shown as `--`. */
  readonly value: number | null | undefined;
  /** Writes the value as text, such as `moneyText`. */
  readonly as: (value: number | null | undefined) => string;
  /** The name of the field in the API, so that a developer can find the number there. */
  readonly field?: string;
  readonly tone?: Tone;
  readonly unit?: string;
  /** How many characters at the end are shown lighter, such as the decimals beyond the cent. */
  readonly faint?: number;
}

/**
 * A number. Its digits have the same width, hovering shows the exact value and the name of the API's field, and a
 * change is highlighted briefly.
 */
export function Figure({ value, as, field, tone = "plain", unit, faint = 0 }: FigureProps) {
  const text = as(value);
  const weighty = text.length - (text === UNKNOWN ? 0 : faint);
  // A value that rounds to zero has no sign, and so no colour either.
  const isSigned = tone === "gain" || tone === "loss";
  const shownTone = isSigned && !/[1-9]/.test(text) ? "plain" : tone;
  const exact = value === null || value === undefined ? "unknown" : plainText(value);
  const hover = field === undefined ? exact : `${exact} · ${field}`;
  return (
    <span
      className={`figure whitespace-nowrap ${TONES[shownTone]}`}
      title={hover}
      data-field={field}
    >
      <Flashing text={text.slice(0, weighty)} />
      {weighty < text.length && <span className="text-muted">{text.slice(weighty)}</span>}
      {unit !== undefined && text !== UNKNOWN && <span className="text-muted"> {unit}</span>}
    </span>
  );
}

/** A figure with the colour of a gain or a loss. */
export function GainFigure(props: Omit<FigureProps, "tone">) {
  return <Figure {...props} tone={toneOf(props.value)} />;
}

interface NamedProps {
  /** The exact value; null when it is unknown. */
  readonly value: string | number | null;
  /** The name of the field in the API. */
  readonly field: string;
  readonly children: ReactNode;
}

/** Words or a time. As for a figure, hovering shows the exact value and the name of the API's field. */
export function NamedValue({ value, field, children }: NamedProps) {
  const exact = typeof value === "number" ? plainText(value) : (value ?? "unknown");
  return (
    <span title={`${exact} · ${field}`} data-field={field}>
      {children}
    </span>
  );
}

/** The text, which is highlighted briefly at every change, but not when it first appears. */
function Flashing({ text }: { readonly text: string }) {
  const [seen, setSeen] = useState({ text, changes: 0 });
  if (seen.text !== text) setSeen({ text, changes: seen.changes + 1 });
  return (
    <span key={seen.changes} className={seen.changes === 0 ? "" : "flash rounded-xs"}>
      {text}
    </span>
  );
}

interface TileProps {
  readonly label: string;
  readonly children: ReactNode;
  /** The small text below the figure. */
  readonly note?: ReactNode;
}

/** One of the main figures in the first row of a page. */
export function Tile({ label, children, note }: TileProps) {
  return (
    <div className="min-w-0 rounded-box border border-line bg-panel px-4 py-3">
      <div className="text-xs text-muted">{label}</div>
      <div className="figure mt-0.5 text-xl leading-7 font-semibold">{children}</div>
      <div className="figure mt-0.5 min-h-5 text-xs text-muted">{note}</div>
    </div>
  );
}

/** A list of names with their values. */
export function Facts({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <dl className="grid grid-cols-[auto_1fr] content-start gap-x-6 gap-y-1.5">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="figure min-w-0 text-right wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

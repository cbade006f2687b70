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

/** Colours of gains and losses. The text has a sign too. */
export function toneOf(value: number | null | undefined): Tone {
  if (value === null || value === undefined || value === 0) return "plain";
  return value > 0 ? "gain" : "loss";
}

interface FigureProps {
  /** The exact value; null when unknown, shown as `--`. */
  readonly value: number | null | undefined;
  /** Formats the value, such as `moneyText`. */
  readonly as: (value: number | null | undefined) => string;
  /** The field's name in the API, so that a developer can find the number there. */
  readonly field?: string;
  readonly tone?: Tone;
  readonly unit?: string;
  /** The number of last characters shown lighter, such as digits beyond the cent. */
  readonly faint?: number;
}

/** A number: digits of one width, the exact value and the API's name on hover, a soft flash when it changes. */
export function Figure({ value, as, field, tone = "plain", unit, faint = 0 }: FigureProps) {
  const text = as(value);
  const weighty = text.length - (text === UNKNOWN ? 0 : faint);
  // A value that rounds to zero has no sign, so it has no colour either.
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

/** A figure that is coloured as a gain or a loss. */
export function Gain(props: Omit<FigureProps, "tone">) {
  return <Figure {...props} tone={toneOf(props.value)} />;
}

interface NamedProps {
  /** The exact value; null when unknown. */
  readonly value: string | number | null;
  /** The field's name in the API. */
  readonly field: string;
  readonly children: ReactNode;
}

/** Words or a time: like a figure, with the exact value and the API's name on hover. */
export function Named({ value, field, children }: NamedProps) {
  const exact = typeof value === "number" ? plainText(value) : (value ?? "unknown");
  return (
    <span title={`${exact} · ${field}`} data-field={field}>
      {children}
    </span>
  );
}

/** The text, highlighted briefly on every change but not when it first appears. */
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
  /** Small text below the figure. */
  readonly note?: ReactNode;
}

/** A main figure in the first row of a page. */
export function Tile({ label, children, note }: TileProps) {
  return (
    <div className="min-w-0 rounded-box border border-line bg-panel px-4 py-3">
      <div className="text-xs text-muted">{label}</div>
      <div className="figure mt-0.5 text-xl leading-7 font-semibold">{children}</div>
      <div className="figure mt-0.5 min-h-5 text-xs text-muted">{note}</div>
    </div>
  );
}

/** A list of names and values. */
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

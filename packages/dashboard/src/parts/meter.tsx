/** The used shares, in percent, from which on a limit has the colour of a notice, a warning or a danger. */
const NOTICE_FROM = 50;
const WARN_FROM = 75;
const DANGER_FROM = 90;

/** How close a limit is to being used up; `unknown` when its used share is unknown. */
export type LimitSeverity = "ok" | "notice" | "warn" | "danger" | "unknown";

/** How close a limit is to being used up, by its used share in percent. */
export function limitSeverityOf(usedShare: number | null): LimitSeverity {
  if (usedShare === null) return "unknown";
  if (usedShare >= DANGER_FROM) return "danger";
  if (usedShare >= WARN_FROM) return "warn";
  return usedShare >= NOTICE_FROM ? "notice" : "ok";
}

const FILLS: Readonly<Record<LimitSeverity, string>> = {
  ok: "bg-accent",
  notice: "bg-notice",
  warn: "bg-warn",
  danger: "bg-danger",
  unknown: "bg-line",
};

interface MeterProps {
  readonly label: string;
  /** The share in percent, from 0 to 100; null when it is unknown. */
  readonly share: number | null;
  /** The share in words, for screen readers. */
  readonly text: string;
  /** True for a limit, whose colour shows how much of it is used. False for progress. */
  readonly isLimit?: boolean;
}

/** Shows a share as a bar. The bar of a limit has a color for its severity. */
export function Meter({ label, share, text, isLimit = true }: MeterProps) {
  const severity = limitSeverityOf(share);
  const shown = Math.min(100, Math.max(0, share ?? 0));
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={shown}
      aria-valuetext={text}
      data-strain={isLimit ? severity : "ok"}
      className="h-2 overflow-hidden rounded-full bg-raised"
    >
      <div
        className={`h-full rounded-full motion-safe:transition-[width] motion-safe:duration-150 ${FILLS[isLimit ? severity : "ok"]}`}
        style={{ width: `${shown}%` }}
      />
    </div>
  );
}

/** Thresholds for the colours of a limit: half, three quarters, nine tenths used. */
const NOTICE_FROM = 50;
const WARN_FROM = 75;
const DANGER_FROM = 90;

export type Strain = "ok" | "notice" | "warn" | "danger" | "unknown";

/** The state of a limit by its used share in percent. */
export function strainOf(usedShare: number | null): Strain {
  if (usedShare === null) return "unknown";
  if (usedShare >= DANGER_FROM) return "danger";
  if (usedShare >= WARN_FROM) return "warn";
  return usedShare >= NOTICE_FROM ? "notice" : "ok";
}

const FILLS: Readonly<Record<Strain, string>> = {
  ok: "bg-accent",
  notice: "bg-notice",
  warn: "bg-warn",
  danger: "bg-danger",
  unknown: "bg-line",
};

interface MeterProps {
  readonly label: string;
  /** Percent, 0 to 100; null when unknown. */
  readonly share: number | null;
  /** Text for screen readers. */
  readonly text: string;
  /** True for a limit, which is coloured as it is used up. False for progress. */
  readonly isLimit?: boolean;
}

/** A share as a bar. */
export function Meter({ label, share, text, isLimit = true }: MeterProps) {
  const strain = strainOf(share);
  const shown = Math.min(100, Math.max(0, share ?? 0));
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={shown}
      aria-valuetext={text}
      data-strain={isLimit ? strain : "ok"}
      className="h-2 overflow-hidden rounded-full bg-raised"
    >
      <div
        className={`h-full rounded-full motion-safe:transition-[width] motion-safe:duration-150 ${FILLS[isLimit ? strain : "ok"]}`}
        style={{ width: `${shown}%` }}
      />
    </div>
  );
}

import { distanceText } from "../format/numbers.ts";
import { Figure } from "../parts/figure.tsx";
import { breachText, limitStateText, remainingLossText } from "../parts/limit-words.ts";
import { Notice } from "../parts/notice.tsx";
import { useTickOf } from "../parts/price.tsx";
import { useAccountLive } from "./account-live.tsx";
import { type NearLimit, nearLimit } from "./near-limit.ts";

/**
 * The first line of every page of the account when at least half of a loss limit is used. From three quarters on it is
 * a banner, which is red from nine tenths on.
 */
export function LimitNotice() {
  const { state } = useAccountLive();
  const tickOf = useTickOf();
  const near = state === null ? null : nearLimit(state);
  if (state === null || near === null) return null;
  const { limit, severity } = near;
  const isDanger = severity === "danger";
  const line = (
    <>
      {/* Screen readers announce the first words when they change, but never the figures. */}
      <strong role={isDanger ? "alert" : "status"} className={`font-semibold ${WORDS[severity]}`}>
        {limit.name} limit: {limitStateText(limit)}.
      </strong>{" "}
      <Figure
        value={limit.remainingNow}
        as={distanceText}
        field={`${limit.field}.remainingNow`}
        unit="USD"
      />{" "}
      {remainingLossText(limit)}. {breachText(limit, state, tickOf)}
    </>
  );
  return (
    <div data-near-limit={severity}>
      {severity === "notice" ? (
        <p>{line}</p>
      ) : (
        <Notice kind={severity} isSilent>
          {line}
        </Notice>
      )}
    </div>
  );
}

const WORDS: Readonly<Record<NearLimit["severity"], string>> = {
  notice: "text-notice",
  warn: "",
  danger: "text-danger",
};

import { distanceText } from "../format/numbers.ts";
import { Figure } from "../parts/figure.tsx";
import { breachText, leftText, strainText } from "../parts/limit-words.ts";
import { Notice } from "../parts/notice.tsx";
import { useTickOf } from "../parts/price.tsx";
import { useAccountLive } from "./account-live.tsx";
import { nearLimit } from "./near-limit.ts";

/** Warns on every page of the account when a loss limit is three quarters used, red from nine tenths. */
export function LimitNotice() {
  const { state } = useAccountLive();
  const tickOf = useTickOf();
  const near = state === null ? null : nearLimit(state);
  if (state === null || near === null) return null;
  const { limit, strain } = near;
  const isDanger = strain === "danger";
  return (
    // The first words are announced when they change, the figures never.
    <div data-near-limit={strain}>
      <Notice kind={strain} isSilent>
        <strong
          role={isDanger ? "alert" : "status"}
          className={`font-semibold ${isDanger ? "text-danger" : ""}`}
        >
          {limit.name} limit: {strainText(limit)}.
        </strong>{" "}
        <Figure
          value={limit.remainingNow}
          as={distanceText}
          field={`${limit.field}.remainingNow`}
          unit="USD"
        />{" "}
        {leftText(limit)}. {breachText(limit, state, tickOf)}
      </Notice>
    </div>
  );
}

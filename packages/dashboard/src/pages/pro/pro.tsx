import type { Account, Linked, ObjectiveDay, ProPhase, ProTrack } from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { getData } from "../../api/call.ts";
import { useNow } from "../../clock.tsx";
import { moneyText, percentText, UNKNOWN } from "../../format/numbers.ts";
import { countdownText, timeText } from "../../format/times.ts";
import { useAccountLive } from "../../live/account-live.tsx";
import { hasEnded } from "../../live/near-limit.ts";
import { Figure, NamedValue, Tile } from "../../parts/figure.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Notice } from "../../parts/notice.tsx";
import { NotOnTrack } from "./not-on-track.tsx";
import { ObjectivePanel } from "./objective-panel.tsx";

/** The pro track of an account: its phase, its objectives and their history. */
export function ProPage() {
  const { accountId, state, problem } = useAccountLive();
  return (
    <>
      <h1 className="sr-only">Pro track</h1>
      <Loaded
        query={{
          data: state ?? undefined,
          error: state === null && problem !== null ? new Error(problem) : null,
          refetch: () => location.reload(),
        }}
        heightClass="min-h-96"
      >
        {(shown) => (
          <Track accountId={accountId} account={shown.account} isOver={hasEnded(shown)} />
        )}
      </Loaded>
    </>
  );
}

function Track({
  accountId,
  account,
  isOver,
}: {
  readonly accountId: string;
  readonly account: Account<Linked> | null;
  readonly isOver: boolean;
}) {
  if (account === null) {
    return (
      <Notice kind="warn">
        The open positions cannot be valued now. The figures return with fresh prices.
      </Notice>
    );
  }
  if (account.proTrack === null) return <NotOnTrack accountId={accountId} isOver={isOver} />;
  return <OnTrack accountId={accountId} account={account} track={account.proTrack} />;
}

const PHASES: Readonly<Record<ProPhase, { readonly name: string; readonly words: string }>> = {
  transition: {
    name: "Transition",
    words:
      "The standard account winds down: positions can be reduced and closed, but not opened. At the end, the remaining positions are closed and the pro account starts.",
  },
  challenge: {
    name: "Challenge",
    words:
      "The account becomes a funded pro account when all four objectives are met at 00:00 UTC. Positions and statistics stay unchanged.",
  },
  funded: {
    name: "Funded",
    words:
      "Every week is paid in full. If a day ends with the Calmar ratio or consistency beyond its objective, the week's reward is held.",
  },
};

function OnTrack({
  accountId,
  account,
  track,
}: {
  readonly accountId: string;
  readonly account: Account<Linked>;
  readonly track: ProTrack<Linked>;
}) {
  const days = useQuery({
    queryKey: ["account", accountId, "objectives"],
    queryFn: ({ signal }) =>
      getData<readonly ObjectiveDay[]>(`accounts/${accountId}/objectives`, signal),
  });
  return (
    <div className="flex flex-col gap-4">
      <Tiles account={account} track={track} />
      <Notice kind={track.softBreach === true ? "warn" : "info"}>
        <p>{PHASES[track.phase].words}</p>
        {track.softBreach === true && (
          <p className="mt-1 font-medium">
            Soft breach: this week's reward is held. The next week without one releases it.
          </p>
        )}
        {!track.hasStats && (
          <p className="mt-1">There are no pro statistics yet. They begin with the pro account.</p>
        )}
        {track.hasStats && !track.evaluated && (
          <p className="mt-1">Some values appear after the first full trading day.</p>
        )}
      </Notice>
      <div className="grid gap-4 md:grid-cols-2">
        {track.objectives.map((objective, index) => (
          <ObjectivePanel
            key={objective.key}
            objective={objective}
            field={`proTrack.objectives[${index}].value`}
            days={days}
          />
        ))}
      </div>
    </div>
  );
}

function Tiles({
  account,
  track,
}: {
  readonly account: Account<Linked>;
  readonly track: ProTrack<Linked>;
}) {
  const isKnown = track.objectives.some((objective) => objective.met !== null);
  const met = track.objectives.filter((objective) => objective.met === true).length;
  const { phase, proAccountSize, standardAccountSize, transitionEndsAtMs } = track;
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Tile
        label="Phase"
        note={
          transitionEndsAtMs === null ? (
            `${account.evaluation.status}, ${account.challenge.bucket}`
          ) : (
            <TransitionEnd endsAtMs={transitionEndsAtMs} />
          )
        }
      >
        <NamedValue value={phase} field="proTrack.phase">
          {PHASES[phase].name}
        </NamedValue>
      </Tile>
      <Tile
        label="Objectives met"
        note={account.tradingDays === null ? "" : `${account.tradingDays} full trading days`}
      >
        {isKnown ? met : UNKNOWN} of {track.objectives.length}
      </Tile>
      <Tile
        label="Pro account size"
        note={
          <>
            standard{" "}
            <Figure
              value={standardAccountSize}
              as={moneyText}
              field="proTrack.standardAccountSize"
            />
          </>
        }
      >
        <Figure value={proAccountSize} as={moneyText} field="proTrack.proAccountSize" />
      </Tile>
      <Tile label="Deepest drawdown" note={softBreachWords(track)}>
        <Figure
          value={track.maxDrawdownPercent}
          as={percentText}
          field="proTrack.maxDrawdownPercent"
        />
      </Tile>
    </div>
  );
}

function TransitionEnd({ endsAtMs }: { readonly endsAtMs: number }) {
  const now = useNow();
  return (
    <NamedValue value={endsAtMs} field="proTrack.transitionEndsAtMs">
      ends in {countdownText(endsAtMs, now)}, at {timeText(endsAtMs)} UTC
    </NamedValue>
  );
}

function softBreachWords({ softBreachApplies, softBreach, hasStats }: ProTrack<Linked>): string {
  if (!hasStats) return UNKNOWN;
  if (!softBreachApplies) return "soft breach: only once funded";
  if (softBreach === null) return UNKNOWN;
  return softBreach ? "soft breach this week" : "no soft breach this week";
}

import { plainText } from "../../../format/numbers.ts";
import { useAccountLive } from "../../../live/account-live.tsx";
import { Button } from "../../../parts/button.tsx";
import { Meter } from "../../../parts/meter.tsx";
import { ProofRow } from "../proof-row.tsx";
import type { JournalProgress } from "./judge-journal.ts";
import { JudgementResult } from "./judgement-result.tsx";
import { type JudgingState, useJudging } from "./use-judging.ts";

const DECIDED =
  "Each line was decided from its inputs: the order or time, the prices and the rules. Your browser decides " +
  "every line again from them. So a wrong fill, fee or limit is detected, even when its hash fits.";
const OBSERVED =
  "Each line was read at the validator, which made the decisions. Your browser cannot make them again. It computes " +
  "the hashes of all lines, so a changed line is detected.";

/**
 * Makes the browser decide every line of the journal again, and shows the first line that differs. The lines of a
 * linked account are not decisions, so only their hashes are checked.
 */
export function JudgeAgain({ accountId }: { readonly accountId: string }) {
  const { state, start, cancel } = useJudging(accountId);
  const isLinked = useAccountLive().state?.network === "vanta";
  const isRunning = state.kind === "running";
  return (
    <ProofRow
      text={isLinked ? OBSERVED : DECIDED}
      action={
        // One button serves both actions, so that it keeps the focus when the action changes.
        <Button kind={isRunning ? "plain" : "primary"} onClick={isRunning ? cancel : start}>
          {isRunning ? "Cancel" : state.kind === "failed" ? "Continue" : "Judge again"}
        </Button>
      }
    >
      {isRunning && <Progress progress={state.progress} />}
      <div aria-live="polite" className="mt-1 min-h-5">
        <Status state={state} />
      </div>
    </ProofRow>
  );
}

function Status({ state }: { readonly state: JudgingState }) {
  switch (state.kind) {
    case "idle":
    case "running":
      return null;
    case "cancelled":
      return "Cancelled. Nothing was found out.";
    case "failed":
      return (
        <span className="text-danger">
          {state.why} {stoppedAfter(state.progress)}
        </span>
      );
    case "judged":
      return <JudgementResult judgement={state.judgement} />;
  }
}

function stoppedAfter(progress: JournalProgress | null): string {
  if (progress === null) return "";
  return `No line up to ${plainText(progress.lines)} of ${plainText(progress.version)} differs so far.`;
}

const PERCENT = 100;

function Progress({ progress }: { readonly progress: JournalProgress | null }) {
  const { lines, version } = progress ?? { lines: 0, version: 0 };
  const text =
    progress === null
      ? "Loading the journal…"
      : `${plainText(lines)} of ${plainText(version)} lines judged`;
  return (
    <div className="mt-2 flex flex-col gap-1">
      <Meter
        label="Judged lines"
        share={version === 0 ? 0 : (lines / version) * PERCENT}
        text={text}
        isLimit={false}
      />
      <span className="figure text-xs text-muted">{text}</span>
    </div>
  );
}

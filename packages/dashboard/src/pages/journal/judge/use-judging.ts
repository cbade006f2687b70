import { useEffect, useRef, useState } from "react";
import type { JournalProgress, Judging, ReleaseJudgement } from "./judge-journal.ts";

export type JudgingState =
  | { readonly kind: "idle" }
  | { readonly kind: "running"; readonly progress: JournalProgress | null }
  | { readonly kind: "cancelled" }
  /** `progress` is null when no line was judged. */
  | {
      readonly kind: "failed";
      readonly why: string;
      readonly progress: JournalProgress | null;
    }
  | { readonly kind: "judged"; readonly judgement: ReleaseJudgement };

interface JudgingControl {
  readonly state: JudgingState;
  /** Starts a judgement, or continues the one that failed. */
  readonly start: () => void;
  readonly cancel: () => void;
}

const NOT_LOADED = "The script that judges could not be loaded. Reload the page and try again.";

/** Judges the account's journal when the person starts it. The judgement ends with the page. */
export function useJudging(accountId: string): JudgingControl {
  const [state, setState] = useState<JudgingState>({ kind: "idle" });
  const judging = useRef<Judging | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const judge = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    let present = judging.current;
    const progress = (): JournalProgress | null => present?.progress ?? null;
    const show = (next: JudgingState): void => {
      if (running.current === controller && !controller.signal.aborted) setState(next);
    };
    setState({ kind: "running", progress: progress() });
    try {
      present ??= await loadJudging(accountId);
      if (controller.signal.aborted) return;
      judging.current = present;
      const judgement = await present.run(controller.signal, () =>
        show({ kind: "running", progress: progress() }),
      );
      if (controller.signal.aborted) return;
      judging.current = null;
      show({ kind: "judged", judgement });
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      show({ kind: "failed", why, progress: progress() });
    }
  };
  return {
    state,
    start: () => void judge(),
    cancel: () => {
      running.current?.abort();
      judging.current = null;
      setState({ kind: "cancelled" });
    },
  };
}

async function loadJudging(accountId: string): Promise<Judging> {
  const script = await import("./judge-journal.ts").catch((cause: unknown) => {
    throw new Error(NOT_LOADED, { cause });
  });
  return script.prepareJudging(accountId);
}

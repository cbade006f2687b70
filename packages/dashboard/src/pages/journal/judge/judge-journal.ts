/**
 * Judges a journal in the browser. No other code of the pages contains the trading network, so this is a script of its
 * own that is loaded on demand.
 */
import { sha256 as digest } from "@noble/hashes/sha2.js";
import { JOURNAL_EXPORT } from "@propgate/contract";
import {
  CORE_VERSION,
  type JournalFileJudge,
  type Judgement,
  judgeJournalFile,
  type Sha256,
} from "@propgate/core";
import { CallFailed, readText } from "../../../api/call.ts";

export interface JournalProgress {
  readonly lines: number;
  readonly version: number;
}

/** A judgement of a journal, and the release that has made it. */
export interface ReleaseJudgement extends Judgement {
  readonly release: string;
}

/** A judgement of a journal that can be continued after a failure. */
export interface Judging {
  /** How many lines have been judged so far; null before the first line. */
  readonly progress: JournalProgress | null;
  /**
   * Judges from the last judged line on. Rejects when a line cannot be read. @throws CallFailed, or the reason of the
   * signal
   */
  run(signal: AbortSignal, onProgress: () => void): Promise<ReleaseJudgement>;
}

/** The number of journal lines that one call loads. */
const PART_LINES = 1_000;
/** The number of lines that are judged without a pause. They take about 10 ms, so that the page stays usable. */
const SLICE_TEXTS = 50;

/** Prepares a judgement of the account's journal in this browser. `run` starts it and continues it after a failure. */
export function prepareJudging(accountId: string): Judging {
  let judge = judgeJournalFile(sha256);
  return {
    get progress() {
      return judge.progress;
    },
    async run(signal, onProgress) {
      let isUnfinished = true;
      while (isUnfinished) {
        const before = judge.progress?.lines ?? 0;
        const texts = await readPart(accountId, judge.progress, signal);
        isUnfinished = await readTexts(judge, texts, () => {
          signal.throwIfAborted();
          onProgress();
        });
        // When an answer contains no new line, the rest of the journal is missing.
        if (judge.progress?.lines === before) isUnfinished = false;
      }
      const judgement = judge.judgement();
      if (judgement !== null) return { ...judgement, release: CORE_VERSION };
      judge = judgeJournalFile(sha256);
      throw new CallFailed(NOT_A_JOURNAL, { status: 0 });
    },
  };
}

const NOT_A_JOURNAL = "The answer of the service is not a journal. Reload the page and try again.";

/**
 * Loads the texts of the next journal lines. The last line that is loaded is that of the version in the first answer,
 * even when the journal has grown since.
 */
async function readPart(
  accountId: string,
  progress: JournalProgress | null,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { lines, version } = progress ?? { lines: 0, version: PART_LINES };
  const limit = Math.min(PART_LINES, version - lines);
  const path = `accounts/${accountId}/${JOURNAL_EXPORT}?after=${lines}&limit=${limit}`;
  return (await readText(path, signal)).split("\n").filter((text) => text !== "");
}

/**
 * Judges these texts. False when no further line is needed, because there is none or the verdict does not depend on the
 * rest.
 */
async function readTexts(
  judge: JournalFileJudge,
  texts: readonly string[],
  afterSlice: () => void,
): Promise<boolean> {
  for (let at = 0; at < texts.length; at += SLICE_TEXTS) {
    const isDecided = !texts.slice(at, at + SLICE_TEXTS).every((text) => judge.read(text));
    afterSlice();
    if (isDecided) return false;
    await nextTask();
  }
  return judge.progress === null || judge.progress.lines < judge.progress.version;
}

/** Resolves after the browser could draw and handle input. Unlike a timer, this is not slowed down in a hidden tab. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

const encoder = new TextEncoder();

const sha256: Sha256 = (text, before) => {
  const hash = digest.create();
  if (before !== undefined) hash.update(before);
  return hash.update(encoder.encode(text)).digest();
};

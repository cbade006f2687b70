/**
 * Judges a journal in the browser. The only code of the pages that contains the trading network, so it is a script of
 * its own, loaded on demand.
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

/** A judgement, and the release that made it. */
export interface ReleaseJudgement extends Judgement {
  readonly release: string;
}

/** One judgement of a journal, which can be continued after a failure. */
export interface Judging {
  /** Null before the first line. */
  readonly progress: JournalProgress | null;
  /** Continues after the last judged line. @throws CallFailed, or the reason of the signal */
  run(signal: AbortSignal, onProgress: () => void): Promise<ReleaseJudgement>;
}

/** Lines of a call. */
const PART_LINES = 1_000;
/** About a hundredth of a second of work, so that the page stays usable. */
const SLICE_TEXTS = 50;

export function judgeAgain(accountId: string): Judging {
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
        // A part without a new line: the rest of the journal is missing.
        if (judge.progress?.lines === before) isUnfinished = false;
      }
      const judgement = judge.judgement();
      if (judgement !== null) return { ...judgement, release: CORE_VERSION };
      judge = judgeJournalFile(sha256);
      throw new CallFailed(TORN, { status: 0 });
    },
  };
}

const TORN = "The answer of the service is not a journal. Reload the page and try again.";

/** The texts of the next lines, up to the version that the first part has named. */
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

/** False when no line is left, or the verdict does not depend on the rest. */
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

/** Lets the browser draw and handle input. Unlike a timer, it is not slowed down in a hidden tab. */
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

import { createRecordingTape } from "../../../market/src/prices/tape/tape-writer.ts";
import { madeNumberedQuote } from "./made-numbered-quote.ts";

/**
 * A process that records quotes of two pairs until it is killed, and prints the last number that is certainly on disk
 * after each flush: `tape-worker.ts FOLDER EPOCH`. Each hour of its clock has 500 quotes.
 */
const [folder, epochText] = process.argv.slice(2);
if (folder === undefined) throw new Error("FOLDER");
const epoch = Number(epochText);
const START_MS = 1_700_049_600_000 + epoch * 86_400_000;
const tape = createRecordingTape({
  folder,
  onRepair: (about) => process.stderr.write(`${about}\n`),
});
await tape.open();
for (let number = 0; ; ) {
  for (let quotes = 0; quotes < 40; quotes += 1) {
    number += 1;
    const pair = number % 3 === 0 ? "EURUSD" : "BTCUSD";
    tape.write(madeNumberedQuote({ epoch, number, pair, atMs: START_MS + number * 7_200 }));
  }
  await tape.flush();
  process.stdout.write(`${number}\n`);
}

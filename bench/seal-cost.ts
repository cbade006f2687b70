import { randomBytes } from "node:crypto";
import { createMessageSeal } from "../packages/base/src/transport/message-seal.ts";
import { createBusMessageReader, writeQuote } from "../packages/cluster/src/bus/bus-message.ts";
import { madeCatalogue, madeInstrument } from "../packages/server/src/testing/made-instrument.ts";
import { madeNumberedQuote } from "../packages/server/src/testing/made-numbered-quote.ts";
import { median, type Row } from "./result-tables.ts";

const START_MS = Date.UTC(2026, 0, 5, 12);
const QUOTES = 50_000;
const ROUNDS = 7;
const INSTALLATION = "d3b07384-d9a0-4c9b-8f3e-1d2c3b4a5f60";
const SUBJECT = `propgate.${INSTALLATION}.v1.quotes.BTCUSD`;

/**
 * The row of sealed messages: a quote that one node seals and writes and another node opens and reads, compared with
 * the same work without a seal.
 */
export function measureSealCost(): Row {
  const seal = createMessageSeal([randomBytes(32)]);
  const instruments = madeCatalogue(madeInstrument("BTCUSD"));
  const reader = createBusMessageReader({ installation: INSTALLATION, instruments });
  const read = (text: string | null): void => {
    if (text === null || "rejected" in reader.quote("BTCUSD", Buffer.from(text))) {
      throw new Error("a quote of this load may not be rejected");
    }
  };
  const write = (number: number): string =>
    writeQuote(INSTALLATION, madeNumberedQuote({ number, atMs: START_MS + number }));
  const sealed: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const one = nanosecondsOf((number) =>
      read(seal.open(seal.seal(write(number), SUBJECT), SUBJECT)),
    );
    const other = nanosecondsOf((number) => read(write(number)));
    // The first round warms up the code of both measurements, so its figures are not used.
    if (round === 0) continue;
    sealed.push(one);
    bare.push(other);
  }
  return {
    what: "a quote from one node to another, without the network between them",
    one: `sealed ${Math.round(median(sealed))} ns`,
    other: `without a seal: ${Math.round(median(bare))} ns`,
    ratio: median(sealed) / median(bare),
    bar: "≤ 3",
  };
}

/** The mean nanoseconds of one call of `pass`. */
function nanosecondsOf(pass: (number: number) => void): number {
  const startedAt = process.hrtime.bigint();
  for (let number = 1; number <= QUOTES; number += 1) pass(number);
  return Number(process.hrtime.bigint() - startedAt) / QUOTES;
}

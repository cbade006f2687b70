import {
  type ChooseAutoRequest,
  type HaltPricesRequest,
  type OperatorPrice,
  PRICE_REASON_LENGTH_MAX,
  type PriceChoiceView,
  type SourcePrice,
  type UseSourceRequest,
} from "@propgate/contract";
import type { UnixMs } from "@propgate/core";
import { z } from "zod";
import { ASSET_CLASS_WORDS } from "../../api/wire.ts";
import type { LaneView } from "../../prices/composition/live-feed.ts";
import type { PairPrices } from "../../prices/composition/price-desk.ts";
import type { ChosenPrices, PriceChoice } from "../../storage/stores/prices/price-choice-store.ts";
import { type Fields, must, type Parsed, parseBody, shortText } from "../json/json-fields.ts";
import { fine, type JsonCall, type JsonReply, refused } from "../json/json-reply.ts";
import {
  type Handle,
  type OperatorCaller,
  type OperatorCallOptions,
  wrong,
} from "./operator-reply.ts";

const SOURCE_LENGTH_MAX = 40;
const WHOLE = "must be a whole number from 0";
const reason = shortText(PRICE_REASON_LENGTH_MAX).refine((text) => text.trim() !== "", {
  error: "must not be blank",
});
const version = z.int(must(WHOLE)).min(0, WHOLE).optional();

const USE = z.strictObject({
  source: shortText(SOURCE_LENGTH_MAX),
  reason: reason.optional(),
  version,
} satisfies Fields<UseSourceRequest>);

const AUTO = z.strictObject({
  reason: reason.optional(),
  version,
} satisfies Fields<ChooseAutoRequest>);

const HALT = z.strictObject({ reason, version } satisfies Fields<HaltPricesRequest>);

interface Decision {
  readonly chosen: ChosenPrices;
  readonly reason: string | null;
  readonly expected: number | null;
}

/** Lists the prices of every pair, also of blocked ones, with their sources and choices. */
export const listPrices: Handle<"price.list"> = async ({ services, clock }) => {
  const { description, isLive } = services.prices;
  const nowMs = clock.now();
  const items = services.prices.list().map((prices) => priceView(prices, nowMs));
  return fine({ nowMs, description, isLive, items });
};

export const useSource: Handle<"price.use"> = (options, call, by) =>
  decide(options, call, {
    by,
    decision: parseBody(USE, call.body, (given) => ({
      chosen: { kind: "use", source: given.source },
      reason: given.reason ?? null,
      expected: given.version ?? null,
    })),
  });

export const chooseAuto: Handle<"price.auto"> = (options, call, by) =>
  decide(options, call, {
    by,
    decision: parseBody(AUTO, call.body, (given) => ({
      chosen: { kind: "auto" },
      reason: given.reason ?? null,
      expected: given.version ?? null,
    })),
  });

export const haltPair: Handle<"price.halt"> = (options, call, by) =>
  decide(options, call, {
    by,
    decision: parseBody(HALT, call.body, (given) => ({
      chosen: { kind: "halt" },
      reason: given.reason,
      expected: given.version ?? null,
    })),
  });

async function decide(
  { services }: OperatorCallOptions,
  { parameters }: JsonCall,
  { by, decision }: { readonly by: OperatorCaller; readonly decision: Parsed<Decision> },
): Promise<JsonReply<PriceChoiceView>> {
  if (!decision.ok) return wrong(decision);
  const { chosen, reason: why, expected } = decision.value;
  const name = (parameters.id ?? "").toUpperCase();
  if (!PAIR_FORM.test(name)) return refused("Pair not found", 404);
  const pair = services.prices.pairOf(name);
  const about = { subject: pair, detail: detailOf(decision.value) };
  const result = await services.prices.choose({ pair, chosen, reason: why, by: by.name, expected });
  if ("version" in result) return fine(choiceView(result), about);
  if ("changed" in result) return { ...refused(changedText(result.changed), 409), about };
  const status = result.refused === "unknownPair" ? 404 : result.refused === "notLive" ? 409 : 400;
  return { ...refused(result.text, status), about };
}

const PAIR_FORM = /^[A-Z0-9][A-Z0-9./:_-]{0,39}$/;

function detailOf({ chosen, reason: why }: Decision): string {
  const what = chosen.kind === "use" ? `use ${chosen.source}` : chosen.kind;
  return why === null ? what : `${what}: ${why}`;
}

function changedText(choice: PriceChoice | null): string {
  if (choice === null) return "version: the pair has no choice yet; look at it again";
  const what = choice.chosen.kind === "use" ? `use ${choice.chosen.source}` : choice.chosen.kind;
  return `${choice.by} has chosen ${what} for ${choice.pair} since; look at it again`;
}

function choiceView({ chosen, ...choice }: PriceChoice): PriceChoiceView {
  return {
    pair: choice.pair,
    kind: chosen.kind,
    source: chosen.kind === "use" ? chosen.source : null,
    reason: choice.reason,
    by: choice.by,
    atMs: choice.atMs,
    version: choice.version,
  };
}

const PERCENT = 100;

function priceView(prices: PairPrices, nowMs: UnixMs): OperatorPrice {
  const { instrument, quote, choice } = prices;
  return {
    pair: instrument.id,
    display: instrument.display,
    assetClass: ASSET_CLASS_WORDS[instrument.assetClass],
    tick: instrument.tick,
    staleAfterMs: instrument.staleAfterMs,
    state: prices.state,
    problem: prices.problem,
    source: prices.source,
    quote: quote === null ? null : { bid: quote.bid, ask: quote.ask, atMs: quote.atMs },
    spreadPercent:
      quote === null ? null : ((quote.ask - quote.bid) / ((quote.ask + quote.bid) / 2)) * PERCENT,
    changes: prices.changes,
    sources: prices.lanes.map((lane) => sourceView(lane, prices.source, nowMs)),
    recent: prices.recent,
    choice: choice === null ? null : choiceView(choice),
    isBlocked: instrument.blocked,
    isRetired: instrument.retired === true,
    holders: prices.holders,
  };
}

function sourceView(lane: LaneView, speaker: string | null, nowMs: UnixMs): SourcePrice {
  const { source, quote, healthySinceMs, connection } = lane;
  return {
    name: source,
    connection: connection.state,
    problem: connection.reason,
    reconnects: connection.reconnects,
    isSpeaking: source === speaker,
    isHealthy: healthySinceMs !== null,
    healthyForMs: healthySinceMs === null ? null : Math.max(0, nowMs - healthySinceMs),
    quote:
      quote === null
        ? null
        : {
            bid: quote.bid,
            ask: quote.ask,
            madeAtMs: quote.madeAtMs,
            receivedAtMs: quote.receivedAtMs,
          },
    lagMs: quote === null || quote.madeAtMs === null ? null : quote.receivedAtMs - quote.madeAtMs,
    accepted: lane.accepted,
    rejected: lane.rejected,
  };
}

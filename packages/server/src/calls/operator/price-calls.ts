import { isDeepStrictEqual } from "node:util";
import {
  type ChooseAutoRequest,
  type HaltPricesRequest,
  type OperatorPrice,
  PRICE_REASON_LENGTH_MAX,
  PRICES_LIST,
  type PriceChoiceView,
  type PriceEffectView,
  type PriceLine,
  type SourcePrice,
  type UseSourceRequest,
} from "@propgate/contract";
import type { PairId, UnixMs } from "@propgate/core";
import type {
  ChoiceEffect,
  ChoiceRefused,
  ChosenPrices,
  PairPrices,
  PairSourceView,
  PriceChoice,
} from "@propgate/market";
import { ASSET_CLASS_WORDS } from "@propgate/wire";
import { z } from "zod";
import { inMemorySource } from "../../storage/lists/in-memory-source.ts";
import {
  type BodyFields,
  fieldErrorTexts,
  type Parsed,
  parseBody,
  problemReply,
  shortTextSchema,
  visibleTextSchema,
} from "../json/json-fields.ts";
import {
  type AuditDetails,
  type JsonCall,
  type JsonReply,
  okReply,
  type RefusedReply,
  refusedReply,
  wrongFieldReply,
} from "../json/json-reply.ts";
import { answerList } from "./lists/list-call.ts";
import type { OperatorCaller, OperatorCallOptions, OperatorHandler } from "./operator-reply.ts";
import type { OperatorServices } from "./operator-services.ts";

const SOURCE_LENGTH_MAX = 40;
const WHOLE = "must be a whole number from 0";
const reason = visibleTextSchema(PRICE_REASON_LENGTH_MAX);
const version = z.int(fieldErrorTexts(WHOLE)).min(0, WHOLE).optional();

const USE = z.strictObject({
  source: shortTextSchema(SOURCE_LENGTH_MAX),
  far: z.boolean(fieldErrorTexts("must be true or false")).default(false),
  reason: reason.optional(),
  version,
} satisfies BodyFields<UseSourceRequest>);

const AUTO = z.strictObject({
  reason: reason.optional(),
  version,
} satisfies BodyFields<ChooseAutoRequest>);

const HALT = z.strictObject({ reason, version } satisfies BodyFields<HaltPricesRequest>);

/**
 * A choice of an operator for a pair's prices: a source, `auto` or a halt. `expected` is the version of the choice that
 * the operator saw; null when the request has none.
 */
interface Decision {
  readonly chosen: ChosenPrices;
  readonly reason: string | null;
  readonly expected: number | null;
}

/** Lists the prices of every pair, including blocked pairs. */
export const listPrices: OperatorHandler<"prices.list"> = (options, call) => {
  const nowMs = options.clock.now();
  const items = options.services.prices.list().map((prices) => priceLine(prices, nowMs));
  return answerList(options, call, "prices.list", inMemorySource(PRICES_LIST, items));
};

/** Shows the prices of a pair with its sources, the last minutes and the choice. */
export const showPrice: OperatorHandler<"prices.get"> = async (
  { services, clock },
  { parameters },
) => {
  const pair = pairNamed(services, parameters.id);
  const prices = services.prices.list().find(({ instrument }) => instrument.id === pair);
  if (prices === undefined) return NO_PAIR;
  const { description, isLive } = services.prices;
  const nowMs = clock.now();
  return okReply({ nowMs, description, isLive, ...priceView(prices, nowMs) });
};

/** Shows the effect that the choice of a source would have at this moment. @rule D13.choiceEffect */
export const showEffect: OperatorHandler<"prices.effect"> = async (
  { services },
  { parameters, query },
) => {
  const pair = pairNamed(services, parameters.id);
  if (pair === null) return NO_PAIR;
  const { source = "" } = query;
  if (source === "") return wrongFieldReply("source", "is required");
  const effect = services.prices.effectOf(pair, source);
  return "refused" in effect ? choiceRefusalReply(effect) : okReply(effectView(effect));
};

/** Chooses a source for the prices of a pair, and answers the effect of the choice. */
export const useSource: OperatorHandler<"prices.use"> = async (options, call, by) => {
  const decision = parseBody(
    USE,
    call.body,
    ({ source, far, ...given }): Decision => ({
      chosen: { kind: "use", source, isFar: far },
      reason: given.reason ?? null,
      expected: given.version ?? null,
    }),
  );
  const end = await decideChoice(options, call, { by, decision });
  if ("status" in end) return end;
  const { choice, effect, about } = end;
  if (effect === null) throw new Error("broken invariant: the choice of a source has no effect");
  return okReply({ ...choiceView(choice), effect: effectView(effect) }, about);
};

/** Leaves the choice of a source for the pair to the service. */
export const chooseAuto: OperatorHandler<"prices.auto"> = (options, call, by) =>
  answerChoice(options, call, {
    by,
    decision: parseBody(AUTO, call.body, (given) => ({
      chosen: { kind: "auto" },
      reason: given.reason ?? null,
      expected: given.version ?? null,
    })),
  });

/** Halts the prices of a pair. */
export const haltPair: OperatorHandler<"prices.halt"> = (options, call, by) =>
  answerChoice(options, call, {
    by,
    decision: parseBody(HALT, call.body, (given) => ({
      chosen: { kind: "halt" },
      reason: given.reason,
      expected: given.version ?? null,
    })),
  });

interface Request {
  readonly by: OperatorCaller;
  readonly decision: Parsed<Decision>;
}

interface Decided {
  readonly choice: PriceChoice;
  readonly effect: ChoiceEffect | null;
  readonly about: AuditDetails;
}

async function answerChoice(
  options: OperatorCallOptions,
  call: JsonCall,
  request: Request,
): Promise<JsonReply<PriceChoiceView>> {
  const end = await decideChoice(options, call, request);
  return "status" in end ? end : okReply(choiceView(end.choice), end.about);
}

async function decideChoice(
  { services }: OperatorCallOptions,
  { parameters, act }: JsonCall,
  { by, decision }: Request,
): Promise<Decided | RefusedReply> {
  if (!decision.ok) return problemReply(decision);
  const { chosen, reason: why, expected } = decision.value;
  const pair = pairNamed(services, parameters.id);
  if (pair === null) return NO_PAIR;
  const about = { subject: pair, detail: detailOf(decision.value) };
  const wanted = { pair, chosen, reason: why, by: by.name };
  const before = act?.isRepeat === true ? choiceBefore(services, wanted) : null;
  const result = before ?? (await services.prices.choose({ ...wanted, expected }));
  if ("choice" in result) return { ...result, about };
  if ("changed" in result) return { ...changedRefusal(result.changed), about };
  return { ...choiceRefusalReply(result), about };
}

/**
 * The choice in force, with its effect, when it equals the choice that is to be made. Null for any other choice, and
 * when its effect cannot be computed any more.
 */
function choiceBefore(
  { prices }: OperatorServices,
  { pair, ...wanted }: Omit<PriceChoice, "atMs" | "version">,
): Pick<Decided, "choice" | "effect"> | null {
  const choice = prices.list().find(({ instrument }) => instrument.id === pair)?.choice ?? null;
  if (choice === null) return null;
  const { chosen, reason: why, by } = choice;
  if (!isDeepStrictEqual({ chosen, reason: why, by }, wanted)) return null;
  const effect = chosen.kind === "use" ? prices.effectOf(pair, chosen.source) : null;
  return effect !== null && "refused" in effect ? null : { choice, effect };
}

const NO_PAIR = refusedReply("Pair not found", 404);

function pairNamed({ prices }: OperatorServices, name = ""): PairId | null {
  const typed = name.toUpperCase();
  return PAIR_FORM.test(typed) ? prices.pairOf(typed) : null;
}

const REFUSED_STATUS: Readonly<Record<ChoiceRefused["refused"], 400 | 404 | 409>> = {
  unknownPair: 404,
  notLive: 409,
  unknownSource: 400,
  far: 409,
};

function choiceRefusalReply({ refused: kind, text, field }: ChoiceRefused): RefusedReply {
  return refusedReply(text, REFUSED_STATUS[kind], field);
}

function effectView({ reached, from, to, ...effect }: ChoiceEffect): PriceEffectView {
  return {
    ...effect,
    from,
    to,
    triggers: reached.triggers,
    triggeredAccounts: reached.accounts,
  };
}

const PAIR_FORM = /^[A-Z0-9][A-Z0-9./:_-]{0,39}$/;

function detailOf({ chosen, reason: why }: Decision): string {
  const far = chosen.kind === "use" && chosen.isFar ? ", far" : "";
  const what = chosen.kind === "use" ? `use ${chosen.source}${far}` : chosen.kind;
  return why === null ? what : `${what}: ${why}`;
}

function changedRefusal(choice: PriceChoice | null): RefusedReply {
  if (choice === null) {
    return wrongFieldReply("version", "the pair has no choice yet; look at it again", 409);
  }
  const what = choice.chosen.kind === "use" ? `use ${choice.chosen.source}` : choice.chosen.kind;
  return refusedReply(`${choice.by} has chosen ${what} for ${choice.pair} since; look at it again`);
}

function choiceView({ chosen, ...choice }: PriceChoice): PriceChoiceView {
  return {
    pair: choice.pair,
    kind: chosen.kind,
    source: chosen.kind === "use" ? chosen.source : null,
    far: chosen.kind === "use" && chosen.isFar,
    reason: choice.reason,
    by: choice.by,
    atMs: choice.atMs,
    version: choice.version,
  };
}

const PERCENT = 100;

/** The fields that the view of one pair and a line of the list share. */
function pairFields({ instrument, quote, ...prices }: PairPrices) {
  return {
    pair: instrument.id,
    display: instrument.display,
    assetClass: ASSET_CLASS_WORDS[instrument.assetClass],
    tick: instrument.tick,
    staleAfterMs: instrument.staleAfterMs,
    state: prices.state,
    problem: prices.problem,
    source: prices.source,
    spreadPercent:
      quote === null ? null : ((quote.ask - quote.bid) / ((quote.ask + quote.bid) / 2)) * PERCENT,
    changes: prices.changes,
    isBlocked: instrument.blocked,
    isRetired: instrument.retired === true,
    holders: prices.holders,
  };
}

function priceView(
  prices: PairPrices,
  nowMs: UnixMs,
): Omit<OperatorPrice, "nowMs" | "description" | "isLive"> {
  const { quote, choice } = prices;
  return {
    ...pairFields(prices),
    quote: quote === null ? null : { bid: quote.bid, ask: quote.ask, atMs: quote.atMs },
    sources: sourceViews(prices, nowMs),
    recent: prices.recent,
    choice: choice === null ? null : choiceView(choice),
  };
}

function priceLine(prices: PairPrices, nowMs: UnixMs): PriceLine {
  const sources = sourceViews(prices, nowMs);
  const choice = prices.choice === null ? null : choiceView(prices.choice);
  return {
    ...pairFields(prices),
    bid: prices.quote?.bid ?? null,
    ask: prices.quote?.ask ?? null,
    quoteAtMs: prices.quote?.atMs ?? null,
    lagMs: sources.find(({ isSpeaking }) => isSpeaking)?.lagMs ?? null,
    rejected: sum(sources.flatMap(({ rejected }) => Object.values(rejected))),
    reconnects: sum(sources.map(({ reconnects }) => reconnects)),
    choiceKind: choice?.kind ?? "auto",
    choiceSource: choice?.source ?? null,
    choiceReason: choice?.reason ?? null,
    choiceBy: choice?.by ?? null,
    choiceAtMs: choice?.atMs ?? null,
    choiceVersion: choice?.version ?? 0,
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((added, count) => added + count, 0);
}

function sourceViews({ sources, source }: PairPrices, nowMs: UnixMs): readonly SourcePrice[] {
  return sources.map((one) => sourceView(one, source, nowMs));
}

function sourceView(
  { name, quote, healthySinceMs, connection, accepted, rejected }: PairSourceView,
  speaker: string | null,
  nowMs: UnixMs,
): SourcePrice {
  return {
    name,
    connection: connection.state,
    problem: connection.reason,
    reconnects: connection.reconnects,
    isSpeaking: name === speaker,
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
    accepted,
    rejected,
  };
}

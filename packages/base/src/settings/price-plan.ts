/**
 * Parses which sources price which pairs: the setting `PROPGATE_PRICES`. Whether the names of pairs and sources exist
 * is checked later.
 */

/** The asset classes that a plan may name. */
const PLAN_CLASSES = ["crypto", "forex", "indices", "equities", "commodities"] as const;
/** An asset class that a plan may name. */
export type PlanClass = (typeof PLAN_CLASSES)[number];

/** A value for every pair, for the pairs of a class, or for a single pair. The most specific one counts. */
export interface ValuesByPair<Value> {
  /** The value for every pair; null when the plan has none. */
  readonly every: Value | null;
  readonly classes: ReadonlyMap<PlanClass, Value>;
  /** The values of single pairs, by the names as they are written, in upper case. */
  readonly pairs: ReadonlyMap<string, Value>;
}

/** The names of sources for each pair, the preferred one first. */
export type PricePlan = ValuesByPair<readonly string[]>;

/** The sources of prices that no venue makes. A plan has to name one of them alone, and it prices every pair. */
const BUILT_IN_SOURCES = ["simulated", "replay"] as const;
/** The name of a source of prices that no venue makes. */
export type BuiltInSource = (typeof BUILT_IN_SOURCES)[number];

/** The built-in source that the plan names alone; null for any other plan. */
export function builtInSourceOf({ every, classes, pairs }: PricePlan): BuiltInSource | null {
  const [only = ""] = every ?? [];
  const isAlone = every?.length === 1 && classes.size === 0 && pairs.size === 0;
  return isAlone ? findBuiltInSource(only) : null;
}

/** The built-in source with this name; null for any other name. */
export function findBuiltInSource(name: string): BuiltInSource | null {
  return BUILT_IN_SOURCES.find((one) => one === name) ?? null;
}

/** The most specific value for the pair; null when the plan has none for it. */
export function valueForPair<Value>(
  plan: ValuesByPair<Value>,
  pair: { readonly names: readonly string[]; readonly assetClass: PlanClass },
): Value | null {
  for (const name of pair.names) {
    const own = plan.pairs.get(name);
    if (own !== undefined) return own;
  }
  return plan.classes.get(pair.assetClass) ?? plan.every;
}

type ParseResult<Value> = { readonly value: Value } | { readonly problem: string };

const SOURCE_NAME = /^[a-z][a-z0-9_-]{0,39}$/;
const PAIR_NAME = /^[A-Z0-9][A-Z0-9./:_-]{1,39}$/;
const PLAN_FORM = "such as kraken,coinbase or crypto=kraken;forex=oanda,tiingo;AAPL=alpaca";

/** Parses a plan: `kraken,coinbase`, or groups separated by semicolons such as `crypto=kraken,coinbase;AAPL=alpaca`. */
export function parsePricePlan(text: string): ParseResult<PricePlan> {
  return parseByPair(text, parseSources, PLAN_FORM);
}

const LIMIT_FORM = "such as 1 or crypto=1;forex=0.3;AAPL=2";
const PERCENT_MAX = 50;

/** Parses percentages: `1`, or groups separated by semicolons such as `crypto=1;forex=0.3`. */
export function parsePercentByPair(text: string): ParseResult<ValuesByPair<number>> {
  return parseByPair(text, parsePercent, LIMIT_FORM);
}

function parseByPair<Value>(
  text: string,
  parse: (value: string) => ParseResult<Value>,
  form: string,
): ParseResult<ValuesByPair<Value>> {
  const groups = text.split(";").map((group) => group.trim());
  if (groups.at(-1) === "") groups.pop();
  if (groups.length === 0) return { problem: `must not be empty, ${form}` };
  const found: PlanValues<Value> = { every: null, classes: new Map(), pairs: new Map() };
  for (const group of groups) {
    if (group === "") return { problem: `has an empty group between two semicolons, ${form}` };
    const [name, value] = splitGroup(group);
    const parsed = parse(value);
    if ("problem" in parsed) return { problem: `${parsed.problem} in "${group}", ${form}` };
    const problem = addGroupValue(found, name, parsed.value);
    if (problem !== null) return { problem };
  }
  return { value: found };
}

interface PlanValues<Value> {
  every: Value | null;
  readonly classes: Map<PlanClass, Value>;
  readonly pairs: Map<string, Value>;
}

/** Adds a group to the values. Returns the problem with the group's name; null when there is none. */
function addGroupValue<Value>(
  found: PlanValues<Value>,
  name: string | null,
  value: Value,
): string | null {
  if (name === null) {
    if (found.every !== null) return "has two groups for every pair";
    found.every = value;
    return null;
  }
  const planClass = PLAN_CLASSES.find((one) => one === name);
  if (planClass === undefined && !PAIR_NAME.test(name)) {
    return `must name a class (${PLAN_CLASSES.join(", ")}) or a pair in capitals before "=", not "${name}"`;
  }
  const isKnown = planClass === undefined ? found.pairs.has(name) : found.classes.has(planClass);
  if (isKnown) return `names ${name} twice`;
  if (planClass === undefined) found.pairs.set(name, value);
  else found.classes.set(planClass, value);
  return null;
}

/** The name and the value of a group. The name is null when the group is for every pair. */
function splitGroup(group: string): readonly [name: string | null, value: string] {
  const at = group.indexOf("=");
  return at === -1 ? [null, group] : [group.slice(0, at).trim(), group.slice(at + 1)];
}

function parseSources(list: string): ParseResult<readonly string[]> {
  const names = list.split(",").map((name) => name.trim());
  for (const [index, name] of names.entries()) {
    if (name === "") return { problem: "has no source where one is expected" };
    if (!SOURCE_NAME.test(name)) return { problem: `has no valid source name: "${name}"` };
    if (names.indexOf(name) !== index) return { problem: `names the source ${name} twice` };
  }
  return { value: names };
}

function parsePercent(text: string): ParseResult<number> {
  const percent = Number(text);
  return /^\s*\d{1,3}(\.\d{1,6})?\s*$/.test(text) && percent > 0 && percent <= PERCENT_MAX
    ? { value: percent }
    : { problem: `must have a percentage above 0 and at most ${PERCENT_MAX}` };
}

import type { Clock } from "@propgate/base";
import {
  type ActionId,
  type CorporateAction,
  type CorporateActions,
  DAY_MS,
  type Instruments,
  midOf,
  type NewAction,
  type PairId,
  type Quotes,
  type UnixMs,
} from "@propgate/core";
import { perShard } from "../../storage/shards/per-shard.ts";
import type { Shards } from "../../storage/shards/shards.ts";
import {
  type ActionRecord,
  createCorporateActionStore,
} from "../../storage/stores/corporate-action-store.ts";

/** Corporate actions, as an operator announces them and as every decision sees them. */
export interface ActionDesk {
  /** Announces the action. It is durable when the promise resolves, and every node knows it within a second. */
  announce(action: NewAction, as: AnnounceOptions): Promise<ActionRecord | ActionRefusal>;
  cancel(id: ActionId): Promise<ActionRecord | "missing" | ActionRefusal>;
  list(): Promise<readonly ActionRecord[]>;
  /** Reads the actions that other nodes announced or cancelled. */
  refresh(): Promise<void>;
  /**
   * The actions by pair, in the order of their time. Cancelled actions are left out, and so are carried-out dividends
   * from more than 30 days ago.
   */
  readonly current: CorporateActions;
  /** The actions that are announced and not yet carried out on all accounts, in the order of their time. */
  readonly announced: readonly CorporateAction[];
  /** Adds a listener that is called after each change of `current`. */
  onChange(listener: () => void): void;
}

/** The author of an announcement, and whether another split of the pair within seven days is intended. */
export interface AnnounceOptions {
  readonly by: string;
  /** True when the pair may have another split although it has had one within seven days. @rule D13.splitAgain */
  readonly isAgain: boolean;
}

/** Why the desk did not announce or cancel, in words for people. */
export interface ActionRefusal {
  readonly refused: string;
  /** The name of the field that is wrong. The words begin with it. */
  readonly field?: keyof NewAction | "amount" | "again";
  /** Set when the request is valid by itself, but existing data prevent it. */
  readonly isConflict?: true;
}

/**
 * The minimum time from an announcement, or from a cancellation, to the moment of its action. Every node reads the
 * announcement or cancellation within this time, so all nodes carry out the same actions at that moment.
 */
const ACTION_LEAD_MS = 10_000;
/** A second split of a pair within this time is assumed to be the first split, announced again by mistake. */
const SPLITS_APART_MS = 7 * DAY_MS;
/** A dividend of this share of the price or more is assumed to be a mistake. */
const DIVIDEND_MAX_SHARE = 0.5;

export function createActionDesk(options: {
  readonly databases: Pick<Shards, "first" | "all">;
  readonly clock: Clock;
  readonly instruments: Instruments;
  readonly quotes: Quotes;
}): ActionDesk {
  const { databases, clock } = options;
  const store = createCorporateActionStore(databases.first);
  const fills = perShard(databases.all, createCorporateActionStore);
  const listeners: (() => void)[] = [];
  let current: CorporateActions = new Map();
  let open: readonly CorporateAction[] = [];

  const refresh = async (): Promise<void> => {
    const records = await store.list();
    const next = groupByPair(records, clock.now());
    open = records
      .filter(({ status }) => status === "announced")
      .map(({ action }) => action)
      .reverse();
    if (hasSameActions(current, next)) return;
    current = next;
    for (const listener of listeners) listener();
  };

  /** Refuses an action when an account has a fill at or after the action's time. @rule D13.lateAnnouncement decides */
  const lateRefusal = async ({ pair, atMs }: NewAction): Promise<ActionRefusal | null> => {
    const counts = await Promise.all(fills.map((own) => own.filledSince(pair, atMs)));
    const accounts = counts.reduce((sum, count) => sum + count, 0);
    if (accounts === 0) return null;
    const have = accounts === 1 ? "1 account has" : `${accounts} accounts have`;
    const why = `${have} a fill of ${pair} at or after this moment, at the price from before it; halt the pair and announce a moment that is ten seconds away`;
    return { ...fieldRefusal("atMs", why), isConflict: true };
  };

  const refuse = async (action: NewAction, now: UnixMs): Promise<ActionRefusal | null> => {
    const refused = refusalOf(action, { ...options, now });
    if (refused !== null) return refused;
    if (action.atMs > now) return null;
    const late = await lateRefusal(action);
    // A quote may have come during the search for fills, so the action is checked again.
    return late ?? refusalOf(action, { ...options, now });
  };

  return {
    async announce(given, { by: announcedBy, isAgain }) {
      const announcedAtMs = clock.now();
      const refused = await refuse(given, announcedAtMs);
      if (refused !== null) return refused;
      const action: CorporateAction = { ...given, announcedAtMs };
      // The statement stores no split within this time of another one of the pair. @rule D13.splitAgain decides
      const splitsApartMs = isAgain ? 0 : SPLITS_APART_MS;
      const announced = await store.announce({ action, announcedBy, splitsApartMs });
      await refresh();
      if ("recent" in announced) {
        return { ...fieldRefusal("again", recentText(announced.recent)), isConflict: true };
      }
      if (!("inTheWay" in announced)) return announced;
      const { action: other } = announced.inTheWay;
      const why = `${action.pair} has a ${other.kind} at ${timeText(other.atMs)} (${other.id}); a new action must be later`;
      return fieldRefusal("atMs", why);
    },
    async cancel(id) {
      const found = await store.find(id);
      if (found === null) return "missing";
      if (found.status !== "announced") return { refused: `The action is ${found.status}` };
      // An action whose moment has passed or is less than ten seconds away cannot be cancelled any more. It will be
      // carried out. @rule D11.cancel decides
      if (found.action.atMs - clock.now() < ACTION_LEAD_MS) {
        return { refused: "An action can be cancelled until ten seconds before its moment" };
      }
      const cancelled = await store.end(id, { status: "cancelled", atMs: clock.now() });
      await refresh();
      return cancelled ?? { refused: "The action has ended" };
    },
    list: () => store.list(),
    refresh,
    get current() {
      return current;
    },
    get announced() {
      return open;
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

function fieldRefusal(field: NonNullable<ActionRefusal["field"]>, why: string): ActionRefusal {
  return { refused: `${field}: ${why}`, field };
}

/**
 * Why the action cannot be announced; null when it can. Its pair must be an equity. Its moment must be at least ten
 * seconds away, or past and later than the newest quote of the pair. A dividend must be below half of the price. The
 * store refuses an action that is not later than all others of its pair. @rule D11.announce decides
 */
function refusalOf(
  action: NewAction,
  world: { readonly instruments: Instruments; readonly quotes: Quotes; readonly now: UnixMs },
): ActionRefusal | null {
  const instrument = world.instruments.get(action.pair);
  if (instrument === undefined)
    return fieldRefusal("pair", `${action.pair} is not in the catalogue`);
  if (instrument.assetClass !== "equities") {
    const why = `${action.pair} is not an equity; only equities have splits and dividends`;
    return fieldRefusal("pair", why);
  }
  const quote = world.quotes.get(action.pair);
  const leadMs = action.atMs - world.now;
  const isKnown = quote !== undefined && quote.atMs >= action.atMs;
  if (leadMs < ACTION_LEAD_MS && (leadMs > 0 || isKnown)) {
    const why = `must be at least ten seconds away, or before the newest quote of ${action.pair}: the accounts already have prices of that time`;
    return fieldRefusal("atMs", why);
  }
  if (action.kind === "dividend") {
    if (quote === undefined) {
      return fieldRefusal(
        "amount",
        `${action.pair} has no price yet, and an amount is compared with it`,
      );
    }
    const max = midOf(quote) * DIVIDEND_MAX_SHARE;
    if (action.amount >= max)
      return fieldRefusal("amount", `must be below half of the price (${max})`);
  }
  return null;
}

function recentText({ action }: ActionRecord): string {
  const { pair, atMs, id } = action;
  const ratio = action.kind === "split" ? ` of ${action.newShares}:${action.oldShares}` : "";
  return `must be true for a second split within seven days; ${pair} has one${ratio} at ${timeText(atMs)} (${id})`;
}

/**
 * How long quotes from before a dividend are adjusted, such as over holidays. Quotes from before a split are always
 * adjusted.
 */
const DIVIDEND_KEPT_MS = 30 * DAY_MS;

function groupByPair(records: readonly ActionRecord[], now: UnixMs): CorporateActions {
  const actions = new Map<PairId, CorporateAction[]>();
  // The store lists the newest action first.
  for (const { action, status } of records.toReversed()) {
    const isOld = action.kind === "dividend" && action.atMs < now - DIVIDEND_KEPT_MS;
    if (status === "cancelled" || (status === "carriedOut" && isOld)) continue;
    actions.set(action.pair, [...(actions.get(action.pair) ?? []), action]);
  }
  return actions;
}

function hasSameActions(one: CorporateActions, other: CorporateActions): boolean {
  return idsOf(one) === idsOf(other);
}

function idsOf(actions: CorporateActions): string {
  return [...actions.values()]
    .flat()
    .map(({ id }) => id)
    .join();
}

function timeText(atMs: UnixMs): string {
  return new Date(atMs).toISOString();
}

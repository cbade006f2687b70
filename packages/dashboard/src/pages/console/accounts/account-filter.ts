import { ACCOUNT_STATUSES, OPERATOR_PHASES } from "@propgate/contract";
import { readDay } from "../../../format/times.ts";

/**
 * The orders in which accounts can be listed. `nearest` selects only active accounts with a used limit, `ended` only
 * accounts that have ended.
 */
const ACCOUNT_ORDERS = {
  newest: {},
  nearest: {
    status: "active",
    nearestUsedOfLimitPct: "set",
    sort: "-nearestUsedOfLimitPct",
  },
  ended: { endedAtMs: "set", sort: "-endedAtMs" },
} as const;
type AccountOrder = keyof typeof ACCOUNT_ORDERS;

/** The filter in the page's URL. A field that is absent does not filter. Days are UTC, such as `2026-01-05`. */
export interface AccountFilter {
  readonly q?: string;
  readonly order?: AccountOrder;
  readonly status?: (typeof ACCOUNT_STATUSES)[number];
  readonly phase?: (typeof OPERATOR_PHASES)[number];
  readonly program?: string;
  /** Selects accounts that have used at least this percentage of one of their limits. */
  readonly used?: number;
  /** Selects accounts that have been idle since before this day began. */
  readonly idle?: string;
  /** Selects accounts that ended on this day or later. */
  readonly ended?: string;
}

/** The filter of a URL. Invalid values are left out, so that an old or mistyped link still opens. */
export function accountFilterOf(search: Readonly<Record<string, unknown>>): AccountFilter {
  const order = Object.keys(ACCOUNT_ORDERS).find((word) => word === search.order);
  const found = {
    q: textOf(search.q),
    order: isOrder(order) ? order : undefined,
    status: ACCOUNT_STATUSES.find((word) => word === search.status),
    phase: OPERATOR_PHASES.find((word) => word === search.phase),
    program: textOf(search.program),
    used: typeof search.used === "number" && search.used >= 0 ? search.used : undefined,
    idle: readDay(search.idle),
    ended: readDay(search.ended),
  };
  return withoutMissing(found);
}

/** The parameters of the call that lists the selected accounts. */
export function accountQueryOf(filter: AccountFilter): Readonly<Record<string, string>> {
  const { q, order = "newest", status, phase, program, used, idle, ended } = filter;
  return {
    ...ACCOUNT_ORDERS[order],
    ...withoutMissing({
      q,
      status,
      phase,
      programId: program,
      nearestUsedOfLimitPctMin: used === undefined ? undefined : String(used),
      idleSinceMsMax: startOf(idle),
      endedAtMsMin: startOf(ended),
    }),
  };
}

function isOrder(word: string | undefined): word is AccountOrder {
  return word !== undefined && Object.hasOwn(ACCOUNT_ORDERS, word);
}

/**
 * The text of a query parameter; undefined when it is empty or of another type. An id that consists of digits arrives
 * as a number.
 */
function textOf(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text !== "" ? text : undefined;
}

function startOf(day: string | undefined): string | undefined {
  return day === undefined ? undefined : String(Date.parse(day));
}

type Present<Fields> = { readonly [Name in keyof Fields]?: NonNullable<Fields[Name]> };

function withoutMissing<Fields extends object>(fields: Fields): Present<Fields> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Present<Fields>;
}

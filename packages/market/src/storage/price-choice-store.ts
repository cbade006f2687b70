import { type PairId, pairId, type UnixMs, unixMs } from "@propgate/core";
import type { Queryable } from "@propgate/ledger";

/**
 * The choice of the source that a pair uses. `auto`: the service chooses among the pair's sources by priority and
 * health. `use`: only one source. `halt`: no quotes.
 */
export type ChosenPrices =
  | { readonly kind: "auto" }
  | {
      readonly kind: "halt";
      /** The chosen source that a check's halt replaced; absent when there was none, and for an operator's halt. */
      readonly resumes?: string;
    }
  | {
      readonly kind: "use";
      readonly source: string;
      /**
       * True when the operator accepts the source's price at any distance from the pair's last quote.
       * @rule D13.farPrice
       */
      readonly isFar: boolean;
    };

/** A choice for the prices of one pair that is to be stored. */
export interface NewPriceChoice {
  readonly pair: PairId;
  readonly chosen: ChosenPrices;
  readonly reason: string | null;
  /** A person's name, `operator token` and the name of the token, or the part of the service that halted the pair. */
  readonly by: string;
  readonly atMs: UnixMs;
}

/** A choice as it is stored, with its number. */
export interface PriceChoice extends NewPriceChoice {
  /** The number of the choice among those of the pair, from 1. */
  readonly version: number;
}

export interface PriceChoiceStore {
  /**
   * Stores a choice; it is durable when this resolves. `expected` is the version that the operator saw, 0 for none, or
   * null for any. When the stored version is another, no choice is stored and `changed` has the present one, null when
   * there is none.
   */
  choose(
    choice: NewPriceChoice,
    expected: number | null,
  ): Promise<PriceChoice | { readonly changed: PriceChoice | null }>;
  /** The present choice of each pair that has one, by pair. */
  list(): Promise<readonly PriceChoice[]>;
}

interface ChoiceRow {
  readonly pair: string;
  readonly kind: ChosenPrices["kind"];
  readonly source: string | null;
  readonly is_far: boolean;
  readonly reason: string | null;
  readonly chosen_by: string;
  readonly chosen_at_ms: string;
  readonly version: number;
}

const COLUMNS = "pair, kind, source, is_far, reason, chosen_by, chosen_at_ms, version";

export function createPriceChoiceStore(database: Queryable): PriceChoiceStore {
  return {
    async choose({ pair, chosen, reason, by, atMs }, expected) {
      // One statement compares the version and stores the choice. So when two operators choose at the same version, one
      // is refused.
      const [stored] = await database.query<ChoiceRow>(
        `insert into price_choices as p (${COLUMNS})
         select $1, $2, $3, $8, $4, $5, $6, 1 where $7::integer is null or $7 = 0
           or exists (select 1 from price_choices where pair = $1)
         on conflict (pair) do update set kind = excluded.kind, source = excluded.source,
           is_far = excluded.is_far, reason = excluded.reason, chosen_by = excluded.chosen_by,
           chosen_at_ms = excluded.chosen_at_ms, version = p.version + 1
         where $7::integer is null or p.version = $7
         returning ${COLUMNS}`,
        [
          pair,
          chosen.kind,
          sourceIn(chosen),
          reason,
          by,
          atMs,
          expected,
          chosen.kind === "use" && chosen.isFar,
        ],
      );
      if (stored !== undefined) return choiceOf(stored);
      const [present] = await database.query<ChoiceRow>(
        `select ${COLUMNS} from price_choices where pair = $1`,
        [pair],
      );
      return { changed: present === undefined ? null : choiceOf(present) };
    },
    async list() {
      const rows = await database.query<ChoiceRow>(
        `select ${COLUMNS} from price_choices order by pair`,
        [],
      );
      return rows.map(choiceOf);
    },
  };
}

function choiceOf(row: ChoiceRow): PriceChoice {
  return {
    pair: pairId(row.pair),
    chosen: chosenOf(row),
    reason: row.reason,
    by: row.chosen_by,
    atMs: unixMs(Number(row.chosen_at_ms)),
    version: row.version,
  };
}

function sourceIn(chosen: ChosenPrices): string | null {
  if (chosen.kind === "use") return chosen.source;
  return chosen.kind === "halt" ? (chosen.resumes ?? null) : null;
}

function chosenOf({ kind, source, is_far: isFar }: ChoiceRow): ChosenPrices {
  if (kind === "auto") return { kind };
  if (kind === "halt") return source === null ? { kind } : { kind, resumes: source };
  if (source === null) throw new Error("broken invariant: a chosen source has no name");
  return { kind, source, isFar };
}

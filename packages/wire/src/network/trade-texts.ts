/**
 * The closed trades of an account as JSON. A trade never changes, so its text is made once: a read of a later version
 * makes the texts of the newer trades and sends the kept texts again. The kept texts of all accounts are bounded in
 * bytes. A history that does not fit is rendered page by page while it is sent, so no history is ever in memory as a
 * whole because of one read.
 */
import { createSerialQueue } from "@propgate/base";
import type { AccountId, Trade } from "@propgate/core";
import type { ClosedTrade, ReadAt, Reading, TradingNetwork } from "@propgate/ledger";

/** Renders the closed trades of accounts as JSON, and keeps the texts. */
export interface TradeTexts {
  /**
   * All closed trades of the account, newest first, as pieces of one or more trades each, without the brackets of the
   * list and the commas between pieces.
   */
  read(at: ReadAt): Promise<Reading<AsyncIterable<Uint8Array>>>;
  /** Drops the kept texts of an account whose history has changed. */
  forget(account: AccountId): void;
}

interface KeptTexts {
  readonly newestSeq: number;
  readonly pieces: readonly Buffer[];
  readonly bytes: number;
}

interface Collector {
  add(piece: Buffer): void;
  /** All collected pieces; null when they did not fit. `bytes` also counts the texts that were known before. */
  all(): { readonly pieces: readonly Buffer[]; readonly bytes: number } | null;
  clear(): void;
}

/**
 * The number of trades that one statement reads. It is small, because other requests wait while the process renders
 * them.
 */
const PAGE_TRADES = 50;
/** Newer trades are added to a piece until it has more bytes than this. */
const PIECE_BYTES = 65_536;
const KEPT_BYTES_MAX = 67_108_864;

/**
 * Keeps the texts of whole histories while they fit into `keptBytesMax`, and drops the oldest kept histories first. A
 * read renders only the trades that are newer than the kept ones. @rule D13.tradesOnce decides
 */
export function createTradeTexts(options: {
  readonly network: Pick<TradingNetwork, "trades">;
  readonly textOf: (trades: readonly Trade[]) => string;
  /** The maximum number of bytes that are kept, of all accounts together. */
  readonly keptBytesMax?: number;
}): TradeTexts {
  const { network, textOf, keptBytesMax: max = KEPT_BYTES_MAX } = options;
  const accounts = new Map<AccountId, KeptTexts>();
  let keptBytes = 0;
  /** The bytes of the texts that unfinished reads have made. */
  let madeBytes = 0;
  let histories = 0;
  /**
   * Serializes the reads of long histories: after the first page of a history, only one page is read at a time, of all
   * histories together.
   */
  const turns = createSerialQueue();
  const drop = (account: AccountId): void => {
    keptBytes -= accounts.get(account)?.bytes ?? 0;
    accounts.delete(account);
  };
  const keep = (account: AccountId, kept: KeptTexts): void => {
    drop(account);
    if (kept.bytes > max) return;
    accounts.set(account, kept);
    keptBytes += kept.bytes;
    for (const oldest of accounts.keys()) {
      if (keptBytes <= max) return;
      drop(oldest);
    }
  };
  /** Collects the texts of one read, as long as they fit. */
  const collector = ({ bytes: knownBytes }: KeptTexts): Collector => {
    let pieces: Buffer[] | null = [];
    let bytes = 0;
    const clear = (): void => {
      pieces = null;
      madeBytes -= bytes;
      bytes = 0;
    };
    return {
      add(piece) {
        if (pieces === null || knownBytes + madeBytes + piece.length > max) return clear();
        pieces.push(piece);
        bytes += piece.length;
        madeBytes += piece.length;
      },
      all: () => (pieces === null ? null : { pieces, bytes: knownBytes + bytes }),
      clear,
    };
  };
  async function* pages(
    at: ReadAt,
    { newestSeq }: KeptTexts,
    first: readonly ClosedTrade[],
  ): AsyncGenerator<Buffer> {
    for (let page = first, last = page.at(-1); last !== undefined; last = page.at(-1)) {
      yield Buffer.from(textOf(page.map(({ trade }) => trade)));
      if (page.length < PAGE_TRADES) return;
      const olderThan = last.seq;
      const next = await turns.run(() => pageOf(at, newestSeq, olderThan));
      if (!next.ok) throw new Error("the trade history cannot be read to its end");
      page = next.value ?? [];
    }
  }
  /**
   * Sends the newer trades, then the known ones, and keeps both when they fit. `known` has the texts of all trades up
   * to its newest one; `first` is the first page of the newer trades.
   */
  async function* render(
    at: ReadAt,
    known: KeptTexts,
    { first, history }: { readonly first: readonly ClosedTrade[]; readonly history: number },
  ): AsyncGenerator<Uint8Array> {
    const made = collector(known);
    try {
      for await (const piece of pages(at, known, first)) {
        made.add(piece);
        yield piece;
      }
      yield* known.pieces;
      const all = made.all();
      if (all === null || history !== histories) return;
      keep(at.accountId, {
        newestSeq: first[0]?.seq ?? known.newestSeq,
        pieces: joinPieces(all.pieces, known.pieces),
        bytes: all.bytes,
      });
    } finally {
      made.clear();
    }
  }
  const pageOf = (at: ReadAt, newerThan: number, olderThan: number | null) =>
    network.trades(at, { newerThan, olderThan, limit: PAGE_TRADES });
  return {
    forget(account) {
      histories += 1;
      drop(account);
    },
    async read(at) {
      const known = accounts.get(at.accountId) ?? NO_TEXTS;
      // The first page is read even when all trades are known, because a history that cannot be read is an error.
      const history = histories;
      const page = await pageOf(at, known.newestSeq, null);
      if (!page.ok) return page;
      return { ok: true, value: render(at, known, { first: page.value ?? [], history }) };
    },
  };
}

/** The bytes that are counted for an account in addition to its texts: an account without trades needs memory too. */
const ENTRY_BYTES = 256;
const NO_TEXTS: KeptTexts = { newestSeq: 0, pieces: [], bytes: ENTRY_BYTES };

/**
 * The new and the kept trades, newest first. A few new trades go into the newest piece, so that no piece stays at a
 * single trade.
 */
function joinPieces(made: readonly Buffer[], kept: readonly Buffer[]): readonly Buffer[] {
  const [only, ...others] = made;
  const [newest, ...older] = kept;
  if (only === undefined) return kept;
  if (others.length > 0 || newest === undefined || newest.length > PIECE_BYTES) {
    return [...made, ...kept];
  }
  return [Buffer.concat([only, COMMA, newest]), ...older];
}

const COMMA = Buffer.from(",");

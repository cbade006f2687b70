import type { AccountChoice, EquityWindow } from "@propgate/contract";
import {
  type AccountState,
  accountSnapshot,
  type Moment,
  momentOfHoldings,
  positionReadings,
  unixMs,
} from "@propgate/core";
import {
  type EquityStore,
  finalFigures,
  type PresentAccount,
  type PresentAccounts,
  presentFigures,
  type ReadAt,
  type VersionedState,
} from "@propgate/ledger";
import {
  type AccountReadings,
  EQUITY_WINDOW_MS,
  type EquityHistoryParts,
  equityHistory,
  equityPoints,
  evaluationTitle,
  evaluationWord,
} from "@propgate/wire";
import { parseUuid } from "../json/json-fields.ts";
import type { AccountHistories } from "./history/account-histories.ts";
import { accountStateView, marketViews } from "./state-view.ts";
import { type FillReader, positionFills } from "./trade-fills.ts";

export interface EmbeddedReadingsOptions {
  readonly present: PresentAccounts;
  readonly fills: FillReader;
  readonly histories: AccountHistories;
  readonly equity: Pick<EquityStore, "between" | "lastAt">;
}

/** Reads accounts of the service's own network from their states and journals. */
export function createEmbeddedReadings(options: EmbeddedReadingsOptions): AccountReadings {
  const { present, histories } = options;
  return {
    async accountChoice(entry) {
      const found = await present.read(entry);
      return found === null ? null : choiceOf(found.state);
    },
    async state(at) {
      const account = await present.readWithStops(at);
      if (account === null) return null;
      return accountStateView(present, { account, moment: present.moment() });
    },
    atOneMoment() {
      const moment = present.moment();
      return async (at) => {
        const account = await present.readWithStops(at);
        if (account === null) return null;
        const now: PresentAccount = { account, moment };
        return { figures: figuresOf(account, moment), view: () => accountStateView(present, now) };
      };
    },
    async equity(at, window) {
      const parts = await readEquity(options, at, window);
      return parts === null ? null : equityHistory(parts);
    },
    async equityPoints(at) {
      const parts = await readEquity(options, at, "all");
      return parts === null ? null : equityPoints(parts);
    },
    async fills(at, positionUuid) {
      const id = parseUuid(positionUuid);
      return id === null ? null : positionFills(options.fills, at, id);
    },
    cycles: async (at) => (await histories.read(at)).cycles,
    objectiveDays: async (at) => (await histories.read(at)).objectiveDays,
    noDecisionsReason: null,
  };
}

function choiceOf({
  accountId,
  status,
  phase,
  terms,
  openedAtMs,
  elimination,
}: AccountState): AccountChoice {
  return {
    accountId,
    network: "embedded",
    title: evaluationTitle({ phase, effectiveSize: terms.size }),
    status: evaluationWord(status, phase),
    isEliminated: elimination !== null,
    isClosed: status === "closed",
    openedAtMs,
  };
}

/**
 * The account's figures as a text, which differs when one of them differs. It uses only what is in memory, so it is
 * cheaper than the view.
 */
function figuresOf({ state, version }: VersionedState, world: Moment): string {
  const moment = momentOfHoldings(state, world);
  return JSON.stringify([
    version,
    accountSnapshot(state, moment),
    positionReadings(state, moment),
    marketViews(state, moment),
  ]);
}

/** The account's equity over a window that ends at the present or at the account's end; null when it cannot be read. */
async function readEquity(
  { present, histories, equity }: EmbeddedReadingsOptions,
  at: ReadAt,
  window: EquityWindow,
): Promise<EquityHistoryParts | null> {
  const found = await present.read(at);
  if (found === null) return null;
  const moment = present.moment();
  const length = EQUITY_WINDOW_MS[window];
  const { accountId, openedAtMs } = found.state;
  const { dayEnds, endedAtMs } = await histories.read({ accountId, version: found.version });
  const endMs = endedAtMs ?? moment.now;
  const startMs = length === null ? openedAtMs : unixMs(Math.max(openedAtMs, endMs - length));
  const [before, points] = await Promise.all([
    equity.lastAt(accountId, startMs),
    equity.between(accountId, { after: startMs, upTo: endMs }),
  ]);
  const now =
    endedAtMs === null ? presentFigures(found.state, moment) : finalFigures(found.state, endedAtMs);
  return { window, startMs, endedAtMs, before, points, dayEnds, present: now };
}

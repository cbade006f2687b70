/**
 * An account that holds a pair at the moment of a split or dividend of the pair gets it once. No account gets a
 * cancelled one.
 */
import type { AccountId, AccountState } from "@propgate/core";
import { mayJudge } from "../../../packages/core/src/testing/lives/judging-model.ts";
import type { Checker, Finding, Observation } from "../checker.ts";
import { type AnnouncedAction, announcedActions } from "./announced-actions.ts";
import type { JournalLine, JournalReader } from "./journal-reader.ts";
import { boardMomentOf, type WaitingAccounts } from "./waiting-accounts.ts";

/** Finds splits and dividends that an account got twice, wrongly or not at all. @rule D11.once */
export class ActionsOnce implements Checker {
  readonly name = "actions once";
  readonly #journal: JournalReader;
  readonly #waiting: WaitingAccounts;
  /** The ids of the splits and dividends that each account has had. */
  readonly #had = new Map<AccountId, Set<string>>();

  constructor(journal: JournalReader, waiting: WaitingAccounts) {
    this.#journal = journal;
    this.#waiting = waiting;
  }

  async check(at: Observation): Promise<readonly Finding[]> {
    const { moved, accounts } = await this.#journal.news(at);
    const states = [...accounts.values()].map(({ state }) => state);
    await this.#waiting.take(at, states);
    const announced = new Map((await announcedActions(at)).map((action) => [action.id, action]));
    const wrong = moved.flatMap(({ lines }) =>
      lines.flatMap((line) => this.#take(line, announced.get(actionOf(line) ?? ""))),
    );
    const late = states.flatMap((state) =>
      this.#missed(state, announced, at).map((message) => this.#found(state.accountId, message)),
    );
    return [...wrong, ...late];
  }

  #take(line: JournalLine, action: AnnouncedAction | undefined): readonly Finding[] {
    const id = actionOf(line);
    if (id === null) return [];
    const { accountId, seq } = line;
    const had = this.#had.get(accountId) ?? new Set();
    this.#had.set(accountId, had);
    const isAgain = had.has(id);
    had.add(id);
    if (isAgain) return [this.#found(accountId, `line ${seq} carries ${id} out again`)];
    const isInForce = action !== undefined && !action.isCancelled;
    return isInForce ? [] : [this.#found(accountId, `line ${seq} carries out ${id}, which is not`)];
  }

  /**
   * The actions that were due at the last repair and that the account has not had. The list is empty while the account
   * waits for a price, and when it waited for one at that repair.
   */
  #missed(
    state: AccountState,
    announced: ReadonlyMap<string, AnnouncedAction>,
    at: Observation,
  ): readonly string[] {
    const { accountId, status, positions } = state;
    if (!at.calm || status !== "active" || at.boards.length === 0) return [];
    const waits = at.boards.some(
      (quotes) => !mayJudge(positions, boardMomentOf(at, quotes), "clock"),
    );
    if (waits || this.#waiting.awaitsLost(state) || this.#waiting.waited(state)) return [];
    return [...announced.values()].flatMap(({ id, pair, atMs, announcedAtMs, isCancelled }) => {
      const isDue = !isCancelled && Math.max(atMs, announcedAtMs) <= at.repairedMs;
      const holds = positions.some((held) => held.pair === pair && held.openedAtMs < atMs);
      const isMissed = isDue && holds && this.#had.get(accountId)?.has(id) !== true;
      return isMissed ? [`it has not had ${id} of ${pair} at ${atMs}`] : [];
    });
  }

  #found(accountId: AccountId, message: string): Finding {
    return { checker: this.name, accountId, message };
  }
}

function actionOf({ event }: JournalLine): string | null {
  const isAction = event.type === "sharesSplit" || event.type === "dividendPaid";
  return isAction ? event.actionId : null;
}

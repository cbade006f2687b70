import type { Timer } from "@propgate/base";
import { LIMITS } from "@propgate/contract";
import type { Queryable } from "../../storage/databases/database.ts";
import { createEventLines } from "../../storage/journal/event-lines.ts";
import type { AccountStore } from "../../storage/stores/account-store.ts";
import type { Executor } from "../executor-port.ts";
import { createCommitWaits } from "./commit-waits.ts";
import { createEventDesk, type EventDesk } from "./event-desk.ts";

/** Opens the desk that reads the events of a database's accounts, and wakes the requests that wait for them. */
export function openEventDesk(options: {
  readonly database: Queryable;
  readonly executor: Pick<Executor, "onCommit">;
  readonly accounts: Pick<AccountStore, "versions">;
  readonly timer: Timer;
  readonly onFault: (cause: unknown) => void;
}): EventDesk {
  return createEventDesk({
    lines: createEventLines(options.database),
    waits: createCommitWaits({ ...options, waitsMax: LIMITS.eventWaitsMax }),
  });
}

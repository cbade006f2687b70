import type { Clock, RepeatableCall } from "@propgate/base";
import type { AccountId, AccountStatus, OwnerId } from "@propgate/core";
import type { LinkedAccountStore, NewLink } from "@propgate/ledger";
import { decodeDashboard } from "./dashboard/decode-dashboard.ts";
import type { SubaccountInfo } from "./dashboard/linked-readings.ts";
import { NO_CURSORS } from "./dashboard/merge-dashboard.ts";
import { closingLine, openingLine } from "./journal/account-lines.ts";
import type { UpstreamFailure, Validator } from "./upstream/port.ts";

/** A subaccount to link to a new account. */
export interface SubaccountLink {
  /** The number of the subaccount, or its id at the validator: the hotkey of the entity, `_` and the number. */
  readonly subaccount: string;
  readonly ownerId: OwnerId;
  /** The trader's share of payouts, a ratio. */
  readonly profitSplit: number;
}

/** A subaccount that cannot be linked, with a text for people. */
interface Refused {
  readonly ok: false;
  /** The field that the text is about; null when it is about the validator. */
  readonly field: "subaccount" | null;
  readonly refused: string;
}

/** Links subaccounts of the validator to accounts, and ends these links. */
export interface SubaccountLinks {
  link(
    request: SubaccountLink,
    act?: RepeatableCall | null,
  ): Promise<{ readonly ok: true; readonly accountId: AccountId } | Refused>;
  /** Closes the account; the subaccount stays as it is. False for an account that was closed before. */
  unlink(accountId: AccountId): Promise<boolean>;
}

export interface LinkDeskOptions {
  /** The hotkey of the entity whose subaccounts can be linked. */
  readonly entity: string;
  readonly validator: Pick<Validator, "dashboard">;
  readonly store: Pick<LinkedAccountStore, "link" | "close" | "isLinked" | "find">;
  readonly clock: Clock;
  readonly newAccountId: (owner: OwnerId, act?: RepeatableCall | null) => Promise<AccountId>;
}

/** Links subaccounts that the validator knows, each once. */
export function createLinkDesk(options: LinkDeskOptions): SubaccountLinks {
  const { entity, validator, store, clock, newAccountId } = options;
  return {
    async link({ subaccount, ownerId, profitSplit }, act = null) {
      const target = targetOf(subaccount, entity);
      if ("refused" in target) return target;
      const id = () => newAccountId(ownerId, act);
      const before = act?.isRepeat === true ? await store.find(await id()) : null;
      if (before?.hotkey === target.hotkey) return { ok: true, accountId: before.accountId };
      // This is checked before the reading, because an answer of the validator may contain items that it sends only
      // once.
      if (await store.isLinked(target.hotkey)) return LINKED_BEFORE;
      const found = await readInfo(validator, target);
      if ("refused" in found) return found;
      const status = statusAtLink(found);
      if (typeof status !== "string") return status;
      const accountId = await id();
      const link: NewLink = {
        accountId,
        ownerId,
        ...target,
        subaccountUuid: found.subaccountUuid,
        profitSplit,
        status,
        linkedAtMs: clock.now(),
      };
      const linked = await store.link(link, openingLine(found, status));
      return linked === "linked" ? { ok: true, accountId } : LINKED_BEFORE;
    },
    unlink: (id) => store.close(id, closingLine()),
  };
}

interface LinkTarget {
  readonly hotkey: string;
  readonly subaccountId: number;
}

const LINKED_BEFORE = subaccountRefusal("is linked to an account already, or was once");
const NUMBER = /^(0|[1-9]\d{0,14})$/;

function subaccountRefusal(refused: string): Refused {
  return { ok: false, field: "subaccount", refused };
}

function targetOf(subaccount: string, entity: string): LinkTarget | Refused {
  const separator = subaccount.lastIndexOf("_");
  const number = subaccount.slice(separator + 1);
  if (!NUMBER.test(number)) {
    return subaccountRefusal(
      "must be a number, or the hotkey of the entity, an underscore and a number",
    );
  }
  if (separator >= 0 && subaccount.slice(0, separator) !== entity) {
    return subaccountRefusal("belongs to another entity than the one of this service");
  }
  return { hotkey: `${entity}_${number}`, subaccountId: Number(number) };
}

type KnownSubaccount = SubaccountInfo & { readonly subaccountUuid: string };

async function readInfo(
  validator: Pick<Validator, "dashboard">,
  target: LinkTarget,
): Promise<KnownSubaccount | Refused> {
  const answer = await validator.dashboard(target.hotkey, NO_CURSORS);
  if (!answer.ok) return refusalOf(answer.failure);
  const decoded = decodeDashboard(answer.value, target);
  if (!decoded.ok)
    return networkRefusal("the validator's answer about the subaccount cannot be used");
  const { info } = decoded.part;
  const { subaccountUuid } = info;
  return subaccountUuid === null
    ? networkRefusal("the validator did not send the uuid of the subaccount")
    : { ...info, subaccountUuid };
}

function networkRefusal(refused: string): Refused {
  return { ok: false, field: null, refused };
}

function refusalOf(failure: UpstreamFailure): Refused {
  switch (failure.kind) {
    case "unreachable":
      return networkRefusal("the validator cannot be reached; try again shortly");
    case "unreadable":
      return networkRefusal("the validator's answer cannot be read");
    case "refused":
      return failure.status === 404
        ? subaccountRefusal("is not known to the validator")
        : networkRefusal(
            `the validator refused to show the subaccount, with status ${failure.status}`,
          );
  }
}

function statusAtLink({ status }: SubaccountInfo): AccountStatus | Refused {
  switch (status) {
    case "active":
      return "active";
    case "pending":
      return "provisioning";
    case "eliminated":
      return subaccountRefusal("is eliminated");
    case "failed":
      return subaccountRefusal("could not be registered on the network");
    case "unknown":
      return subaccountRefusal("has no status yet; try again later");
  }
}

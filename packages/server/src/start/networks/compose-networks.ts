/** Composes the networks on which accounts can be; part of the composition root. */

import type { Chance } from "@propgate/base";
import type { NetworkHealth } from "@propgate/contract";
import type { AccountId, Instruments } from "@propgate/core";
import type { Ledger, NotCarriedOut, StateCache, TradingNetwork } from "@propgate/ledger";
import type { SourceWarning } from "@propgate/market";
import type { SubaccountLinks } from "@propgate/vanta";
import {
  absentNetwork,
  createEmbeddedWireNetwork,
  type NetworkReadings,
  type WireNetwork,
  type WireNetworks,
} from "@propgate/wire";
import { absentReadings } from "../../calls/readings/absent-readings.ts";
import { createEmbeddedReadings } from "../../calls/readings/embedded-readings.ts";
import { createAccountHistories } from "../../calls/readings/history/account-histories.ts";
import type { FillReader } from "../../calls/readings/trade-fills.ts";
import type { ComposedVanta } from "./compose-vanta.ts";

/** The networks of accounts, with the readings, health and warnings that calls answer. */
export interface ComposedNetworks {
  /** Links accounts to subaccounts of the validator; null when the service has no validator. */
  readonly links: SubaccountLinks | null;
  /** The health of the validator; null without a validator. */
  readonly networkHealth: () => Promise<NetworkHealth | null>;
  /** Warnings about the validator's accounts; empty without a validator. */
  readonly networkWarnings: () => Promise<readonly SourceWarning[]>;
  readonly networks: WireNetworks;
  readonly readings: NetworkReadings;
}

export function composeNetworks(
  options: Pick<Ledger, "present" | "trades" | "equity" | "journalLines"> & {
    readonly cache: Pick<StateCache, "onHistoryChanged">;
    readonly network: TradingNetwork;
    readonly instruments: Instruments;
    readonly chance: Chance;
    /** The network of linked accounts; null when the service has no validator. */
    readonly vanta: ComposedVanta | null;
    /** The reason why no command on the account may be carried out at present; null when commands may be. */
    readonly barredBy: (account: AccountId) => NotCarriedOut | null;
  },
): ComposedNetworks {
  const { present, vanta } = options;
  const histories = createAccountHistories(options);
  options.cache.onHistoryChanged((account) => histories.forget(account));
  const embedded = createEmbeddedReadings({
    present,
    fills: fillReader(options),
    histories,
    equity: options.equity,
  });
  return {
    links: vanta?.links ?? null,
    networkHealth: async () => (vanta === null ? null : vanta.health()),
    networkWarnings: async () => (vanta === null ? [] : vanta.warnings()),
    networks: {
      embedded: createEmbeddedWireNetwork(options),
      vanta: vanta === null ? absentNetwork : withOrdersBarred(options.barredBy, vanta.network),
    },
    readings: { embedded, vanta: vanta?.readings ?? absentReadings },
  };
}

/** Wraps the network so that no order is carried out while `barredBy` has a reason. @rule D13.readOnly D12.oneClock */
function withOrdersBarred(
  barredBy: (account: AccountId) => NotCarriedOut | null,
  network: WireNetwork,
): WireNetwork {
  return {
    ...network,
    placeOrder: async (account, ...order) =>
      barredBy(account) === null ? await network.placeOrder(account, ...order) : NOT_CARRIED_OUT,
    flatten: async (account, by) =>
      barredBy(account) === null ? await network.flatten(account, by) : NOT_CARRIED_OUT,
  };
}

const NOT_CARRIED_OUT = { ok: false, rejection: { error: "notCarriedOut" } } as const;

function fillReader({
  present,
  trades,
  journalLines,
}: Pick<Ledger, "present" | "trades" | "journalLines">): FillReader {
  return {
    closingLineOf: (account, tradeId) => trades.closingLineOf(account, tradeId),
    async isOpen(at, positionUuid) {
      const found = await present.read(at);
      return found?.state.positions.some(({ uuid }) => uuid === positionUuid) ?? false;
    },
    linesMentioning: (account, range) => journalLines.mentions(account, range),
  };
}

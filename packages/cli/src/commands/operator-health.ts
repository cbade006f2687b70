import type { JobHealthView, ServiceHealth, UpstreamHealthView } from "@propgate/contract";
import type { Command } from "commander";
import { headCell } from "../operator/views/desk-views.ts";
import {
  addOperatorOptions,
  cellText,
  connectOperator,
  type OperatorOptions,
  timeCell,
} from "../operator-client.ts";
import { nameValueLines, printResult } from "../output.ts";
import type { Terminal } from "../terminal.ts";

/** `propgate operator health`: prints the state of every part of the service, and the jobs that fail. */
export function addOperatorHealth(operator: Command, terminal: Terminal): void {
  const command = addOperatorOptions(operator.command("health")).summary(
    "print the health of the service",
  );
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const value = await call("health");
    printResult(terminal, options, { value, lines: healthLines(value) });
  });
}

function healthLines(health: ServiceHealth): readonly string[] {
  const { prices, clockWork, storageFault, jobs } = health;
  return [
    ...nameValueLines([
      ["time", timeCell(health.nowMs)],
      ["storage", cellText(health.storage)],
      ...(storageFault === null
        ? []
        : ([
            ["storage failure", cellText(storageFault.reason)],
            ["since", timeCell(storageFault.sinceMs)],
          ] as const)),
      ...(health.restored === null
        ? []
        : ([
            ["restored, read only", timeCell(health.restored.restoredAtMs)],
            ["as of", timeCell(health.restored.asOfMs)],
          ] as const)),
      ...(health.historiesChanged === 0
        ? []
        : ([["accounts whose lines were lost", cellText(health.historiesChanged)]] as const)),
      ...(health.linesOfFuture === null
        ? []
        : ([
            ["accounts with a line of the future", cellText(health.linesOfFuture.accounts)],
            ["until", timeCell(health.linesOfFuture.untilMs)],
          ] as const)),
      ["prices", cellText(prices.source)],
      ["pairs", cellText(prices.pairs)],
      ["newest quote", timeCell(prices.newestQuoteAtMs)],
      ["waiting quotes", cellText(prices.waitingQuotes)],
      ["oldest waiting quote, ms", cellText(prices.boardLagMs)],
      ...prices.blocked.map(
        ({ pair, isRetired, state, holders }) =>
          [
            `${isRetired ? "retired" : "blocked"} ${cellText(pair)}`,
            `held by ${cellText(holders)}, prices ${cellText(state)}`,
          ] as const,
      ),
      ...prices.unjudged.map(
        ({ pair, reason, accounts, sinceMs }) =>
          [
            `not judged by ${cellText(pair)}`,
            `${cellText(reason)}, accounts ${cellText(accounts)}, since ${timeCell(sinceMs)}`,
          ] as const,
      ),
      ["accounts overdue", cellText(clockWork?.waiting ?? null)],
      ["oldest due", timeCell(clockWork?.oldestDueAtMs ?? null)],
      ...(clockWork?.awaited ?? []).map(
        ({ pair, reason, accounts, oldestDueAtMs }) =>
          [
            `waiting for ${cellText(pair)}`,
            `${cellText(reason)}, accounts ${cellText(accounts)}, since ${timeCell(oldestDueAtMs)}`,
          ] as const,
      ),
      ["head of the audit", headCell(health.audit)],
    ]),
    ...networkLines(health),
    ...prices.warnings.map(
      ({ count, reason, first }) => `warning: ${count} × ${cellText(reason)} (${cellText(first)})`,
    ),
    ...jobs.filter(({ failures }) => failures > 0).map(failingJob),
  ];
}

/** The lines about the validator of linked accounts; none when the service has no validator. */
function networkLines({ network }: ServiceHealth): readonly string[] {
  if (network === null) return [];
  const { oldestReadingAgeMs, oldestSendingSinceMs } = network;
  return nameValueLines([
    ["validator", hostCell(network.validator)],
    ["gateway", hostCell(network.gateway)],
    ["key refused since", timeCell(network.keyRefusedSinceMs)],
    ["linked accounts", cellText(network.linkedAccounts)],
    ["accounts without readings", cellText(network.failingAccounts)],
    ["oldest reading, ms", cellText(oldestReadingAgeMs)],
    ["orders without an outcome", cellText(network.ordersSending)],
    ["oldest of them since", timeCell(oldestSendingSinceMs)],
  ]);
}

function hostCell(host: UpstreamHealthView): string {
  const state = host.reachable
    ? "reachable"
    : `unreachable since ${timeCell(host.unreachableSinceMs)}`;
  const paused = host.isPaused ? ", calls are paused" : "";
  return `${state}${paused}, ${host.callsInFlight} calls in flight`;
}

function failingJob({ name, failures, lastError }: JobHealthView): string {
  return `failing job: ${cellText(name)}, ${failures} times in a row (${cellText(lastError)})`;
}

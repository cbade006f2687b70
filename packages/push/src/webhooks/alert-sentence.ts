import type { AlertType } from "@propgate/contract";
import type { NumberedAlert } from "@propgate/ledger";

type Data = NumberedAlert["data"];

const SENTENCES: { readonly [Type in AlertType]: (data: Data) => string } = {
  "key.created": ({ label, by }) => `The key ${quoted(label)} was created by ${text(by)}.`,
  "key.revoked": ({ label, by }) => `The key ${quoted(label)} was revoked by ${text(by)}.`,
  "key.paused": ({ label, untilMs }) =>
    `The key ${quoted(label)} is paused until ${timeOf(untilMs)}, after too many rejected orders.`,
  "passkey.added": ({ label }) => `The passkey ${quoted(label)} was added.`,
  "session.opened": ({ address, browser }) =>
    `A person signed in from a new network: ${text(address)}, ${text(browser)}.`,
  "webhook.parked": ({ webhookId }) =>
    `The webhook ${text(webhookId)} has a parked lane: its last attempt failed.`,
  "webhook.disabled": ({ webhookId, reason }) =>
    `The webhook ${text(webhookId)} is disabled: ${DISABLED.get(text(reason)) ?? text(reason)}.`,
};

const DISABLED: ReadonlyMap<string, string> = new Map([
  ["gone", "its receiver answered 410"],
  ["operator", "the operator switched it off"],
  ["owner", "its owner switched it off"],
]);

/** An alert for a chat. */
export function alertSentence({ type, data }: Pick<NumberedAlert, "type" | "data">): string {
  return SENTENCES[type](data);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "unknown";
}

function quoted(value: unknown): string {
  return JSON.stringify(text(value));
}

function timeOf(value: unknown): string {
  return typeof value === "number" ? new Date(value).toISOString() : "unknown";
}

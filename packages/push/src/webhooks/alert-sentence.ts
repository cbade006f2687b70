import type { AlertType } from "@propgate/contract";
import type { NumberedAlert } from "../storage/alert-lines.ts";

type Data = NumberedAlert["data"];

const SENTENCES: { readonly [Type in AlertType]: (data: Data) => string } = {
  "key.created": ({ by, ...key }) => `The key ${keyName(key)} was created by ${textOf(by)}.`,
  "key.revoked": ({ by, ...key }) => `The key ${keyName(key)} was revoked by ${textOf(by)}.`,
  "key.paused": ({ untilMs, ...key }) =>
    `The key ${keyName(key)} is paused until ${timeOf(untilMs)}, after too many rejected orders.`,
  "passkey.added": ({ label }) => `The passkey ${inQuotes(label)} was added.`,
  "session.opened": ({ address, browser }) =>
    `A person signed in from a new network: ${textOf(address)}, ${textOf(browser)}.`,
  "webhook.parked": ({ webhookId }) =>
    `The webhook ${textOf(webhookId)} has a parked lane: its last attempt failed.`,
  "webhook.disabled": ({ webhookId, reason }) =>
    `The webhook ${textOf(webhookId)} is disabled: ${DISABLED.get(textOf(reason)) ?? textOf(reason)}.`,
};

const DISABLED: ReadonlyMap<string, string> = new Map([
  ["gone", "its receiver answered 410"],
  ["operator", "the operator switched it off"],
  ["owner", "its owner switched it off"],
]);

/** The sentence that a chat shows about an alert. */
export function alertSentence({ type, data }: Pick<NumberedAlert, "type" | "data">): string {
  return SENTENCES[type](data);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "unknown";
}

/** The label of the key in quotation marks, or the id of the key when it has no label. */
function keyName({ label, keyId }: Data): string {
  return textOf(label) === "" ? textOf(keyId) : inQuotes(label);
}

function inQuotes(value: unknown): string {
  return JSON.stringify(textOf(value));
}

function timeOf(value: unknown): string {
  return typeof value === "number" ? new Date(value).toISOString() : "unknown";
}

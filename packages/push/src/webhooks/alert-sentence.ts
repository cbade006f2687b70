import type { AlertType } from "@propgate/contract";
import type { NumberedAlert } from "../storage/alert-lines.ts";

type Data = NumberedAlert["data"];

const SENTENCES: { readonly [Type in AlertType]: (data: Data) => string } = {
  "key.created": ({ by, ...key }) => `The key ${keyName(key)} was created by ${text(by)}.`,
  "key.revoked": ({ by, ...key }) => `The key ${keyName(key)} was revoked by ${text(by)}.`,
  "key.paused": ({ untilMs, ...key }) =>
    `The key ${keyName(key)} is paused until ${timeOf(untilMs)}, after too many rejected orders.`,
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

/** The sentence about an alert that a chat shows. */
export function alertSentence({ type, data }: Pick<NumberedAlert, "type" | "data">): string {
  return SENTENCES[type](data);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "unknown";
}

/** The key's quoted label, or its id when it has no label. */
function keyName({ label, keyId }: Data): string {
  return text(label) === "" ? text(keyId) : quoted(label);
}

function quoted(value: unknown): string {
  return JSON.stringify(text(value));
}

function timeOf(value: unknown): string {
  return typeof value === "number" ? new Date(value).toISOString() : "unknown";
}

import type { OperatorCallName } from "@propgate/contract";
import type { Command } from "commander";
import { checkAccountId } from "../check-account-id.ts";
import { usageError } from "../cli-error.ts";
import type { CallOperator } from "../operator-client.ts";
import { findPerson } from "./find-person.ts";

/** Adds the options of the checks that a command makes before its call. */
export function addCheckOptions(command: Command, name: OperatorCallName): void {
  if (name === "accounts.open" || name === "accounts.link") {
    command.option("--new-owner", "the owner's id is one that no account and no person has yet");
  }
}

interface TypedCall {
  readonly name: OperatorCallName;
  readonly command: Command;
  readonly ids: readonly string[];
  readonly given: Readonly<Record<string, unknown>>;
}

/**
 * Checks the typed arguments before they are sent, and returns the ids of the call's path. The name of a person becomes
 * the person's id, and a pair is written in capitals.
 */
export async function checkTypedArguments(
  call: CallOperator,
  typed: TypedCall,
): Promise<readonly string[]> {
  const { name, command, ids, given } = typed;
  const { ownerId } = given;
  const isOpening = name === "accounts.open" || name === "accounts.link";
  if (isOpening && typeof ownerId === "string" && command.opts().newOwner !== true) {
    await checkOwner(call, ownerId);
  }
  const [id] = ids;
  if (id === undefined) return ids;
  if (name.startsWith("people.")) return [(await findPerson(call, id)).personId];
  if (name.startsWith("prices.")) return [id.toUpperCase()];
  if (name.startsWith("accounts.")) checkAccountId(id, "<account-id>");
  return ids;
}

/**
 * Rejects an owner that has no account and no person: after a typing error the account would belong to an
 * owner without people. @rule D13.newOwner decides
 */
async function checkOwner(call: CallOperator, ownerId: string): Promise<void> {
  const query = { ownerId, limit: "1" };
  if ((await call("accounts.list", { query })).items.length > 0) return;
  if ((await call("people.list", { query })).items.length > 0) return;
  throw usageError(
    `--owner: no account and no person has the owner ${ownerId}`,
    "Check the id, or add --new-owner.",
  );
}

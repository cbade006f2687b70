import {
  type ClosedAccount,
  OPERATOR_ACCOUNT,
  OPERATOR_PHASES,
  type OpenAccountRequest,
  type OperatorBody,
  type OperatorPhase,
  OWN_ASSET_CLASSES,
} from "@propgate/contract";
import { type Command, Option } from "commander";
import { usageError } from "../cli-error.ts";
import {
  type CallOperator,
  cell,
  connectOperator,
  everyPage,
  type OperatorOptions,
  operatorOptions,
} from "../operator-client.ts";
import { pairs, print, table } from "../output.ts";
import { columnsOf } from "../render/csv.ts";
import type { Terminal } from "../terminal.ts";
import { typedAccount } from "../typed-account.ts";

interface CreateOptions extends OperatorOptions {
  readonly size: string;
  readonly program?: string;
  readonly owner?: string;
  readonly externalId?: string;
  readonly newOwner?: boolean;
  readonly assetClass: NonNullable<OpenAccountRequest["assetClass"]>;
  readonly criteria: NonNullable<OpenAccountRequest["drawdownCriteria"]>;
  readonly dailyLoss?: string;
  readonly tier: keyof typeof TIERS;
  readonly provisioned: boolean;
}

/** The leverage tiers as they are typed. */
const TIERS = { "1": 1, "2": 2, "3": 3 } as const;

/** `propgate operator account create|link|list|provision|close|eliminate|promote|offer-pro`. */
export function addOperatorAccount(operator: Command, terminal: Terminal): void {
  const account = operator.command("account").summary("open, list, promote and end accounts");
  addCreate(account, terminal);
  addLink(account, terminal);
  addList(account, terminal);
  const provision = actionCommand(account, "provision").summary("allow an account to trade");
  provision.action(() =>
    act({ command: provision, terminal, name: "accounts.provision", body: {} }),
  );
  addPromote(account, terminal);
  addClose(account, terminal);
  const offer = phaseCommand(account, "offer-pro")
    .summary("offer a pro account: a funded account starts it on Monday, a challenge immediately")
    .requiredOption("--size <usd>", "the pro account's size, such as 200000")
    .option("--program <id>", "the pro program (pro)");
  offer.action(() => {
    const { size, program } = offer.opts<{ size: string; program?: string }>();
    const proAccountSize = number("--size", size);
    const body = { proAccountSize, ...(program === undefined ? {} : { program }), ...seen(offer) };
    return act({ command: offer, terminal, name: "accounts.offerPro", body });
  });
  const eliminate = phaseCommand(account, "eliminate")
    .summary("end an account: closes its positions, keeps its history")
    .requiredOption("--reason <text>", "recorded permanently, and shown to the owner");
  eliminate.action(() => {
    const { reason } = eliminate.opts<{ reason: string }>();
    const body = { reason, ...seen(eliminate) };
    return act({ command: eliminate, terminal, name: "accounts.eliminate", body });
  });
}

/**
 * The operator names the phase: with one that is read here, a repeated command would promote twice.
 * @rule D13.phaseSeen
 */
function addPromote(account: Command, terminal: Terminal): void {
  const command = actionCommand(account, "promote")
    .summary("promote to the next phase, as if its target or objectives were reached")
    .addOption(phaseOption().makeOptionMandatory());
  command.action(() => {
    const { phase } = command.opts<{ phase: OperatorPhase }>();
    return act({ command, terminal, name: "accounts.promote", body: { phase } });
  });
}

/** @rule D13.closing */
function addClose(account: Command, terminal: Terminal): void {
  const command = phaseCommand(account, "close")
    .summary("close an account permanently; the reward of the week is owed")
    .option("--forfeit", "drop the reward of the week in progress");
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions & { readonly forfeit?: boolean }>();
    const call = await connectOperator(terminal, options);
    const forfeit = options.forfeit === true ? { forfeit: true } : {};
    const id = accountOf(command);
    const value = await call("accounts.close", { id, body: { ...seen(command), ...forfeit } });
    print(terminal, options, { value, lines: closedLines(value) });
  });
}

function closedLines({ accountId, payout, forfeited }: ClosedAccount): readonly string[] {
  const owed = payout === null ? [] : [`${payout.amount} USD to pay: ${payout.id}`];
  const lost = forfeited === null || forfeited === 0 ? [] : [`${forfeited} USD forfeited`];
  return [`${accountId} closed`, ...owed, ...lost];
}

/** The option `--phase`, as the field of a body. */
function seen(command: Command): { readonly phase?: OperatorPhase } {
  const { phase } = command.opts<{ phase?: OperatorPhase }>();
  return phase === undefined ? {} : { phase };
}

/** The past tense of each change. */
const DONE = {
  "accounts.provision": "provisioned",
  "accounts.promote": "promoted",
  "accounts.offerPro": "offered a pro account",
  "accounts.eliminate": "eliminated",
} as const;

function actionCommand(account: Command, action: string): Command {
  return operatorOptions(account.command(action)).argument("<account-id>", "the account");
}

function accountOf({ args: [id = ""] }: Command): string {
  return typedAccount(id, "<account-id>");
}

function phaseCommand(account: Command, action: string): Command {
  return actionCommand(account, action).addOption(phaseOption());
}

function phaseOption(): Option {
  return new Option("--phase <phase>", "only while the account is in this phase").choices([
    ...OPERATOR_PHASES,
  ]);
}

function addCreate(account: Command, terminal: Terminal): void {
  const command = operatorOptions(account.command("create"))
    .summary("open an account")
    .requiredOption("--size <usd>", "its starting balance, such as 100000")
    .option("--program <id>", "its program (classic)")
    .option("--owner <id>", "an owner's id; a new owner by default")
    .option("--external-id <id>", "its id in another system")
    .option("--new-owner", NEW_OWNER)
    .addOption(
      new Option("--asset-class <class>", "what it may trade")
        .choices([...OWN_ASSET_CLASSES])
        .default("all_markets"),
    )
    .addOption(
      new Option("--criteria <name>", "how its maximum loss is measured")
        .choices(["static", "trailing"])
        .default("static"),
    )
    .option("--daily-loss <percent>", "its daily loss limit, if the program offers a choice")
    .addOption(new Option("--tier <n>", "leverage tier").choices(Object.keys(TIERS)).default("1"))
    .option("--no-provisioned", "do not allow it to trade yet");
  command.action(async () => {
    const options = command.optsWithGlobals<CreateOptions>();
    const call = await connectOperator(terminal, options);
    const body = {
      size: number("--size", options.size),
      assetClass: options.assetClass,
      drawdownCriteria: options.criteria,
      tier: TIERS[options.tier],
      provisioned: options.provisioned,
      ...(options.program === undefined ? {} : { programId: options.program }),
      ...(options.owner === undefined ? {} : { ownerId: options.owner }),
      ...(options.externalId === undefined ? {} : { externalId: options.externalId }),
      ...(options.dailyLoss === undefined
        ? {}
        : { dailyLossPct: number("--daily-loss", options.dailyLoss) }),
    };
    await checkOwner(call, options);
    const value = await call("accounts.open", { body });
    const id = value.accountId;
    print(terminal, options, { value, lines: newAccountLines(terminal, id) });
  });
}

const NEW_OWNER = "the owner's id is one that no account and no person has yet";

/** A slip in an id would open the account for an owner without people. @rule D13.newOwner decides */
async function checkOwner(
  call: CallOperator,
  { owner, newOwner }: { readonly owner?: string; readonly newOwner?: boolean },
): Promise<void> {
  if (owner === undefined || newOwner === true) return;
  const { items } = await call("accounts.list", { query: { ownerId: owner, limit: "1" } });
  if (items.length > 0) return;
  const people = await call("people.list", { query: { ownerId: owner, limit: "1" } });
  if (people.items.length > 0) return;
  throw usageError(
    `--owner: no account and no person has the owner ${owner}`,
    "Check the id, or add --new-owner.",
  );
}

interface LinkOptions extends OperatorOptions {
  readonly subaccount: string;
  readonly owner: string;
  readonly newOwner?: boolean;
  readonly split?: string;
}

function addLink(account: Command, terminal: Terminal): void {
  const command = operatorOptions(account.command("link"))
    .summary("link a subaccount of the validator to an owner")
    .requiredOption("--subaccount <id>", "its number or its id at the validator: <entity>_<number>")
    .requiredOption("--owner <id>", "the owner's id")
    .option("--new-owner", NEW_OWNER)
    .option("--split <percent>", "the trader's share of payouts (100)");
  command.action(async () => {
    const options = command.optsWithGlobals<LinkOptions>();
    const call = await connectOperator(terminal, options);
    const { subaccount, owner: ownerId, split } = options;
    const share = split === undefined ? {} : { profitSplitPercent: number("--split", split) };
    await checkOwner(call, options);
    const value = await call("accounts.link", { body: { subaccount, ownerId, ...share } });
    print(terminal, options, { value, lines: newAccountLines(terminal, value.accountId) });
  });
}

function newAccountLines(terminal: Terminal, id: string): readonly string[] {
  return [
    ...pairs([["account", id]]),
    "",
    "Create a key for it:",
    `  ${terminal.invocation} operator key create --account ${id}`,
  ];
}

function addList(account: Command, terminal: Terminal): void {
  const command = operatorOptions(account.command("list")).summary("list all accounts");
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const items = await everyPage((query) => call("accounts.list", { query }));
    // Most services have one network, and without its name the table fits 80 columns.
    const hasLinked = items.some(({ network }) => network !== "embedded");
    const rows = items.map(({ accountId, network, status, phase, size, balance }) =>
      [accountId, ...(hasLinked ? [network] : []), status, phase, size, balance].map(cell),
    );
    print(terminal, options, {
      value: items,
      columns: columnsOf(OPERATOR_ACCOUNT),
      lines:
        rows.length === 0
          ? [
              "There is no account yet. Open one with:",
              `  ${terminal.invocation} operator account create --size 100000`,
            ]
          : table(
              ["account", ...(hasLinked ? ["network"] : []), "status", "phase", "size", "balance"],
              rows,
            ),
    });
  });
}

async function act<Name extends keyof typeof DONE>(what: {
  readonly command: Command;
  readonly terminal: Terminal;
  readonly name: Name;
  readonly body: OperatorBody<Name>;
}): Promise<void> {
  const { command, terminal, name, body } = what;
  const id = accountOf(command);
  const options = command.optsWithGlobals<OperatorOptions>();
  const call = await connectOperator(terminal, options);
  const value = await call(name, { id, body });
  print(terminal, options, { value, lines: [`${value.accountId} ${DONE[name]}`] });
}

function number(option: string, text: string): number {
  const value = Number(text.replaceAll("_", ""));
  if (text.trim() === "" || !Number.isFinite(value)) {
    throw usageError(`${option} is not a number: ${text}`);
  }
  return value;
}

import type { AuditHeadView } from "@propgate/contract";
import type { Command } from "commander";
import { EndWith, EXIT, usageError } from "../cli-error.ts";
import {
  cell,
  connectOperator,
  type OperatorOptions,
  operatorOptions,
} from "../operator-client.ts";
import { pairs, print } from "../output.ts";
import type { Terminal } from "../terminal.ts";

interface VerifyOptions extends OperatorOptions {
  readonly head?: string;
}

/** `propgate operator audit verify`: whether a line of the audit was altered or removed. */
export function addOperatorAudit(operator: Command, terminal: Terminal): void {
  const audit = operator.command("audit").summary("prove that the audit is as it was written");
  const command = operatorOptions(audit.command("verify"))
    .summary("recompute the hash chain of the audit")
    .description(
      "Recompute the hash chain of the audit and name the first line that was altered or removed. Lines " +
        "removed from the end show only against a head that was noted down elsewhere: give it with " +
        "--head. Exit code 1 when a line is not as it was written.",
    )
    .option("--head <line:hash>", "the head that an earlier run or operator health has shown");
  command.action(async () => {
    const options = command.optsWithGlobals<VerifyOptions>();
    const body = options.head === undefined ? {} : { head: readHead(options.head) };
    const call = await connectOperator(terminal, options);
    const value = await call("audit.verify", { body });
    const { lines, chainedFrom, head, broken } = value;
    print(terminal, options, {
      value,
      lines: [
        ...pairs([
          ["lines", cell(lines)],
          ["with a hash from", cell(chainedFrom)],
          ["head", headCell(head)],
        ]),
        "",
        broken === null
          ? "Every line is as it was written."
          : `Line ${broken.auditId}: ${broken.problem}.`,
      ],
    });
    if (broken !== null) throw new EndWith(EXIT.refused);
  });
}

/** The head as `--head` takes it; empty while there is none. */
export function headCell(head: AuditHeadView | null): string {
  return head === null ? "" : `${head.auditId}:${head.hash}`;
}

function readHead(text: string): AuditHeadView {
  const [, line = "", hash = ""] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (hash !== "") return { auditId: Number(line), hash };
  throw usageError(
    `--head is not a line and its hash: ${text}`,
    "Copy it from operator health or an earlier operator audit verify, such as 41:9f86…",
  );
}

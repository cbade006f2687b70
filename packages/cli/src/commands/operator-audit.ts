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

/** `propgate operator audit verify`: finds altered or removed lines of the audit. */
export function addOperatorAudit(operator: Command, terminal: Terminal): void {
  const audit = operator.command("audit").summary("verify that the audit was not altered");
  const command = operatorOptions(audit.command("verify"))
    .summary("recompute the hash chain of the audit")
    .description(
      "Recompute the hash chain of the audit and name the first line that was altered or removed. Removed " +
        "lines at the end are found only by comparing with a head that was stored elsewhere: pass it as " +
        "--head. Exit code 1 when a line was altered or removed.",
    )
    .option("--head <line:hash>", "the head that an earlier run or operator health printed");
  command.action(async () => {
    const options = command.optsWithGlobals<VerifyOptions>();
    const body = options.head === undefined ? {} : { head: readHead(options.head) };
    const call = await connectOperator(terminal, options);
    const value = await call("audit.verify", { body });
    const { lines, head, broken } = value;
    print(terminal, options, {
      value,
      lines: [
        ...pairs([
          ["lines", cell(lines)],
          ["head", headCell(head)],
        ]),
        "",
        broken === null ? "No line was altered." : `Line ${broken.auditId}: ${broken.problem}.`,
      ],
    });
    if (broken !== null) throw new EndWith(EXIT.refused);
  });
}

/** The head in the format of `--head`; empty without one. */
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

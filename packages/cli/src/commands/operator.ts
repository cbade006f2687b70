import type { Command } from "commander";
import { addOperatorCalls } from "../operator/commands.ts";
import type { Terminal } from "../terminal.ts";
import { addOperatorCorporateAction } from "./corporate/operator-corporate-action.ts";
import { addOperatorHealth } from "./operator-health.ts";
import { addOperatorPerson } from "./operator-person.ts";
import { addOperatorCatalogue, addOperatorPrograms } from "./operator-programs.ts";
import { addOperatorPrices } from "./prices/operator-prices.ts";

/** `propgate operator …`: the commands that call a running service as its operator. */
export function addOperator(program: Command, terminal: Terminal): void {
  const operator = program
    .command("operator")
    .summary("accounts, keys, programs, payouts, prices, people and tokens of a running service")
    .description(
      "Manage a running service as its operator: a command for each call of its interface. The token is that in " +
        "PROPGATE_OPERATOR_TOKEN, from --token-file, or from the file in the service's data folder.",
    );
  addOperatorHealth(operator, terminal);
  addOperatorPerson(operator, terminal);
  addOperatorPrograms(operator, terminal);
  addOperatorCatalogue(operator, terminal);
  addOperatorCorporateAction(operator, terminal);
  addOperatorPrices(operator, terminal);
  addOperatorCalls(operator, terminal);
}

import type { Command } from "commander";
import type { Terminal } from "../terminal.ts";
import { addOperatorCorporateAction } from "./corporate/operator-corporate-action.ts";
import { addOperatorFunding } from "./corporate/operator-funding.ts";
import { addOperatorAccount } from "./operator-account.ts";
import { addOperatorAlerts } from "./operator-alerts.ts";
import { addOperatorAudit } from "./operator-audit.ts";
import { addOperatorEvents } from "./operator-events.ts";
import { addOperatorHealth } from "./operator-health.ts";
import { addOperatorKey } from "./operator-key.ts";
import { addOperatorPayouts } from "./operator-payouts.ts";
import { addOperatorPerson } from "./operator-person.ts";
import { addOperatorCatalogue, addOperatorPrograms } from "./operator-programs.ts";
import { addOperatorRekey } from "./operator-rekey.ts";
import { addOperatorRestore } from "./operator-restore.ts";
import { addOperatorToken } from "./operator-token.ts";
import { addOperatorWebhook } from "./operator-webhook.ts";
import { addOperatorPrices } from "./prices/operator-prices.ts";

/** `propgate operator …`: the commands that call a running service as its operator. */
export function addOperator(program: Command, terminal: Terminal): void {
  const operator = program
    .command("operator")
    .summary("accounts, keys, programs, payouts, prices, people and tokens of a running service")
    .description(
      "Manage a running service as its operator. The token comes from PROPGATE_OPERATOR_TOKEN, " +
        "from --token-file, or from the file in the service's data folder.",
    );
  addOperatorAccount(operator, terminal);
  addOperatorKey(operator, terminal);
  addOperatorRekey(operator, terminal);
  addOperatorRestore(operator, terminal);
  addOperatorPrograms(operator, terminal);
  addOperatorCatalogue(operator, terminal);
  addOperatorCorporateAction(operator, terminal);
  addOperatorFunding(operator, terminal);
  addOperatorPayouts(operator, terminal);
  addOperatorPerson(operator, terminal);
  addOperatorPrices(operator, terminal);
  addOperatorEvents(operator, terminal);
  addOperatorAlerts(operator, terminal);
  addOperatorAudit(operator, terminal);
  addOperatorToken(operator, terminal);
  addOperatorWebhook(operator, terminal);
  addOperatorHealth(operator, terminal);
}

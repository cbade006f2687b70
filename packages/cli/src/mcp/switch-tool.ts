import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import {
  parseCancelAllAfter,
  SIGNED_ENDPOINTS,
  SWITCH_REQUEST,
  SWITCH_RESULT,
  type SwitchFields,
} from "@propgate/contract";
import type { Client, Linked } from "@propgate/sdk";
import { createAnswerMaker } from "./answer-maker.ts";
import type { CallRate } from "./call-rate.ts";
import { takeRateSlot } from "./cap-check.ts";
import { type Failure, failureOf, unsentFailure } from "./failure.ts";
import { wrongArguments } from "./read-arguments.ts";
import { errorAnswer } from "./tool-answer.ts";
import { answerSchema, argumentsSchema, toolSchema } from "./tool-schema.ts";
import type { TradingCaps } from "./trading-caps.ts";

/**
 * Adds the tool of the dead man's switch. The switch can only reduce risk, so no cap but the rate of calls applies.
 * Only the account's person may allow the agent to end or loosen it. @rule D12.agentSwitch
 */
export function addSwitchTool(
  server: McpServer,
  client: Client<Linked>,
  { maySwitchOff, rate }: Pick<TradingCaps, "maySwitchOff"> & { readonly rate: CallRate },
): void {
  const config = {
    description: `${SIGNED_ENDPOINTS.cancelAllAfter.summary}. ${maySwitchOff ? MAY_END : MAY_RENEW}`,
    inputSchema: argumentsSchema(SWITCH_REQUEST.json),
    outputSchema: toolSchema(answerSchema(SWITCH_RESULT.json)),
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: true,
    },
  };
  const announced = createAnswerMaker(SWITCH_RESULT.json);
  server.registerTool("cancel_all_after", config, async (given) => {
    const parsed = parseCancelAllAfter(given);
    if (!parsed.ok) return errorAnswer(wrongArguments(parsed.message));
    const [ignored] = parsed.ignoredFields;
    if (ignored !== undefined) {
      return errorAnswer(wrongArguments(`'${ignored}' is a field that this tool does not have`));
    }
    const { seconds, action } = parsed.fields;
    let isSent = false;
    try {
      const loosening = () => (maySwitchOff ? null : looseningRefusal(client, parsed.fields));
      const refusal = switchRateRefusal(rate) ?? (await loosening());
      if (refusal !== null) return errorAnswer(refusal);
      isSent = true;
      return await announced({ ...(await client.cancelAllAfter(seconds ?? 0, { action })) });
    } catch (error) {
      return failureAnswer(error, isSent);
    }
  });
}

/**
 * The maximum calls of the switch in any 60 seconds. One renewal a second is enough for a deadline of one second.
 * @rule D12.agentSwitchRate
 */
export const SWITCH_CALLS_PER_MINUTE = 60;

/** The rejection of a call beyond the maximum of a minute; null for any other. @rule D12.agentSwitchRate decides */
function switchRateRefusal(rate: CallRate): Failure | null {
  return takeRateSlot(
    rate,
    `the dead man's switch may be called at most ${SWITCH_CALLS_PER_MINUTE} times a minute`,
    "Give the switch more seconds, and renew it less often.",
  );
}

function failureAnswer(error: unknown, isSent: boolean): CallToolResult {
  const failure = failureOf(error);
  if (failure === null) throw error;
  const isUnknown = isSent && failure.status === null;
  return errorAnswer(isUnknown ? { ...failure, ...MAY_BE_DONE } : failure);
}

/** The cause and the fix for a request that got no answer. */
const MAY_BE_DONE: Pick<Failure, "cause" | "fix"> = {
  cause: "No answer came, so the switch may have been changed or not.",
  fix: "Call again with the same arguments, which does no harm. `cancelAllAfter` of get_account shows the switch.",
};

const MAY_END = "`seconds` 0 ends it.";
const MAY_RENEW =
  "Renews it with at most the `seconds` that it has, or arms it sooner. Here it cannot be ended (`seconds` 0) or " +
  "loosened (more `seconds`, or `cancel` instead of `flatten`): only the account's person may do that.";

/**
 * The rejection of a call that ends or loosens the switch. Null for a call that arms it, renews it or makes its
 * deadline or action stricter. @rule D12.agentSwitch decides
 */
async function looseningRefusal(
  client: Client<Linked>,
  { seconds, action }: SwitchFields,
): Promise<Failure | null> {
  if (seconds === null) return notAllowed("'seconds' 0 ends the dead man's switch");
  const { cancelAllAfter: armed } = await client.account();
  if (armed == null) return null;
  if (seconds > armed.seconds) {
    return notAllowed(`'seconds' must be at most ${armed.seconds}, as the switch was armed`);
  }
  return armed.action === "flatten" && action === "cancel"
    ? notAllowed("'action' must be 'flatten', as the switch was armed")
    : null;
}

function notAllowed(error: string): Failure {
  return unsentFailure(error, {
    cause:
      "This agent may renew the dead man's switch and arm it sooner, but not end or loosen it.",
    fix: "The person may start this server with --allow-switch-off, or change the switch in another program.",
  });
}

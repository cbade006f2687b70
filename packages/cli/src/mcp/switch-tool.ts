import type { McpServer } from "@modelcontextprotocol/server";
import {
  parseCancelAllAfter,
  SIGNED_ENDPOINTS,
  SWITCH_REQUEST,
  SWITCH_RESULT,
} from "@propgate/contract";
import type { Client, Linked } from "@propgate/sdk";
import { failureOf } from "./failure.ts";
import { wrongArguments } from "./read-arguments.ts";
import { dataAnswer, errorAnswer } from "./tool-answer.ts";
import { published } from "./tool-schema.ts";

/** Adds the dead man's switch. It can only end risk, so no cap applies. */
export function addSwitchTool(server: McpServer, client: Client<Linked>): void {
  const config = {
    description: `${SIGNED_ENDPOINTS.cancelAllAfter.summary}. \`seconds\` 0 ends it.`,
    inputSchema: published(SWITCH_REQUEST.json),
    outputSchema: published(SWITCH_RESULT.json),
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: true,
    },
  };
  server.registerTool("cancel_all_after", config, async (given) => {
    const parsed = parseCancelAllAfter(given);
    if (!parsed.ok) return errorAnswer(wrongArguments(parsed.message));
    const [ignored] = parsed.ignoredFields;
    if (ignored !== undefined) {
      return errorAnswer(wrongArguments(`'${ignored}' is a field that this tool does not have`));
    }
    const { seconds, action } = parsed.fields;
    try {
      return dataAnswer({ ...(await client.cancelAllAfter(seconds ?? 0, { action })) });
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null) throw error;
      return errorAnswer(failure);
    }
  });
}

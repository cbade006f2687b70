import { accountView } from "../../views/account.ts";
import { type Handler, type HandlerOptions, readAt, readingOutcome } from "../handler.ts";

/** GET account. @rule S2.1 */
export const getAccount =
  ({ network }: Pick<HandlerOptions, "network">): Handler =>
  async (input) =>
    readingOutcome(await network.account(readAt(input)), accountView);

import { accountView } from "../../views/account.ts";
import { type Handler, type HandlerNeeds, outcomeOf, readAt } from "../handler.ts";

/** GET account. @rule S2.1 */
export const getAccount =
  ({ network }: Pick<HandlerNeeds, "network">): Handler =>
  async (asked) =>
    outcomeOf(await network.account(readAt(asked)), accountView);

import { fine } from "../json/json-reply.ts";
import { type Handle, wrong } from "./operator-reply.ts";
import { parseSearch } from "./operator-requests.ts";

/** Accounts, keys and payouts that a text may mean. */
export const search: Handle = async ({ world }, { query }) => {
  const text = parseSearch(query);
  return text.ok ? fine(await world.search.find(text.value)) : wrong(text);
};

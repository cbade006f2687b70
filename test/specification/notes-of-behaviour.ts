import { ENDPOINT_NAMES } from "@propgate/contract";
import type { Evidence } from "./evidence.ts";
import { createNote, type Note, valueAt } from "./note.ts";

const moved = ({ moves }: Evidence, kind: string) => moves[kind];

/** The remarks in the tables of sections 3 to 5. */
export const NOTES_OF_BEHAVIOUR: readonly Note[] = [
  createNote(
    "3 State MARKET",
    "quantity, value and price are the executed size and fill price after any cap clamp and lot-grid rounding; when the network filled less than requested, `order.bindingCap` names the applied limit; position appears in GET positions",
    {
      // The order was for twice the balance, and the cap of the pair is 1.5 times the balance.
      seen: (all) => {
        const order = moved(all, "MARKET")?.order;
        return (
          order?.quantity === 3 &&
          order.value === 150_000 &&
          order.price === 50_000 &&
          order.bindingCap === "per pair cap 1.5x"
        );
      },
    },
  ),
  createNote(
    "3 State LIMIT, STOP_LIMIT or BRACKET",
    "only the size field sent is populated; the fill is later read from netQuantity (positions) or quantity (trades)",
    {
      seen: (all) => {
        const sizes = ["LIMIT", "STOP_LIMIT", "BRACKET"].map((kind) => {
          const order = moved(all, kind)?.order;
          return [order?.quantity, order?.value, order?.leverage].join();
        });
        return sizes.join(" ") === "0.1,, ,1000, ,,";
      },
    },
  ),
  createNote("3 State LIMIT_EDIT", "returns the edited order, `filled` false", {
    seen: (all) =>
      moved(all, "LIMIT_EDIT")?.order?.limitPrice === 56_000 &&
      moved(all, "LIMIT_EDIT")?.filled === false,
  }),
  createNote("3 State LIMIT_CANCEL", "`data.order` is null; cancelled id is `data.order_uuid`", {
    seen: (all) =>
      moved(all, "LIMIT_CANCEL")?.order === null &&
      moved(all, "LIMIT_CANCEL")?.orderUuid === moved(all, "LIMIT")?.orderUuid,
  }),
  createNote("3 State FLAT_ALL", "`data.order` is null; fills are read from GET trades", {
    seen: (all) =>
      moved(all, "FLAT_ALL")?.order === null && moved(all, "FLAT_ALL")?.to === "closed",
  }),
  createNote("3 Value ok", "accrual carries a live estimate", {
    seen: ({ live }) =>
      valueAt(live.states.funded.payouts, "accrualStatus") === "ok" &&
      typeof valueAt(live.states.funded.payouts, "accrual.estimatedAmount") === "number",
  }),
  createNote(
    "3 Value not_applicable",
    "the account does not earn payouts in its current phase, or is not yet set up on the network",
    { seen: ({ live }) => valueAt(live.states.new.payouts, "accrualStatus") === "not_applicable" },
  ),
  createNote(
    "3 Value unavailable",
    "the validator could not be reached; items is still returned; retry for the estimate",
    {
      seen: ({ live: { payoutsWithoutNetwork } }) =>
        valueAt(payoutsWithoutNetwork, "accrualStatus") === "unavailable" &&
        valueAt(payoutsWithoutNetwork, "items.length") === 3 &&
        valueAt(payoutsWithoutNetwork, "accrual.estimatedAmount") === null,
    },
  ),
  createNote("3 Value omitted", "every page after the first", {
    seen: ({ live }) => valueAt(live.states.funded.laterPayouts, "0.accrualStatus") === "omitted",
  }),
  createNote(
    "4.1 Parameter limit",
    "optional; rows per page, 1 to 200, default 50; values above 200 are treated as 200; anything that is not a positive integer is rejected with 400",
    { seen: ({ limits }) => Object.values(limits.payoutsPage).join() === "1,200,50" },
  ),
  createNote(
    "4.1 Parameter cursor",
    "optional; the `nextCursor` of the previous page, passed back unchanged; omit for the first page",
    {
      seen: ({ live }) =>
        valueAt(live.states.funded.laterPayouts, "0.items.0.id") ===
        valueAt(live.states.funded.payouts, "items.1.id"),
    },
  ),
  createNote("4.2 Field accountId", "in the body; must equal the bound account, else 403", {
    rule: "S5.R5",
  }),
  createNote("4.2 Field trade", "required", { rule: "S4.2.fields" }),
  createNote(
    "4.2 Field trade.execution_type",
    "one of `MARKET`, `LIMIT`, `BRACKET`, `LIMIT_CANCEL`, `LIMIT_EDIT`, `FLAT_ALL`; any other value is rejected with 400",
    {
      // Section 3 also describes STOP_LIMIT; it is the only kind that this row does not name.
      seen: ({ moves }) =>
        Object.keys(moves).toSorted().join() ===
        "BRACKET,FLAT_ALL,LIMIT,LIMIT_CANCEL,LIMIT_EDIT,MARKET,STOP_LIMIT",
    },
  ),
  createNote("4.2 Field trade.trade_pair", "pair identifier", { rule: "D1.pairs" }),
  createNote("4.2 Field trade.order_type", "direction, e.g. `LONG`", {
    seen: (all) => moved(all, "MARKET")?.order?.orderType === "LONG",
  }),
  createNote("4.2 Field trade.value", "sizing field (notional)", { rule: "D5.size" }),
  createNote("4.2 Field trade.leverage, trade.quantity", "alternative sizing fields", {
    rule: "S4.2.sizing",
  }),
  createNote(
    "4.2 Field trade.stop_loss, trade.take_profit, trade.bracket_orders",
    "attach TP/SL legs",
    {
      rule: "D5.legs",
    },
  ),
  createNote("5 Header X-Service-Key-Id", "the key id shown when the key was created", {
    rule: "D8.keys",
  }),
  createNote(
    "5 Header X-Service-Timestamp",
    "whole milliseconds since the Unix epoch, decimal string",
    {
      rule: "S5.R1",
    },
  ),
  createNote("5 Header X-Service-Nonce", "unique random value per request", {
    seen: ({ errors }) =>
      errors.get("nonce already used by this key")?.length === ENDPOINT_NAMES.length,
  }),
  createNote(
    "5 Header X-Service-Signature",
    "`v1=` followed by the base64 of the HMAC-SHA256 of the canonical string",
    { rule: "S5.canonical" },
  ),
];

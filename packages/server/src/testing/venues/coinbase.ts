import { isoOf, readJson, textIn, textsIn } from "./fields.ts";
import type {
  LocalVenueMarket,
  LocalVenueProtocol,
  LocalVenueQuote,
  VenueConnection,
} from "./local-venue.ts";

/** Coinbase Advanced Trade: spot products and the channel `level2`, whose messages are all numbered. */
export const coinbaseProtocol: LocalVenueProtocol = {
  idOf: ({ base, quote }) => `${base}-${quote}`,
  answer({ path, query }, markets) {
    if (path !== "/api/v3/brokerage/market/products") return undefined;
    const isSpot = query.get("product_type") === null;
    const products = isSpot ? markets.map(product) : [];
    return { products, num_products: products.length };
  },
  receive(text, session) {
    const request = readJson(text);
    if (textIn(request, "type") !== "subscribe") return;
    const ids = textsIn(request, "product_ids");
    if (session.faults.plan.isRejecting) {
      session.send({ type: "error", message: "authentication failure" });
      return;
    }
    const subscriptions = { [textIn(request, "channel")]: ids };
    session.send(envelope(session, "subscriptions", { subscriptions }));
    for (const id of ids) session.subscribe(id);
  },
  quoteMessages(quote, session) {
    const before = session.kept.get(quote.id);
    session.kept.set(quote.id, quote);
    const updates = [...removalsOf(before, quote), ...levels(quote)];
    const type = before === undefined ? "snapshot" : "update";
    return [envelope(session, "l2_data", { type, product_id: quote.id, updates })];
  },
};

function envelope(session: VenueConnection, channel: string, event: object): object {
  return {
    channel,
    client_id: "",
    timestamp: isoOf(session.faults.nowMs()),
    sequence_num: session.nextNumber(),
    events: [event],
  };
}

function levels(quote: LocalVenueQuote): readonly object[] {
  const event_time = isoOf(quote.atMs);
  return [
    { side: "bid", event_time, price_level: String(quote.bid), new_quantity: "0.5" },
    { side: "offer", event_time, price_level: String(quote.ask), new_quantity: "0.7" },
  ];
}

/** The updates that remove the levels of the previous quote. */
function removalsOf(
  before: LocalVenueQuote | undefined,
  quote: LocalVenueQuote,
): readonly object[] {
  if (before === undefined) return [];
  const event_time = isoOf(quote.atMs);
  const updates: object[] = [];
  const remove = (side: string, price: number): void => {
    updates.push({ side, event_time, price_level: String(price), new_quantity: "0" });
  };
  if (before.bid !== quote.bid) remove("bid", before.bid);
  if (before.ask !== quote.ask) remove("offer", before.ask);
  return updates;
}

function product({ base, quote }: LocalVenueMarket): object {
  return {
    product_id: `${base}-${quote}`,
    price: "90000",
    base_increment: "0.00000001",
    quote_increment: "0.01",
    price_increment: "0.01",
    quote_min_size: "1",
    quote_max_size: "150000000",
    base_min_size: "0.00000001",
    base_max_size: "3400",
    base_name: base,
    quote_name: quote,
    is_disabled: false,
    status: "online",
    trading_disabled: false,
    product_type: "SPOT",
    quote_currency_id: quote,
    base_currency_id: base,
    alias: "",
    alias_to: [],
  };
}

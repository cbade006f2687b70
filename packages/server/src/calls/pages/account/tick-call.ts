import type { TicksView } from "@propgate/contract";
import type { Instruments } from "@propgate/core";
import { okReply } from "../../json/json-reply.ts";
import type { PageRoute } from "../page-call.ts";

export interface TickOptions {
  readonly instruments: Instruments;
}

/** GET ticks: the tick of every pair, with which the pages round prices. */
export function tickCall({ instruments }: TickOptions): PageRoute {
  const ticks: TicksView = Object.fromEntries(
    [...instruments.values()].map(({ id, tick }) => [id, tick]),
  );
  return {
    name: "ticks",
    method: "GET",
    path: "/ticks",
    audited: false,
    handle: async () => okReply(ticks),
  };
}

import { positionView } from "../../views/position.ts";
import { type Handler, type HandlerNeeds, outcomeOf, readAt } from "../handler.ts";

/** GET positions. @rule S2.2 */
export const getPositions =
  ({ network, instruments }: Pick<HandlerNeeds, "network" | "instruments">): Handler =>
  async (asked) =>
    outcomeOf(await network.positions(readAt(asked)), (positions) =>
      positions.map((position) => positionView(position, instruments)),
    );

import { positionView } from "../../views/position.ts";
import { type Handler, type HandlerOptions, readAt, readingOutcome } from "../handler.ts";

/** GET positions. @rule S2.2 */
export const getPositions =
  ({ network, instruments }: Pick<HandlerOptions, "network" | "instruments">): Handler =>
  async (input) =>
    readingOutcome(await network.positions(readAt(input)), (positions) =>
      positions.map((position) => positionView(position, instruments)),
    );

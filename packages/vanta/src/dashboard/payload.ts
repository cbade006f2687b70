import type { Literal, LiteralRecord } from "../python-literal.ts";
import { type DecodeProblem, readRecord } from "./network-units.ts";

/** The fields of an answer, which validators send as they are or within `data`; null when there are none. */
export function readPayload(body: Literal, problem: DecodeProblem): LiteralRecord | null {
  const answer = readRecord(body, "the answer", problem);
  return answer?.data === undefined ? answer : readRecord(answer.data, "data", problem);
}

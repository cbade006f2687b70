import { type ListField, timeProblem } from "@propgate/contract";
import type { ListFilter } from "../../../storage/lists/list-query.ts";
import { type ParameterReading, parameterRefusal, quotedText } from "./list-parameter.ts";

/** A decimal number. It may have more digits than a double can keep. */
const NUMBER = /^-?\d{1,20}(\.\d{1,20})?$/;

/** Reads a bound of a filter, such as `sizeMin` or `endedAtMsMax`. A value that equals the bound matches. */
export function readBound(
  { name, kind }: ListField,
  side: "min" | "max",
  text: string,
): ParameterReading<ListFilter> {
  const parameter = `${name}${side === "min" ? "Min" : "Max"}`;
  if (text === "null" || text === "set") {
    return parameterRefusal(
      parameter,
      `must be a ${kind === "time" ? "time in Unix milliseconds" : "number"}; use ${name}=${text}`,
    );
  }
  const problem = kind === "time" ? timeBoundProblem(text) : numberProblem(text);
  if (problem !== null) return parameterRefusal(parameter, problem);
  const value = Number(text);
  return { value: side === "min" ? { field: name, min: value } : { field: name, max: value } };
}

function numberProblem(text: string): string | null {
  if (NUMBER.test(text)) return null;
  return text.includes(",")
    ? `must be a number with a point, such as 1250.5, not ${quotedText(text)}`
    : `must be a number such as 1250.5, not ${quotedText(text)}`;
}

function timeBoundProblem(text: string): string | null {
  return /^-?\d{1,25}$/.test(text)
    ? timeProblem(Number(text), quotedText(text))
    : `must be a time in whole Unix milliseconds, such as 1767225600000, not ${quotedText(text)}`;
}

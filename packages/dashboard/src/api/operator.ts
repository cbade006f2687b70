import {
  type AnsweringCall,
  type OperatorAnswer,
  type OperatorBody,
  type OperatorTarget,
  operatorPath,
} from "@propgate/contract";
import { read, write } from "./call.ts";

/** `data` of a call of the operator's interface. */
export function readOperator<Name extends AnsweringCall>(
  name: Name,
  target: OperatorTarget<Name> & { readonly signal: AbortSignal },
): Promise<OperatorAnswer<Name>> {
  return read<OperatorAnswer<Name>>(`operator${operatorPath(name, target)}`, target.signal);
}

/** Makes a call with a body, and returns its `data`. */
export function writeOperator<Name extends AnsweringCall>(
  name: Name,
  { body, ...target }: OperatorTarget<Name> & { readonly body: OperatorBody<Name> },
): Promise<OperatorAnswer<Name>> {
  return write<OperatorAnswer<Name>>(`operator${operatorPath(name, target)}`, body);
}

import {
  type AnsweringCall,
  OPERATOR_CALLS,
  type OperatorAnswer,
  type OperatorBody,
  type OperatorPage,
  type OperatorTarget,
  operatorPath,
} from "@propgate/contract";
import { getData, sendData } from "./call.ts";

/** Reads `data` of a call of the operator's interface. @throws CallFailed */
export function readOperator<Name extends AnsweringCall>(
  name: Name,
  target: OperatorTarget<Name> & { readonly signal: AbortSignal },
): Promise<OperatorAnswer<Name>> {
  return getData<OperatorAnswer<Name>>(`operator${operatorPath(name, target)}`, target.signal);
}

const PAGE = "500";

/** Reads all items of a list, page after page. */
export async function readWholeList<Item>(
  readPage: (page: {
    readonly limit: string;
    readonly after: string;
  }) => Promise<OperatorPage<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let after: string | null = "";
  while (after !== null) {
    const page: OperatorPage<Item> = await readPage({ limit: PAGE, after });
    items.push(...page.items);
    after = page.next;
  }
  return items;
}

/**
 * Makes a call of the operator's interface with its body, and returns its `data`. Calls with the same `repeatKey` are
 * carried out once. @throws CallFailed
 */
export function writeOperator<Name extends AnsweringCall>(
  name: Name,
  {
    body,
    repeatKey,
    ...target
  }: OperatorTarget<Name> & { readonly body: OperatorBody<Name>; readonly repeatKey?: string },
): Promise<OperatorAnswer<Name>> {
  const path = `operator${operatorPath(name, target)}`;
  return sendData<OperatorAnswer<Name>>(OPERATOR_CALLS[name].method, path, {
    body,
    ...(repeatKey === undefined ? {} : { repeatKey }),
  });
}

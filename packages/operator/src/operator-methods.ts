/* The type of every method, derived from the tables of the contract: ids from the path, fields from the body or the
   query, and the answer. A call that is added to the tables becomes a method without a change here. */
import type {
  AnsweringCall,
  BulkCall,
  BulkLine,
  FileCall,
  ListCall,
  ListFileFormat,
  ListItem,
  ListParameter,
  OPERATOR_CALLS,
  OperatorAnswer,
  OperatorBody,
  OperatorCallName,
  OperatorQuery,
  REQUIRED_OPERATOR_PARAMETERS,
} from "@propgate/contract";
import type { BulkFile } from "./bulk-file.ts";
import type { OperatorFile } from "./operator-file.ts";
import type { CallOptions } from "./operator-settings.ts";
import type { QueryValue } from "./query-text.ts";

/** The ids of a path as arguments: `[id: string, orderUuid: string]` for `/accounts/:id/orders/:orderUuid`. */
type Ids<Path extends string> = Path extends `${string}/:${infer Rest}`
  ? Rest extends `${string}/${infer Next}`
    ? [id: string, ...Ids<`/${Next}`>]
    : [id: string]
  : [];

type IdsOf<Name extends OperatorCallName> = Ids<(typeof OPERATOR_CALLS)[Name]["path"]>;

/** The arguments of a method: the ids of the path, the fields when the call has some, then the options. */
type Arguments<Name extends OperatorCallName, Given> =
  Record<never, never> extends Given
    ? [...ids: IdsOf<Name>, given?: Given, options?: CallOptions]
    : [...ids: IdsOf<Name>, given: Given, options?: CallOptions];

/**
 * The value of a filter: one word or several. For a field that may be null, `null` selects the items whose value is
 * null, and `"set"` all others.
 */
type Choice<Value> =
  | One<NonNullable<Value>>
  | readonly One<NonNullable<Value>>[]
  | (null extends Value ? null | "set" : never);

type One<Value> = Value extends readonly (infer Item)[] ? Item : Value;

/** The parameters that every list has. */
interface ListChoice<Item, Field extends keyof Item & string> {
  /** Items on a page, 1 to 500; 50 when absent. */
  readonly limit: number;
  /** `next` of a page with the same filters and the same sort. */
  readonly after: string;
  /** The field to sort by, with `-` before it for descending order. */
  readonly sort: (keyof Item & string) | `-${keyof Item & string}`;
  /** Any part of a name or an external id, or the beginning of an id. */
  readonly q: string;
  /** The fields that each item has in the answer; all when absent. */
  readonly fields: readonly Field[];
}

type ListValue<
  Item,
  Field extends keyof Item & string,
  Parameter,
> = Parameter extends keyof ListChoice<Item, Field>
  ? ListChoice<Item, Field>[Parameter]
  : Parameter extends keyof Item
    ? [NonNullable<Item[Parameter]>] extends [number]
      ? null | "set"
      : Choice<Item[Parameter]>
    : number;

/** Filters, sort order and cursor of a list: `nearestUsedOfLimitPctMin: 75`, `status: ["active", "closed"]`. */
export type ListQuery<Item, Field extends keyof Item & string = keyof Item & string> = {
  readonly [Parameter in Exclude<ListParameter<Item>, "format">]?: ListValue<
    Item,
    Field,
    Parameter
  >;
};

type Account = ListItem<"accounts.list">;

/** The type of a parameter of a call that is not a list. Exposure and stress have the filters of the accounts. */
type ParameterValue<Name extends OperatorCallName, Parameter> = Name extends "exposure" | "stress"
  ? Parameter extends ListParameter<Account>
    ? ListValue<Account, keyof Account, Parameter>
    : QueryValue
  : QueryValue;

type RequiredOf<Name extends OperatorCallName> =
  Name extends keyof typeof REQUIRED_OPERATOR_PARAMETERS
    ? (typeof REQUIRED_OPERATOR_PARAMETERS)[Name][number]
    : never;

type Query<Name extends OperatorCallName, Parameter extends PropertyKey> = {
  readonly [One in Exclude<Parameter, RequiredOf<Name>>]?: ParameterValue<Name, One>;
} & { readonly [One in RequiredOf<Name>]: ParameterValue<Name, One> };

/** The body of a call; for a call without a body its query without `format`. */
type Given<Name extends OperatorCallName> =
  OperatorBody<Name> extends undefined
    ? Query<Name, Exclude<keyof OperatorQuery<Name>, "format">>
    : OperatorBody<Name>;

/** Iterates over the items of this page and of all pages after it. */
interface Paged<Item> {
  [Symbol.asyncIterator](): AsyncIterator<Item, undefined>;
}

/**
 * A page of a list with the other fields of its answer, such as `sums`. As an async iterable it yields all items from
 * this page on.
 */
export type Page<Name extends ListCall, Field extends keyof ListItem<Name>> = Omit<
  OperatorAnswer<Name>,
  "items"
> & { readonly items: readonly Pick<ListItem<Name>, Field>[] } & Paged<Pick<ListItem<Name>, Field>>;

/**
 * `data` of an answer, which is also an iterable when it is a page. The trades of an account are a plain list with
 * `next` beside it, so they become a page.
 */
type Answer<Name extends AnsweringCall> = Name extends "accounts.trades"
  ? TradesOf<OperatorAnswer<Name>>
  : OperatorAnswer<Name> extends { readonly items: readonly (infer Item)[]; readonly next: unknown }
    ? OperatorAnswer<Name> & Paged<Item>
    : OperatorAnswer<Name>;

type TradesOf<Trades> = Trades extends readonly (infer Trade)[]
  ? { readonly items: Trades; readonly next: string | null } & Paged<Trade>
  : never;

/** With `format`, a list or a read is answered as a file. */
interface Format {
  readonly format: ListFileFormat;
}

interface ListMethod<Name extends ListCall> {
  (
    ...given: [
      ...ids: IdsOf<Name>,
      query: ListQuery<ListItem<Name>> & Format,
      options?: CallOptions,
    ]
  ): Promise<OperatorFile>;
  <Field extends keyof ListItem<Name> & string = keyof ListItem<Name> & string>(
    ...given: [...ids: IdsOf<Name>, query?: ListQuery<ListItem<Name>, Field>, options?: CallOptions]
  ): Promise<Page<Name, Field>>;
}

interface FormattedMethod<Name extends AnsweringCall> {
  (
    ...given: [...ids: IdsOf<Name>, query: Given<Name> & Format, options?: CallOptions]
  ): Promise<OperatorFile>;
  (...given: Arguments<Name, Given<Name>>): Promise<Answer<Name>>;
}

type FileMethod<Name extends FileCall> = (
  ...given: Arguments<
    Name,
    Name extends "accounts.evidence" ? { readonly format?: "json" | "html" } : Given<Name>
  >
) => Promise<OperatorFile>;

/** A bulk. The results come row by row while the service carries the rows out. `dryRun` only checks the rows. */
type BulkMethod<Name extends BulkCall> = (
  file: BulkFile<Name>,
  query?: { readonly dryRun?: boolean },
  options?: CallOptions,
) => Promise<AsyncIterable<BulkLine>>;

/**
 * The type of the method that makes a call. It depends on the answer of the call: the results of a bulk, a file, a page
 * of a list, or other data.
 */
export type OperatorMethod<Name extends OperatorCallName> = Name extends BulkCall
  ? BulkMethod<Name>
  : Name extends FileCall
    ? FileMethod<Name>
    : Name extends ListCall
      ? ListMethod<Name>
      : Name extends AnsweringCall
        ? "format" extends keyof OperatorQuery<Name>
          ? FormattedMethod<Name>
          : (...given: Arguments<Name, Given<Name>>) => Promise<Answer<Name>>
        : never;

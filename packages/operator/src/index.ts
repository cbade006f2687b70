export type {
  BulkCall,
  BulkLine,
  ListCall,
  ListItem,
  OperatorAnswer,
  OperatorBody,
  OperatorCallName,
  OperatorErrorCode,
} from "@propgate/contract";
export {
  AbortedError,
  InvalidSettingError,
  type RetryPlan,
  UnexpectedAnswerError,
  UnreachableError,
} from "@propgate/sdk";
export type { BulkFile, BulkRow } from "./bulk-file.ts";
export {
  createCaller,
  createOperator,
  type Operator,
  type OperatorCaller,
} from "./create-operator.ts";
export { OperatorError, type OperatorRefusal } from "./operator-error.ts";
export type { OperatorFile } from "./operator-file.ts";
export type { ListQuery, OperatorMethod, Page } from "./operator-methods.ts";
export type { CallOptions, OperatorSettings } from "./operator-settings.ts";

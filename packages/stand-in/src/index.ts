export type {
  AcceptedOrder,
  NewSubaccount,
  OrderContentCount,
  StandInControl,
  SubaccountChange,
} from "./control/control.ts";
export { createRemoteControl } from "./control/remote-control.ts";
export type { CallName, Fault, FaultRecord, FaultRule } from "./http/faults.ts";
export { type PythonValue, pythonRepr } from "./python-repr.ts";
export { openStandIn, type StandIn, type StandInOptions } from "./stand-in.ts";

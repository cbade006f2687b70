export * from "./clock.ts";
export * from "./network/executor-port.ts";
export * from "./network/port.ts";
export * from "./prices/port.ts";
export * from "./random.ts";
export * from "./storage/database.ts";

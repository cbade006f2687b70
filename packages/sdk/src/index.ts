export * from "./client.ts";
export * from "./clock.ts";
export * from "./errors.ts";
export * from "./order-request.ts";
export * from "./pages.ts";
export * from "./random.ts";
export * from "./retry.ts";
export * from "./sign.ts";

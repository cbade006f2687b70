import { describe } from "vitest";
import { unauthorizedSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("POST orders answers 401", () => unauthorizedSuite("placeOrder"));

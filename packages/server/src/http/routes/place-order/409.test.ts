import { describe } from "vitest";
import { conflictSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("POST orders answers 409", () => conflictSuite("placeOrder"));

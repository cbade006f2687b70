import { describe } from "vitest";
import { notFoundSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("POST orders answers 404", () => notFoundSuite("placeOrder"));

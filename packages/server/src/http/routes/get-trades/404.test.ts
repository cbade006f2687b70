import { describe } from "vitest";
import { notFoundSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET trades answers 404", () => notFoundSuite("getTrades"));

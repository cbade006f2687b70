import { describe } from "vitest";
import { forbiddenSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("POST orders answers 403", () => forbiddenSuite("placeOrder"));

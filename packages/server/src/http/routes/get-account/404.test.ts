import { describe } from "vitest";
import { notFoundSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET account answers 404", () => notFoundSuite("getAccount"));

import { areaTests } from "../area-tests.ts";

export default areaTests("signer");

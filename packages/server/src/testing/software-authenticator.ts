import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** The faults that tests can switch on. */
export interface AuthenticatorFaults {
  /** The origin that the browser reports, in place of the page's own. */
  readonly origin?: string;
  /** The id of the relying party for which the authenticator signs, in place of the requested one. */
  readonly partyId?: string;
  /** True when the person was not verified by a finger or a PIN. */
  readonly isUnverified?: boolean;
  /** True when the signature is by another key. */
  readonly isForged?: boolean;
  /** The count that replaces the authenticator's own. */
  readonly counter?: number;
  /** The user handle of another person. */
  readonly userHandle?: string;
  /** An attestation whose certificates name an address to look up. */
  readonly certificates?: readonly Buffer[];
}

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** An authenticator with one passkey (P-256), and its browser. */
export function createSoftwareAuthenticator(origin: string) {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const credentialId = randomBytes(16);
  let counter = 0;
  let handle = "";
  const clientData = (type: string, challenge: string, faults: AuthenticatorFaults): Buffer =>
    Buffer.from(
      JSON.stringify({ type, challenge, origin: faults.origin ?? origin, crossOrigin: false }),
    );
  const authenticatorData = (
    partyId: string,
    faults: AuthenticatorFaults,
    credential: Buffer = Buffer.alloc(0),
  ): Buffer => {
    counter = faults.counter ?? counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const flags =
      USER_PRESENT |
      (faults.isUnverified === true ? 0 : USER_VERIFIED) |
      (credential.length === 0 ? 0 : HAS_CREDENTIAL);
    const party = sha256(Buffer.from(faults.partyId ?? partyId));
    return Buffer.concat([party, Buffer.from([flags]), count, credential]);
  };
  const publicKey = (): Buffer => {
    const { x = "", y = "" } = keys.publicKey.export({ format: "jwk" });
    return cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")],
      ]),
    );
  };
  const id = credentialId.toString("base64url");
  const whole = { id, rawId: id, type: "public-key", clientExtensionResults: {} };
  return {
    id,
    /** The result of `navigator.credentials.create` as JSON. */
    create(options: CreationOptions, faults: AuthenticatorFaults = {}) {
      handle = options.user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, publicKey()]);
      const { certificates } = faults;
      const attestation = new Map<string, unknown>([
        ["fmt", certificates === undefined ? "none" : "packed"],
        [
          "attStmt",
          certificates === undefined
            ? new Map()
            : new Map<string, unknown>([
                ["alg", -7],
                ["sig", Buffer.alloc(70)],
                ["x5c", certificates],
              ]),
        ],
        ["authData", authenticatorData(options.rp.id, faults, credential)],
      ]);
      return {
        ...whole,
        authenticatorAttachment: "platform",
        response: {
          clientDataJSON: clientData("webauthn.create", options.challenge, faults).toString(
            "base64url",
          ),
          attestationObject: cbor(attestation).toString("base64url"),
          transports: ["internal"],
          publicKeyAlgorithm: -7,
        },
      };
    },
    /** The result of `navigator.credentials.get` as JSON. */
    get(options: RequestOptions, faults: AuthenticatorFaults = {}) {
      const client = clientData("webauthn.get", options.challenge, faults);
      const data = authenticatorData(options.rpId, faults);
      const key = faults.isForged === true ? stranger.privateKey : keys.privateKey;
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), key);
      return {
        ...whole,
        response: {
          clientDataJSON: client.toString("base64url"),
          authenticatorData: data.toString("base64url"),
          signature: signature.toString("base64url"),
          userHandle: faults.userHandle ?? handle,
        },
      };
    },
  };
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** Encodes the part of CBOR (RFC 8949) that passkeys use: integers, bytes, text, lists and maps. */
function cbor(value: unknown): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === "string") {
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  }
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  if (value instanceof Map) {
    return Buffer.concat([
      head(5, value.size),
      ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)]),
    ]);
  }
  throw new Error("no CBOR for that");
}

function head(major: number, count: number): Buffer {
  const kind = major << 5;
  if (count < 24) return Buffer.from([kind | count]);
  if (count < 256) return Buffer.from([kind | 24, count]);
  return Buffer.from([kind | 25, count >> 8, count & 255]);
}

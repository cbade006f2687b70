/** A request that a sample makes, and where. */
export interface SampleRequest {
  readonly method: string;
  readonly target: string;
  /** JSON in one line; empty: none. */
  readonly body: string;
  readonly baseUrl: string;
  readonly brand: string;
}

export type Language = "curl" | "python" | "typescript";

/** Complete programs without any library: they sign the request, send it and print the answer. */
export const SAMPLES: Readonly<Record<Language, (request: SampleRequest) => string>> = {
  curl: curlSample,
  python: pythonSample,
  typescript: typeScriptSample,
};

function curlSample({ method, target, body, baseUrl, brand }: SampleRequest): string {
  const data = `  -H 'Content-Type: application/json' --data-binary "$body" \\`;
  return `# export PROPGATE_KEY_ID=pk_... PROPGATE_SECRET=sk_...
target=${shellText(target)}
body=${shellText(body)}
timestamp=$(date +%s)000
nonce=$(openssl rand -hex 16)
body_sha256=$(printf %s "$body" | openssl dgst -sha256 -r | cut -c 1-64)
signature=$(printf 'v1\\n%s\\n%s\\n%s\\n%s\\n%s' \\
  ${method} "$target" "$timestamp" "$nonce" "$body_sha256" |
  openssl dgst -sha256 -hmac "$PROPGATE_SECRET" -binary | openssl base64 -A)
curl -sS --globoff --path-as-is -X ${method} \\${body === "" ? "" : `\n${data}`}
  -H "X-${brand}-Key-Id: $PROPGATE_KEY_ID" \\
  -H "X-${brand}-Timestamp: $timestamp" \\
  -H "X-${brand}-Nonce: $nonce" \\
  -H "X-${brand}-Signature: v1=$signature" \\
  ${shellText(baseUrl)}"$target"`;
}

function pythonSample({ method, target, body, baseUrl, brand }: SampleRequest): string {
  const type = body === "" ? "" : `\n    "Content-Type": "application/json",`;
  const data = body === "" ? "None" : "body";
  return `import base64, hashlib, hmac, os, secrets, time, urllib.request

target = ${JSON.stringify(target)}
body = ${JSON.stringify(body)}.encode()
timestamp = str(int(time.time() * 1000))
nonce = secrets.token_hex(16)
canonical = "\\n".join(
    ["v1", "${method}", target, timestamp, nonce, hashlib.sha256(body).hexdigest()]
)
secret = os.environ["PROPGATE_SECRET"].encode()
digest = hmac.new(secret, canonical.encode(), hashlib.sha256).digest()
headers = {
    "X-${brand}-Key-Id": os.environ["PROPGATE_KEY_ID"],
    "X-${brand}-Timestamp": timestamp,
    "X-${brand}-Nonce": nonce,
    "X-${brand}-Signature": "v1=" + base64.b64encode(digest).decode(),${type}
}
request = urllib.request.Request(
    "${baseUrl}" + target, data=${data}, headers=headers, method="${method}"
)
print(urllib.request.urlopen(request).read().decode())`;
}

function typeScriptSample({ method, target, body, baseUrl, brand }: SampleRequest): string {
  const type = body === "" ? "" : `\n    "Content-Type": "application/json",`;
  const data = body === "" ? "" : "\n  body,";
  return `import { createHash, createHmac, randomBytes } from "node:crypto";

const { PROPGATE_KEY_ID = "", PROPGATE_SECRET = "" } = process.env;
const target = ${JSON.stringify(target)};
const body = ${JSON.stringify(body)};
const timestamp = String(Date.now());
const nonce = randomBytes(16).toString("hex");
const bodySha256 = createHash("sha256").update(body).digest("hex");
const canonical = ["v1", "${method}", target, timestamp, nonce, bodySha256].join("\\n");
const signature = createHmac("sha256", PROPGATE_SECRET).update(canonical).digest("base64");

const response = await fetch(\`${baseUrl}\${target}\`, {
  method: "${method}",
  headers: {
    "X-${brand}-Key-Id": PROPGATE_KEY_ID,
    "X-${brand}-Timestamp": timestamp,
    "X-${brand}-Nonce": nonce,
    "X-${brand}-Signature": \`v1=\${signature}\`,${type}
  },${data}
});
console.log(response.status, await response.json());`;
}

/** In single quotes, whatever it holds. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

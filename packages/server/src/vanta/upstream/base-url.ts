import { addressFilter, plainAddress } from "../../base/address-block.ts";

/** Where an upstream is; its parts as a request needs them. */
export interface BaseUrl {
  readonly isSecure: boolean;
  /** A name or an address; an IPv6 address without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** The `Host` header: without the scheme's own port. */
  readonly host: string;
  /** Begins every path; empty or `/…` without a slash at its end. */
  readonly pathPrefix: string;
}

export type BaseUrlReading =
  | { readonly ok: true; readonly value: BaseUrl }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the base URL of an upstream: https, or http to a loopback address. A problem is a sentence that begins with
 * the setting's name. It never repeats the text, which may contain a secret.
 */
export function readBaseUrl(setting: string, text: string): BaseUrlReading {
  const problem = problemOf(text);
  const url = problem === null ? URL.parse(text) : null;
  if (url === null) return { ok: false, problem: `${setting} ${problem ?? NOT_A_URL}` };
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const isSecure = url.protocol === "https:";
  if (!isSecure && !isLoopback(hostname)) {
    return {
      ok: false,
      problem: `${setting} must use https; http is allowed to a loopback address only`,
    };
  }
  const standardPort = isSecure ? HTTPS_PORT : HTTP_PORT;
  return {
    ok: true,
    value: {
      isSecure,
      hostname,
      port: url.port === "" ? standardPort : Number(url.port),
      host: url.host,
      pathPrefix: url.pathname.replace(/\/+$/, ""),
    },
  };
}

const HTTPS_PORT = 443;
const HTTP_PORT = 80;
const CHARACTERS_MAX = 2048;
const NOT_A_URL = "must be a URL such as https://host.example:48888";

/** What is wrong with the text before it is parsed: parsers repair or drop some of these parts. */
function problemOf(text: string): string | null {
  if (text.length > CHARACTERS_MAX) return `must have at most ${CHARACTERS_MAX} characters`;
  if (!/^[\x21-\x7e]+$/.test(text)) return "must have printable characters only, without spaces";
  if (!/^https?:/i.test(text))
    return "must begin with https://, or with http:// and a loopback host";
  const authority = /^https?:\/\/([^/?#\\]+)/i.exec(text)?.[1];
  if (authority === undefined || text.includes("\\")) return NOT_A_URL;
  if (authority.includes("@")) return "must not contain a user name or password";
  if (text.includes("?")) return "must not contain a query";
  if (text.includes("#")) return "must not contain a fragment";
  return null;
}

const isLoopbackAddress = addressFilter(["127.0.0.0/8", "::1"]);

function isLoopback(hostname: string): boolean {
  if (hostname === "localhost") return true;
  return plainAddress(hostname) !== null && isLoopbackAddress(hostname);
}

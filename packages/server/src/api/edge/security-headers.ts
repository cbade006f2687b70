/**
 * Headers that tell browsers to treat the answer as data: not to frame it, guess its type, store it or send a referrer.
 * The service's own pages have another policy. No header allows CORS. @rule S1.noBrowser decides
 */
export function securityHeaders(hstsMaxAgeSeconds = 0): Readonly<Record<string, string>> {
  return {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    // The proxy in front ends TLS, so only its operator knows whether there is any. The header is therefore a setting.
    ...(hstsMaxAgeSeconds > 0
      ? { "Strict-Transport-Security": `max-age=${hstsMaxAgeSeconds}` }
      : {}),
  };
}

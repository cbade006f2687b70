// Signs requests to a Propgate service and sends them. Mono 6 (.NET 10 was not tried):
// `mcs -r:System.Net.Http Sign.cs && mono Sign.exe GET '/api/v1/trading/payouts?limit=10'`, with
// PROPGATE_KEY_ID and PROPGATE_SECRET in the environment. examples/README.md has the rest.
using System;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Security.Cryptography;
using static System.Text.Encoding;

public static class Propgate
{
    /// <summary>The canonical string, and the value of the signature header.</summary>
    public static string[] Sign(string secret, byte[] body, params string[] methodTargetTimeNonce)
    {
        var hex = string.Concat(SHA256.Create().ComputeHash(body).Select(b => b.ToString("x2")));
        var canonical = "v1\n" + string.Join("\n", methodTargetTimeNonce) + "\n" + hex;
        var digest = new HMACSHA256(UTF8.GetBytes(secret)).ComputeHash(UTF8.GetBytes(canonical));
        return new[] { canonical, "v1=" + Convert.ToBase64String(digest) };
    }

    public static int Main(string[] words)
    {
        var print = words.FirstOrDefault() == "--print";
        var given = words.Skip(print ? 1 : 0).ToArray();
        if (given.Length < 2 || Env("PROPGATE_SECRET", "") == "")
        {
            Console.Error.WriteLine("[--print] METHOD TARGET [BODY | @FILE]; set PROPGATE_SECRET");
            return 2;
        }
        var uri = new Uri(Env("PROPGATE_BASE_URL", "http://127.0.0.1:8787") + given[1]);
        var target = uri.PathAndQuery; // what is sent: Uri rewrites some escapes
        var raw = given.ElementAtOrDefault(2) ?? "";
        var body = raw.StartsWith("@") ? File.ReadAllBytes(raw.Substring(1)) : UTF8.GetBytes(raw);
        // Timestamp and nonce are valid for one request: a retry needs new ones.
        var now = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds();
        var timestamp = Env("PROPGATE_TIMESTAMP", now.ToString());
        var nonce = Env("PROPGATE_NONCE", Guid.NewGuid().ToString("N"));
        var signed = Sign(Env("PROPGATE_SECRET", ""), body, given[0], target, timestamp, nonce);
        if (print)
        {
            Console.WriteLine(string.Join("\n---\n", signed));
            return 0;
        }
        var request = new HttpRequestMessage(new HttpMethod(given[0]), uri);
        var header = "X-" + Env("PROPGATE_BRAND", "Service");
        request.Headers.Add(header + "-Key-Id", Env("PROPGATE_KEY_ID", ""));
        request.Headers.Add(header + "-Timestamp", timestamp);
        request.Headers.Add(header + "-Nonce", nonce);
        request.Headers.Add(header + "-Signature", signed[1]);
        request.Content = body.Length > 0 ? new ByteArrayContent(body) : null; // unchanged
        request.Content?.Headers.Add("Content-Type", "application/json");
        var answer = new HttpClient().SendAsync(request).GetAwaiter().GetResult();
        Console.WriteLine(answer.Content.ReadAsStringAsync().GetAwaiter().GetResult());
        return answer.IsSuccessStatusCode ? 0 : 1;
    }

    static string Env(string key, string other) => Environment.GetEnvironmentVariable(key) ?? other;
}

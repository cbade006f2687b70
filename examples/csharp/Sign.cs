// Signs requests to a Propgate service and sends them. Mono 6, nothing else (or .NET 10, not tried):
//
//   export PROPGATE_KEY_ID=pk_... PROPGATE_SECRET=sk_...
//   mcs -r:System.Net.Http Sign.cs              (.NET: `dotnet run Sign.cs --` for mono Sign.exe)
//   mono Sign.exe GET '/api/v1/trading/payouts?limit=10'
//   mono Sign.exe POST /api/v1/trading/orders @order.json         (or the JSON itself)
//   mono Sign.exe --print GET /api/v1/trading/account   canonical string, ---, signature
//
// PROPGATE_BASE_URL (http://127.0.0.1:8787) and PROPGATE_BRAND (Service) say where and how.
using System;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;

public static class Propgate
{
    /// <summary>The canonical string, and the value of the signature header.</summary>
    public static (string Canonical, string Signature) Sign(
        string secret, string method, string target, string timestamp, string nonce, byte[] body)
    {
        var hash = SHA256.Create().ComputeHash(body);
        var bodySha256 = string.Concat(hash.Select(one => one.ToString("x2"))); // X2 is upper case
        var canonical = string.Join("\n", "v1", method, target, timestamp, nonce, bodySha256);
        var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret));
        var digest = hmac.ComputeHash(Encoding.UTF8.GetBytes(canonical));
        return (canonical, "v1=" + Convert.ToBase64String(digest));
    }

    public static int Main(string[] words)
    {
        var print = words.FirstOrDefault() == "--print";
        var given = words.Skip(print ? 1 : 0).ToArray();
        if (given.Length < 2 || Setting("PROPGATE_SECRET") == "")
        {
            Console.Error.WriteLine("usage: mono Sign.exe [--print] METHOD TARGET [BODY | @FILE]");
            Console.Error.WriteLine("set PROPGATE_KEY_ID and PROPGATE_SECRET in the environment");
            return 2;
        }
        var uri = new Uri(Setting("PROPGATE_BASE_URL", "http://127.0.0.1:8787") + given[1]);
        var target = uri.PathAndQuery; // what is sent: Uri rewrites some escapes
        var text = given.ElementAtOrDefault(2) ?? "";
        var file = text.StartsWith("@");
        var body = file ? File.ReadAllBytes(text.Substring(1)) : Encoding.UTF8.GetBytes(text);
        // Both work for one request only: one that is sent again needs new ones.
        var now = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds();
        var timestamp = Setting("PROPGATE_TIMESTAMP", now.ToString());
        var nonce = Setting("PROPGATE_NONCE", Guid.NewGuid().ToString("N"));
        var signed = Sign(Setting("PROPGATE_SECRET"), given[0], target, timestamp, nonce, body);
        if (print)
        {
            Console.WriteLine(signed.Canonical + "\n---\n" + signed.Signature);
            return 0;
        }
        var request = new HttpRequestMessage(new HttpMethod(given[0]), uri);
        var header = "X-" + Setting("PROPGATE_BRAND", "Service");
        request.Headers.Add(header + "-Key-Id", Setting("PROPGATE_KEY_ID"));
        request.Headers.Add(header + "-Timestamp", timestamp);
        request.Headers.Add(header + "-Nonce", nonce);
        request.Headers.Add(header + "-Signature", signed.Signature);
        if (body.Length > 0)
        {
            request.Content = new ByteArrayContent(body); // JsonContent would serialise anew
            request.Content.Headers.Add("Content-Type", "application/json");
        }
        var answer = new HttpClient().SendAsync(request).GetAwaiter().GetResult();
        Console.WriteLine(answer.Content.ReadAsStringAsync().GetAwaiter().GetResult());
        return answer.IsSuccessStatusCode ? 0 : 1;
    }

    static string Setting(string name, string otherwise = "") =>
        Environment.GetEnvironmentVariable(name) ?? otherwise;
}

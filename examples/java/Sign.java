import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.http.*;
import java.nio.file.*;
import java.security.*;
import java.util.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests to a Propgate service and sends them. Java 17 or newer, nothing else:
 *
 *   export PROPGATE_KEY_ID=pk_... PROPGATE_SECRET=sk_...
 *   java Sign.java GET '/api/v1/trading/payouts?limit=10'
 *   java Sign.java POST /api/v1/trading/orders @order.json         (or the JSON itself)
 *   java Sign.java --print GET /api/v1/trading/account   canonical string, ---, signature
 *
 * PROPGATE_BASE_URL (http://127.0.0.1:8787) and PROPGATE_BRAND (Service) say where and how.
 */
public final class Sign {
  /** The canonical string, and the value of the signature header. */
  public record Signed(String canonical, String signature) {}

  /** Signs `parts`, which are method, target, timestamp and nonce, and the body's bytes. */
  public static Signed sign(String secret, List<String> parts, byte[] body)
      throws GeneralSecurityException {
    String bodySha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    String canonical = "v1\n" + String.join("\n", parts) + "\n" + bodySha256;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
    byte[] digest = mac.doFinal(canonical.getBytes(UTF_8));
    return new Signed(canonical, "v1=" + Base64.getEncoder().encodeToString(digest));
  }

  public static void main(String[] words) throws Exception {
    boolean print = words.length > 0 && words[0].equals("--print");
    List<String> given = List.of(words).subList(print ? 1 : 0, words.length);
    Map<String, String> env = System.getenv();
    if (given.size() < 2 || !env.containsKey("PROPGATE_SECRET")) {
      System.err.println("usage: java Sign.java [--print] METHOD TARGET [BODY | @FILE]");
      System.err.println("set PROPGATE_KEY_ID and PROPGATE_SECRET in the environment");
      System.exit(2);
    }
    String text = given.size() > 2 ? given.get(2) : "";
    boolean file = text.startsWith("@"); // needed where the terminal's language is not UTF-8
    byte[] body = file ? Files.readAllBytes(Path.of(text.substring(1))) : text.getBytes(UTF_8);
    // Both work for one request only: one that is sent again needs new ones.
    String timestamp = env.getOrDefault("PROPGATE_TIMESTAMP", "" + System.currentTimeMillis());
    String nonce = env.getOrDefault("PROPGATE_NONCE", UUID.randomUUID().toString());
    List<String> parts = List.of(given.get(0), given.get(1), timestamp, nonce);
    Signed signed = sign(env.get("PROPGATE_SECRET"), parts, body);
    if (print) {
      System.out.println(signed.canonical() + "\n---\n" + signed.signature());
      return;
    }
    String base = env.getOrDefault("PROPGATE_BASE_URL", "http://127.0.0.1:8787");
    String header = "X-" + env.getOrDefault("PROPGATE_BRAND", "Service");
    HttpRequest request = HttpRequest.newBuilder(URI.create(base + given.get(1)))
        .method(given.get(0), HttpRequest.BodyPublishers.ofByteArray(body))
        .headers(header + "-Key-Id", env.get("PROPGATE_KEY_ID"), header + "-Timestamp", timestamp)
        .headers(header + "-Nonce", nonce, header + "-Signature", signed.signature())
        .headers("Content-Type", "application/json")
        .build();
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    System.out.writeBytes(answer.body());
    System.out.println();
    System.exit(answer.statusCode() == 200 ? 0 : 1);
  }
}

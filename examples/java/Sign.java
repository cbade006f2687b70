import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.http.*;
import java.nio.file.*;
import java.security.*;
import java.util.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests to a Propgate service and sends them. Java 17 or newer, without packages.
 * examples/README.md lists the arguments and variables of the command.
 */
public final class Sign {
  /** The canonical string and the signature header. Parts: method, target, timestamp, nonce. */
  public static String[] sign(String secret, List<String> parts, byte[] body) throws Exception {
    String bodySha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    String canonical = "v1\n" + String.join("\n", parts) + "\n" + bodySha256;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
    byte[] digest = mac.doFinal(canonical.getBytes(UTF_8));
    return new String[] {canonical, "v1=" + Base64.getEncoder().encodeToString(digest)};
  }

  public static void main(String[] words) throws Exception {
    boolean print = words.length > 0 && words[0].equals("--print");
    List<String> given = List.of(words).subList(print ? 1 : 0, words.length);
    Map<String, String> env = System.getenv();
    if (given.size() < 2 || !env.containsKey("PROPGATE_SECRET")) {
      System.err.println("usage: Sign [--print] METHOD TARGET [BODY | @FILE], PROPGATE_SECRET set");
      System.exit(2);
    }
    String text = given.size() > 2 ? given.get(2) : "";
    boolean file = text.startsWith("@"); // needed where the terminal's language is not UTF-8
    byte[] body = file ? Files.readAllBytes(Path.of(text.substring(1))) : text.getBytes(UTF_8);
    // Timestamp and nonce are valid for one request: a retry needs new ones.
    String timestamp = env.getOrDefault("PROPGATE_TIMESTAMP", "" + System.currentTimeMillis());
    String nonce = env.getOrDefault("PROPGATE_NONCE", UUID.randomUUID().toString());
    List<String> parts = List.of(given.get(0), given.get(1), timestamp, nonce);
    String[] signed = sign(env.get("PROPGATE_SECRET"), parts, body);
    if (print) {
      System.out.println(String.join("\n---\n", signed));
      return;
    }
    String base = env.getOrDefault("PROPGATE_BASE_URL", "http://127.0.0.1:8787");
    String header = "X-" + env.getOrDefault("PROPGATE_BRAND", "Service");
    HttpRequest request = HttpRequest.newBuilder(URI.create(base + given.get(1)))
        .method(given.get(0), HttpRequest.BodyPublishers.ofByteArray(body))
        .headers(header + "-Key-Id", env.get("PROPGATE_KEY_ID"), header + "-Timestamp", timestamp)
        .headers(header + "-Nonce", nonce, header + "-Signature", signed[1])
        .headers("Content-Type", "application/json")
        .build();
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    System.out.writeBytes((answer.body() + "\n").getBytes(UTF_8));
    System.exit(answer.statusCode() == 200 ? 0 : 1);
  }
}

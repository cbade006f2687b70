// Signs requests to a Propgate service and sends them. Go 1.18 or newer, nothing else:
//
//	export PROPGATE_KEY_ID=pk_... PROPGATE_SECRET=sk_...
//	go run sign.go GET '/api/v1/trading/payouts?limit=10'
//	go run sign.go POST /api/v1/trading/orders @order.json         (or the JSON itself)
//	go run sign.go --print GET /api/v1/trading/account   canonical string, ---, signature
//
// PROPGATE_BASE_URL (http://127.0.0.1:8787) and PROPGATE_BRAND (Service) say where and how.
package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

// Sign gives the canonical string and the value of the signature header.
func Sign(secret, method, target, timestamp, nonce, body string) (canonical, signature string) {
	bodySHA256 := fmt.Sprintf("%x", sha256.Sum256([]byte(body)))
	canonical = strings.Join([]string{"v1", method, target, timestamp, nonce, bodySHA256}, "\n")
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(canonical))
	return canonical, "v1=" + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func main() {
	printOnly := flag.Bool("print", false, "sign and print, send nothing")
	flag.Parse()
	method, target, body := flag.Arg(0), flag.Arg(1), flag.Arg(2)
	keyID, secret := os.Getenv("PROPGATE_KEY_ID"), os.Getenv("PROPGATE_SECRET")
	if target == "" || secret == "" {
		log.Fatal("set PROPGATE_KEY_ID and PROPGATE_SECRET; sign [--print] METHOD TARGET [BODY | @FILE]")
	}
	if strings.HasPrefix(body, "@") { // json.Encoder ends a body with a newline: sign and send that, too
		body = string(must(os.ReadFile(body[1:])))
	}
	// Both work for one request only: one that is sent again needs new ones.
	timestamp := setting("PROPGATE_TIMESTAMP", fmt.Sprint(time.Now().UnixMilli()))
	nonce := setting("PROPGATE_NONCE", fmt.Sprintf("%x", must(io.ReadAll(io.LimitReader(rand.Reader, 16)))))
	canonical, signature := Sign(secret, method, target, timestamp, nonce, body)
	if *printOnly {
		fmt.Printf("%s\n---\n%s\n", canonical, signature)
		return
	}
	base := setting("PROPGATE_BASE_URL", "http://127.0.0.1:8787")
	request := must(http.NewRequest(method, base, strings.NewReader(body)))
	request.URL.Opaque = target // as it stands: URL.Path has lost the query and the escapes
	header := "X-" + setting("PROPGATE_BRAND", "Service")
	request.Header = http.Header{
		header + "-Key-Id": {keyID}, header + "-Timestamp": {timestamp},
		header + "-Nonce": {nonce}, header + "-Signature": {signature},
		"Content-Type": {"application/json"},
	}
	response := must(http.DefaultClient.Do(request))
	fmt.Println(string(must(io.ReadAll(response.Body))))
	if response.StatusCode != http.StatusOK {
		os.Exit(1)
	}
}

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// Signs requests to a Propgate service and sends them. Needs Go 1.18 or newer and no packages:
// `go run sign.go GET '/api/v1/trading/payouts?limit=10'`, with PROPGATE_KEY_ID and PROPGATE_SECRET
// in the environment. examples/README.md lists the other arguments and variables.
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

// Sign returns the canonical string and the value of the signature header.
func Sign(secret, method, target, timestamp, nonce, body string) (canonical, signature string) {
	bodySHA256 := sha256.Sum256([]byte(body))
	canonical = fmt.Sprintf("v1\n%s\n%s\n%s\n%s\n%x", method, target, timestamp, nonce, bodySHA256)
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
		log.Fatal("usage: sign [--print] METHOD TARGET [BODY | @FILE]\n" +
			"set PROPGATE_KEY_ID and PROPGATE_SECRET in the environment")
	}
	if strings.HasPrefix(body, "@") {
		body = string(must(os.ReadFile(body[1:])))
	}
	// Timestamp and nonce are valid for one request: a retry needs new ones.
	timestamp := env("PROPGATE_TIMESTAMP", fmt.Sprint(time.Now().UnixMilli()))
	random := must(io.ReadAll(io.LimitReader(rand.Reader, 16)))
	nonce := env("PROPGATE_NONCE", fmt.Sprintf("%x", random))
	canonical, signature := Sign(secret, method, target, timestamp, nonce, body)
	if *printOnly {
		fmt.Printf("%s\n---\n%s\n", canonical, signature)
		return
	}
	base := env("PROPGATE_BASE_URL", "http://127.0.0.1:8787")
	request := must(http.NewRequest(method, base, strings.NewReader(body)))
	header := "X-" + env("PROPGATE_BRAND", "Service")
	request.URL.Opaque = target // unchanged; URL.Path would be escaped again
	request.Header = http.Header{header + "-Key-Id": {keyID}, header + "-Timestamp": {timestamp},
		header + "-Nonce": {nonce}, header + "-Signature": {signature},
		"Content-Type": {"application/json"}}
	response := must(http.DefaultClient.Do(request))
	fmt.Println(string(must(io.ReadAll(response.Body))))
	os.Exit(response.StatusCode/100 - 2) // 0 where it was carried out
}

func env(name, otherwise string) string {
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

//! SHA-256, HMAC and base64 with the standard library only, for machines without access to crates.

/// FIPS 180-4. Its constants are the first bits of the roots of the first primes.
pub fn sha256(message: &[u8]) -> Vec<u8> {
    let primes: Vec<f64> = (2..312).filter(|n| (2..*n).all(|d| n % d > 0)).map(f64::from).collect();
    let bits = |root: f64| (root.fract() * 4_294_967_296.0) as u32;
    let sum = |terms: &[u32]| terms.iter().fold(0u32, |all, one| all.wrapping_add(*one));
    let turn = |word: u32, by: &[u32]| by.iter().fold(0, |all, n| all ^ word.rotate_right(*n));
    let mut hash: [u32; 8] = std::array::from_fn(|i| bits(primes[i].sqrt()));
    let mut text = [message, &[0x80]].concat();
    text.resize((message.len() + 9).div_ceil(64) * 64 - 8, 0);
    text.extend((message.len() as u64 * 8).to_be_bytes());
    for block in text.chunks(64) {
        let word = |bytes: &[u8]| bytes.iter().fold(0, |all, byte| all << 8 | u32::from(*byte));
        let mut w: Vec<u32> = block.chunks(4).map(word).collect();
        for i in 16..64 {
            let early = turn(w[i - 15], &[7, 18]) ^ (w[i - 15] >> 3);
            let late = turn(w[i - 2], &[17, 19]) ^ (w[i - 2] >> 10);
            w.push(sum(&[w[i - 16], early, w[i - 7], late]));
        }
        let mut now = hash;
        for i in 0..64 {
            let [a, b, c, d, e, f, g, h] = now;
            let choice = (e & f) ^ (!e & g);
            let majority = (a & b) ^ (a & c) ^ (b & c);
            let t = sum(&[h, turn(e, &[6, 11, 25]), choice, bits(primes[i].cbrt()), w[i]]);
            now = [sum(&[t, turn(a, &[2, 13, 22]), majority]), a, b, c, sum(&[d, t]), e, f, g];
        }
        hash = std::array::from_fn(|i| sum(&[hash[i], now[i]]));
    }
    hash.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// RFC 2104.
pub fn hmac_sha256(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut block = if key.len() > 64 { sha256(key) } else { key.to_vec() };
    block.resize(64, 0);
    let padded = |with: u8| block.iter().map(|byte| byte ^ with).collect::<Vec<u8>>();
    let inner = sha256(&[&padded(0x36), message].concat());
    sha256(&[padded(0x5c), inner].concat())
}

/// RFC 4648, the standard alphabet, padded.
pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bit = |i: usize| bytes.get(i / 8).map_or(0, |byte| usize::from(byte >> (7 - i % 8) & 1));
    let six = |at: usize| (0..6).fold(0, |all, i| all << 1 | bit(6 * at + i));
    let letters = (0..(bytes.len() * 8).div_ceil(6)).map(|at| char::from(LETTERS[six(at)]));
    letters.collect::<String>() + &"=".repeat((3 - bytes.len() % 3) % 3)
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

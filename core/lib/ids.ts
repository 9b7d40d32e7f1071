const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARS = 10
const RANDOM_CHARS = 16

let lastTime = 0
let lastRandom = new Uint8Array(RANDOM_CHARS)

/**
 * An opaque identifier that sorts by creation: `par_` + 10 characters of milliseconds + 16 random ones (80 bits).
 * Two made by one process in the same millisecond still sort in the order they were made.
 */
export function newId(prefix: string, now = Date.now()): string {
  if (now > lastTime) {
    lastTime = now
    lastRandom = crypto.getRandomValues(new Uint8Array(RANDOM_CHARS)).map((byte) => byte & 31)
  } else {
    increment(lastRandom)
  }
  return `${prefix}_${encodeTime(lastTime)}${Array.from(lastRandom, (digit) => ALPHABET[digit]).join('')}`
}

function encodeTime(time: number): string {
  let text = ''
  for (let left = time, at = 0; at < TIME_CHARS; at += 1, left = Math.floor(left / 32)) text = ALPHABET[left % 32] + text
  return text
}

/** The next number; after the last comes the first. */
function increment(digits: Uint8Array) {
  const at = digits.findLastIndex((digit) => digit < 31)
  const digit = digits[at]
  if (digit !== undefined) digits[at] = digit + 1
  digits.fill(0, at + 1)
}

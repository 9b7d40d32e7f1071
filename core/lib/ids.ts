const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARS = 10
const RANDOM_CHARS = 16
const STEP_CHARS = 8

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
    advance(lastRandom)
  }
  return `${prefix}_${encodeTime(lastTime)}${Array.from(lastRandom, (digit) => ALPHABET[digit]).join('')}`
}

/** Not after any id with this prefix that is made from then on, and after all that were made before. */
export const momentOfIds = (prefix: string, time: number): string => `${prefix}_${encodeTime(Math.max(0, time))}`

function encodeTime(time: number): string {
  let text = ''
  for (let left = time, at = 0; at < TIME_CHARS; at += 1, left = Math.floor(left / 32)) text = ALPHABET[left % 32] + text
  return text
}

/** On by a random step, so that who has one of a millisecond does not know the next; after the last comes the first. */
function advance(digits: Uint8Array) {
  const step = crypto.getRandomValues(new Uint8Array(STEP_CHARS))
  let carry = 1
  for (let place = 0; place < digits.length; place += 1) {
    const at = digits.length - 1 - place
    const sum = (digits[at] ?? 0) + ((step[place] ?? 0) & 31) + carry
    digits[at] = sum & 31
    carry = sum >> 5
  }
}

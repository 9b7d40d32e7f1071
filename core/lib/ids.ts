const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARS = 10
const RANDOM_CHARS = 16
const STEP_CHARS = 8

let lastTime = 0
let lastRandom = new Uint8Array(RANDOM_CHARS)

/**
 * Creates an opaque identifier that sorts by creation: `par_`, 10 characters of milliseconds and 16 random ones (80 bits). Two ids that one
 * process creates in the same millisecond sort in the order of their creation.
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

/** Returns a lower bound of all ids with this prefix that are created at or after `time`. Ids created earlier are lower. */
export const lowestIdAt = (prefix: string, time: number): string => `${prefix}_${encodeTime(Math.max(0, time))}`

function encodeTime(time: number): string {
  let text = ''
  for (let left = time, at = 0; at < TIME_CHARS; at += 1, left = Math.floor(left / 32)) text = ALPHABET[left % 32] + text
  return text
}

/** Adds a random step, so that one id does not reveal the next one of the same millisecond. Wraps around at the end. */
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

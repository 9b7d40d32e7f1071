const SECONDS_LETTERS = 6
const CHANCE_LETTERS = 4
const RADIX = 36

/**
 * Returns a new order number of ten characters, used for one attempt. SATIM has no lookup by it, so an attempt with a lost answer cannot be
 * resumed. It holds the time in seconds and a random part, since shops can share a terminal.
 */
export function newOrderNumber(now: number): string {
  const seconds = Math.floor(now / 1000)
  const [chance = 0] = crypto.getRandomValues(new Uint32Array(1))
  return lettersOf(seconds, SECONDS_LETTERS) + lettersOf(chance, CHANCE_LETTERS)
}

const lettersOf = (value: number, letters: number) => (value % RADIX ** letters).toString(RADIX).toUpperCase().padStart(letters, '0')

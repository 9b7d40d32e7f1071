const SECONDS_LETTERS = 6
const CHANCE_LETTERS = 4
const RADIX = 36

/**
 * Ten letters for each attempt, used once: SATIM asks for no order again by its number, so an attempt whose answer was lost is of no use to
 * the next. They are the second and chance, which also tells apart whoever shares a terminal; one that was taken all the same is refused.
 */
export function newOrderNumber(now: number): string {
  const seconds = Math.floor(now / 1000)
  const [chance = 0] = crypto.getRandomValues(new Uint32Array(1))
  return lettersOf(seconds, SECONDS_LETTERS) + lettersOf(chance, CHANCE_LETTERS)
}

const lettersOf = (value: number, letters: number) => (value % RADIX ** letters).toString(RADIX).toUpperCase().padStart(letters, '0')

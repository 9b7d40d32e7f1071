/** Sequences that are easy to type: alphabets, digits and keyboard rows (QWERTY, AZERTY, Arabic). */
const ROWS = [
  '01234567890',
  '٠١٢٣٤٥٦٧٨٩٠',
  'abcdefghijklmnopqrstuvwxyz',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  'ضصثقفغعهخحجد',
  'شسيبلاتنمكط',
]
const LINES = ROWS.flatMap((row) => [row, [...row].reverse().join('')])

const BLOCK_MAX = 6
const RUN_MIN = 3

/** Tells if a text in lower case is easy to guess: only white space, a short block repeated, or only runs. */
export const isPattern = (text: string): boolean => text.trim() === '' || isRepeated(text) || hasOnlyRuns(text)

/** Tells if a text repeats a block of at most six characters: "aaaaaaaa", "abcabcab". */
function isRepeated(text: string): boolean {
  const repeats = (block: number) => text.slice(block) === text.slice(0, -block)
  return Array.from({ length: BLOCK_MAX }, (_, at) => at + 1).some((block) => text.length >= 2 * block && repeats(block))
}

/** Tells if a text consists of runs only: "87654321", "abcd1234", "1111qwerty". */
function hasOnlyRuns(text: string): boolean {
  let at = 0
  while (at < text.length) {
    const run = runLengthAt(text, at)
    if (run < RUN_MIN) return false
    at += run
  }
  return true
}

/** Returns the length of the run that starts at `at`: one repeated letter, or part of a sequence. */
function runLengthAt(text: string, at: number): number {
  const rest = text.slice(at)
  const lengthOf = (fits: (part: string) => boolean) => {
    let length = 1
    while (length < rest.length && fits(rest.slice(0, length + 1))) length += 1
    return length
  }
  const first = rest.slice(0, 1)
  return Math.max(
    lengthOf((part) => part === first.repeat(part.length)),
    ...LINES.map((line) => lengthOf((part) => line.includes(part))),
  )
}

/** What fingers and children say one after the other: alphabets, digits, rows of keyboards (QWERTY, AZERTY, Arabic). */
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

/** Whether a text in small letters says little for its length: white space alone, a short block over and over, or runs and nothing else. */
export const isPattern = (text: string): boolean => text.trim() === '' || isRepeated(text) || isOfRuns(text)

/** "aaaaaaaa", "abcabcab": each letter is the one that stands a block before it. */
function isRepeated(text: string): boolean {
  const repeats = (block: number) => text.slice(block) === text.slice(0, -block)
  return Array.from({ length: BLOCK_MAX }, (_, at) => at + 1).some((block) => text.length >= 2 * block && repeats(block))
}

/** "87654321", "abcd1234", "1111qwerty". */
function isOfRuns(text: string): boolean {
  let at = 0
  while (at < text.length) {
    const run = runAt(text, at)
    if (run < RUN_MIN) return false
    at += run
  }
  return true
}

/** How long what begins there runs along one line, or is one letter. */
function runAt(text: string, at: number): number {
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

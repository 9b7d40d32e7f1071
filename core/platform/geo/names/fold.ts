const LETTERS: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ھ: 'ه',
  ہ: 'ه',
  ە: 'ه',
  ک: 'ك',
  ٱ: 'ا',
  ڨ: 'ق',
  گ: 'ق',
  ڤ: 'ق',
  ڭ: 'ق',
}
const MAPPED = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')
const ARTICLES = new Set('el al ech es ed er ez et l la le les lou eth esh ad as ar az at'.split(' '))

/** Folds a text: lower case, without accents, hamza, tatweel or punctuation, Latin digits, words separated by one space. */
export function fold(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      // NFD separates hamza and vowel signs from their letters, in Arabic as in Latin.
      .normalize('NFD')
      .replace(/[\p{M}ـء'’‘`´ʼ]/gu, '')
      .replace(MAPPED, (letter) => LETTERS[letter] ?? letter)
      .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  )
}

/** Removes the spaces of a folded text. */
export function removeSpaces(folded: string): string {
  return folded.replaceAll(' ', '')
}

/** Removes definite articles, which people add, omit and attach freely. Also removes spaces. */
export function removeArticles(folded: string): string {
  const words = folded.split(' ')
  const significant = words.filter((word) => !ARTICLES.has(word)).map((word) => word.replace(/^ال(?=..)/, ''))
  const joined = (significant.length > 0 ? significant : words).join('')
  return joined.replace(/^(?:el|al)(?=.{4})/, '')
}

/** Reduces a name to its sound, so that French and English spellings match. */
export function soundKey(key: string): string {
  return key
    .replace(/t?ch|sh/g, 'x')
    .replace(/dj|dg/g, 'j')
    .replace(/[gk]h/g, (pair) => (pair === 'gh' ? 'g' : 'k'))
    .replace(/gu(?=[ei])/g, 'g')
    .replace(/ph/g, 'f')
    .replace(/oo|ou|w/g, 'u')
    .replace(/c(?=[eiy])/g, 's')
    .replace(/[cq]/g, 'k')
    .replace(/[ae]?y|ai|ei/g, 'i')
    .replace(/(?!^)h/g, '')
    .replace(/(.)\1+/g, '$1')
    .replace(/(?<=..)e$/, '')
}

/** Returns true if a folded name starts with an Arabic letter. */
export function isArabic(key: string): boolean {
  const first = key.charCodeAt(0)
  return first >= 0x600 && first < 0x780
}

/** Returns the letters of a name as a bit mask. Names with many different bits cannot be similar. */
export function letterMask(key: string): number {
  let mask = 0
  for (let index = 0; index < key.length; index++) mask |= 1 << (key.charCodeAt(index) & 31)
  return mask
}

/** Letters that people write in several ways, and the one that stands for all of them. */
const alike: Readonly<Record<string, string>> = { أ: 'ا', إ: 'ا', آ: 'ا', ٱ: 'ا', ى: 'ي', ة: 'ه', ؤ: 'و', ئ: 'ي', œ: 'oe', æ: 'ae' }

/** Reduces a text to what a search compares: without case, accents, Arabic vowel signs and tatweel. */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[أإآٱىةؤئœæ]/g, (letter) => alike[letter] ?? letter)
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u064b-\u0652\u0670\u0640]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

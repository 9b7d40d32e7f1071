/** Pattern of the marks of each currency, besides its code, such as `da` or `€`. */
const marks: Readonly<Record<string, string>> = {
  DZD: 'da|dinars?(?:\\s+algériens?)?|د\\.?\\s?ج\\.?|دينار(?:\\s+جزائري)?',
  MAD: 'dhs?|dirhams?(?:\\s+marocains?)?|marocains?|مغربي|د\\.?\\s?م\\.?|درهم',
  TND: 'dt|dinars?(?:\\s+tunisiens?)?|tunisiens?|تونسي|د\\.?\\s?ت\\.?|دينار',
  LYD: 'ld|dinars?(?:\\s+libyens?)?|libyens?|ليبي|د\\.?\\s?ل\\.?|دينار',
  EGP: 'le|l\\.e\\.?|ج\\.?\\s?م\\.?|جنيه',
  SAR: 'sr|riyals?|rials?|ر\\.?\\s?س\\.?|ريال|﷼|\\u20c1',
  AED: 'dhs?|dirhams?|د\\.?\\s?إ\\.?|درهم',
  QAR: 'qr|riyals?|rials?|ر\\.?\\s?ق\\.?|ريال',
  KWD: 'kd|dinars?|د\\.?\\s?ك\\.?|دينار',
  IQD: 'id|dinars?|د\\.?\\s?ع\\.?|دينار',
  JOD: 'jd|dinars?|د\\.?\\s?أ\\.?|دينار',
  BHD: 'bd|dinars?|د\\.?\\s?ب\\.?|دينار',
  OMR: 'riyals?|rials?|ر\\.?\\s?ع\\.?|ريال',
  XOF: 'f?\\s?cfa|f',
  XAF: 'f?\\s?cfa|f',
  EUR: '€|euros?|[أا]?يورو',
  USD: '\\$|us\\$|dollars?|دولار(?:ات)?',
  GBP: '£|pounds?|sterling',
  TRY: '₺|tl',
  INR: '₹|rs\\.?',
  NGN: '₦',
}

const OTHERS =
  /[€$£₺₹₦]|(?<!\p{L})(?:DZD|MAD|TND|LYD|EGP|SAR|AED|QAR|KWD|IQD|JOD|BHD|OMR|XOF|XAF|EUR|EUROS?|USD|GBP|TRY|INR|NGN)(?!\p{L})/giu

const patterns = new Map<string, RegExp>()

/** Returns a pattern of a currency's marks at the start and at the end of a text. Cached. */
function marksPattern(currency: string): RegExp {
  const known = patterns.get(currency)
  if (known) return known
  const mark = `(?:${currency.replace(/[^\p{L}]/gu, '')}${marks[currency] ? `|${marks[currency]}` : ''})`
  const pattern = new RegExp(`^\\s*${mark}(?!\\p{L})\\.?\\s*|\\s*(?<!\\p{L})${mark}\\.?\\s*$`, 'giu')
  patterns.set(currency, pattern)
  return pattern
}

/** Removes a currency's marks from an amount. */
export const stripCurrencyMarks = (written: string, currency: string): string => written.replace(marksPattern(currency), '').trim()

/** Pattern of any currency's mark as a whole word. */
const ANY_MARK = new RegExp(`^(?:${Object.values(marks).join('|')})$`, 'iu')
const WORDS = /[\p{L}\p{M}.]*\p{L}[\p{L}\p{M}.]*/gu
/** Marks that are also words, such as `le`: they name a currency only if no other word stands beside them. */
const SHORT = /^[a-z]{1,2}$/i

/** Returns true if a text names a currency other than this one. */
export function isOtherCurrency(written: string, currency: string): boolean {
  const words = written.match(WORDS) ?? []
  const named = words.filter((word) => ANY_MARK.test(word) && (words.length === 1 || !SHORT.test(word)))
  return [...(written.match(OTHERS) ?? []), ...named].some((mark) => stripCurrencyMarks(mark, currency) !== '')
}

/** Pattern of currency names in headings, as `foldWords` writes them. */
export const CURRENCY_WORDS = /(^| )(da|dzd|dinars?|دج|mad|dhs?|tnd|dt)(?= |$)/gu

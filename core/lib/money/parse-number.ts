import { decimalsOf } from './currency.ts'
import { isOtherCurrency, stripCurrencyMarks } from './currency-marks.ts'
import { type Decimal, decimalText, parseDecimal } from './decimal.ts'

/** Options of {@link parseNumber}. */
export interface NumberOptions {
  /** Currency of an amount (ISO 4217); null for quantities and weights. */
  readonly currency: string | null
  /** Accepts numbers below zero: `-250`, `250-`, `(250)`. */
  readonly isSigned?: boolean
  /** Accepts words around the number, such as `2 500 DA net`. */
  readonly hasWords?: boolean
}

/** Reason why a text is not a number. `readings` are the two numbers that an ambiguous text can mean. */
export type NumberProblem =
  | { readonly kind: 'unreadable' | 'other_currency' }
  | { readonly kind: 'ambiguous'; readonly readings: readonly [Decimal, Decimal] }

/** Result of parsing: a value or a problem. */
export type NumberReading = { readonly value: Decimal } | { readonly problem: NumberProblem }

/** Longest text that is parsed, because the patterns take time quadratic in its length. */
const WRITTEN_MAX = 60
const UNREADABLE: NumberReading = { problem: { kind: 'unreadable' } }

/**
 * Parses a number as people and spreadsheets write it: `12 900,00 DA`, `1.234,56`, `1,234.56`, `٢٥٠٠`. All importers use it.
 *
 * A single point or comma before exactly three digits, as in `2,500`, is a thousands separator if the currency has at most two decimals. It
 * is a decimal separator if the currency has three. It is ambiguous for quantities, weights and Iraqi dinars, where both are common.
 */
export function parseNumber(written: string, { currency, isSigned = false, hasWords = false }: NumberOptions): NumberReading {
  if (written.length > WRITTEN_MAX) return UNREADABLE
  const text = normalizeText(written)
  const amount = currency === null ? text : stripCurrencyMarks(text, currency)
  const { sign, body } = isSigned ? splitSign(amount) : { sign: 1n, body: amount }
  if (currency !== null && isOtherCurrency(body, currency)) return { problem: { kind: 'other_currency' } }
  if (sign === 0n) return UNREADABLE
  const bare = hasWords ? stripWords(body) : body
  return applySign(sign, readDigits(stripEmptyCents(currency === null ? bare : stripCurrencyMarks(bare, currency), { isSigned }), currency))
}

/** Explains why a number was refused, and what to write instead. */
export function describeProblem(written: string, problem: NumberProblem, currency: string | null): string {
  const quoted = `"${written.slice(0, 40)}"`
  if (problem.kind === 'ambiguous') {
    const [one, other] = problem.readings.map(decimalText)
    return `${quoted} can be read as ${one} and as ${other}. Write it without a thousands separator.`
  }
  if (problem.kind === 'other_currency') return `${quoted} is in another currency than ${currency ?? 'expected'}.`
  return currency === null ? `${quoted} is not a number that can be read.` : `${quoted} is not an amount in ${currency}.`
}

/** Returns true if a spreadsheet has rounded the number, as in `6.13E+12`: the other digits are lost. */
export const isRoundedBySpreadsheet = (written: string): boolean => /^\d(?:[.,٫]\d+E\+?|E\+)\d+$/i.test(written.trim())

/** Says that a spreadsheet has rounded an identifier, and what to do. */
export const describeRounded = (written: string): string =>
  `"${written.trim().slice(0, 40)}" is a number that a spreadsheet has rounded. Format the column as text, and write it in full.`

/** Replaces digits of other scripts by Latin digits. */
export const toLatinDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) & 0xf))

/** Removes invisible marks and unifies spaces, apostrophes and Arabic commas. */
const normalizeText = (written: string) =>
  toLatinDigits(written.replace(/\p{Cf}/gu, ''))
    .replace(/[\s\u00a0\u202f]+/gu, ' ')
    .replace(/[’٬]/g, "'")
    .replaceAll('،', ',')
    .trim()

const SIGNED = /^([-−+(]?)\s*(.*?)\s*([-−)]?)$/su

function splitSign(text: string): { sign: bigint; body: string } {
  const [, before = '', body = '', after = ''] = SIGNED.exec(text) ?? []
  if ((before === '(') !== (after === ')')) return { sign: 0n, body }
  return { sign: /[-−(]/.test(before + after) ? -1n : 1n, body }
}

function applySign(sign: bigint, reading: NumberReading): NumberReading {
  if ('value' in reading) return { value: sign * reading.value }
  if (reading.problem.kind !== 'ambiguous') return reading
  const [one, other] = reading.problem.readings
  return { problem: { kind: 'ambiguous', readings: [sign * one, sign * other] } }
}

const WORDS_BEFORE = /^[\p{L}\p{M}\p{Sc}\s.:]*(?=\d)/u
const WORDS_AFTER = /(?<=\d)\s*[\p{L}\p{Sc}(][\p{L}\p{M}\p{Sc}\s.,'()/-]*$/u
/** Words that multiply the number before them: `25 mille`, `2500 millimes`, `2 dz`. */
const MULTIPLES =
  /(?<![\p{L}\p{M}])(?:k|m|mil(?:le?s?)?|mill?ions?|milliards?|thousands?|millimes?|centimes?|cents?|cts?|douzaines?|dozens?|doz|dzn?|ألف|الف|آلاف|الاف|مليون|سنتيم|مليم|دزينة|درزن|درزينة)(?![\p{L}\p{M}])/iu

const stripWords = (body: string) => (MULTIPLES.test(body) ? body : body.replace(WORDS_BEFORE, '').replace(WORDS_AFTER, ''))

/** Removes marks of missing cents: `5400.-` and `5400,--`. Skipped for signed numbers, where the dash may be a minus sign. */
const stripEmptyCents = (body: string, { isSigned }: { readonly isSigned: boolean }) =>
  isSigned ? body : body.replace(/(?<=\d)[.,]\s?[-–—]{0,2}$/, '')

/** Pattern of groups of digits with one separator between them. */
const FORM = /^\d+(?:[ '.,٫]\d+)*$/

function readDigits(body: string, currency: string | null): NumberReading {
  if (!FORM.test(body)) return UNREADABLE
  const groups = body.split(/[ '.,٫]/)
  const separators = [...body.replace(/\d/g, '')]
  const last = separators.at(-1)
  if (last === undefined) return parseDigits(body)
  const isOnly = separators.length === 1
  const [thousands, fraction] = [groups.slice(0, -1), groups.at(-1) ?? '']
  const isWhole = last === ' ' || last === "'" || (!isOnly && separators.every((separator) => separator === last))
  if (isWhole) return parseGroups(separators, groups, currency) ?? UNREADABLE
  const whole = isOnly ? parseDigits(groups[0] ?? '') : parseGroups(separators.slice(0, -1), thousands, currency)
  if (!whole || separators.indexOf(last) !== separators.length - 1) return UNREADABLE
  const decimals = parseDigits(`${thousands.join('')}.${fraction}`)
  if (fraction.length !== 3 || last === '٫') return decimals
  const all = parseDigits(groups.join(''))
  return isOnly ? readSingleSeparator(groups[0] ?? '', decimals, all, currency) : readMixedSeparators(decimals, all, currency)
}

/**
 * Reads a single separator before three digits, as in `2,500`. Forms such as `0,500` and `2500,400` can only be decimals. Zeros in front
 * change nothing: `012,500` is read as `12,500`.
 */
function readSingleSeparator(whole: string, decimals: NumberReading, all: NumberReading, currency: string | null): NumberReading {
  const significant = whole.replace(/^0+/, '').length
  if (significant === 0 || significant > 3) return decimals
  const use = meaningOfThreeDigits(currency)
  return use === 'decimals' ? decimals : use === 'thousands' ? all : ambiguousReading(all, decimals)
}

/** Reads mixed separators before three digits, as in `1.234,567`. Most currencies have fewer than three decimals. */
const readMixedSeparators = (decimals: NumberReading, all: NumberReading, currency: string | null): NumberReading =>
  meaningOfThreeDigits(currency) === 'thousands' ? ambiguousReading(all, decimals) : decimals

/** Currencies whose thousandths are not used in practice: their amounts often contain a thousands separator. */
const WHOLE_IN_PRACTICE = ['IQD']

function meaningOfThreeDigits(currency: string | null): 'thousands' | 'decimals' | 'either' {
  if (currency === null || WHOLE_IN_PRACTICE.includes(currency)) return 'either'
  return decimalsOf(currency) === 3 ? 'decimals' : 'thousands'
}

/** Currencies whose larger digits are also grouped in twos: `1,25,000`. */
const GROUPED_IN_TWOS = ['INR', 'PKR', 'BDT', 'NPR', 'LKR']

/** Parses digits grouped by one separator. Returns undefined if the grouping is irregular. */
function parseGroups(separators: readonly string[], groups: readonly string[], currency: string | null): NumberReading | undefined {
  const least = currency !== null && GROUPED_IN_TWOS.includes(currency) ? 2 : 3
  const [first = '', ...others] = groups
  const isAlike = separators.every((separator) => separator === separators[0])
  const isGrouped = others.every(({ length }, at) => (at === others.length - 1 ? length === 3 : length >= least && length <= 3))
  return isAlike && isGrouped && first.length <= 3 ? parseDigits(groups.join('')) : undefined
}

function parseDigits(digits: string): NumberReading {
  const value = parseDecimal(digits)
  return value === null ? UNREADABLE : { value }
}

function ambiguousReading(one: NumberReading, other: NumberReading): NumberReading {
  if (!('value' in one && 'value' in other)) return UNREADABLE
  return { problem: { kind: 'ambiguous', readings: [one.value, other.value] } }
}

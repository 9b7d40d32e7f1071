import { decimalsOf } from './currency.ts'
import { isOtherCurrency, withoutMarks } from './currency-marks.ts'
import { type Decimal, decimalText, parseDecimal } from './decimal.ts'

export interface NumberTerms {
  /** Currency of an amount (ISO 4217); null for quantities and weights. */
  readonly currency: string | null
  /** Accepts numbers below zero: `-250`, `250-`, `(250)`. */
  readonly isSigned?: boolean
  /** Accepts words around the number, such as `2 500 DA net`. */
  readonly hasWords?: boolean
}

/** Reasons why a text is no number; `readings` are the two numbers that an ambiguous one can be. */
export type NumberProblem =
  | { readonly kind: 'unreadable' | 'other_currency' }
  | { readonly kind: 'ambiguous'; readonly readings: readonly [Decimal, Decimal] }

export type NumberReading = { readonly value: Decimal } | { readonly problem: NumberProblem }

/** Longest text that is read: expressions take time by the square of its length. */
const WRITTEN_MAX = 60
const UNREADABLE: NumberReading = { problem: { kind: 'unreadable' } }

/**
 * Reads a number as people and spreadsheets write it: `12 900,00 DA`, `1.234,56`, `1,234.56`, `٢٥٠٠`. All importers use it.
 *
 * One point or comma before exactly three digits, as in `2,500`, is the mark of thousands in a currency with at most two decimals and the
 * decimal mark in one with three. It is ambiguous where either is common: in quantities, weights and Iraqi dinars.
 */
export function readNumber(written: string, { currency, isSigned = false, hasWords = false }: NumberTerms): NumberReading {
  if (written.length > WRITTEN_MAX) return UNREADABLE
  const text = plainText(written)
  const amount = currency === null ? text : withoutMarks(text, currency)
  const { sign, body } = isSigned ? signedParts(amount) : { sign: 1n, body: amount }
  if (currency !== null && isOtherCurrency(body, currency)) return { problem: { kind: 'other_currency' } }
  if (sign === 0n) return UNREADABLE
  const bare = hasWords ? withoutWords(body) : body
  return signed(sign, readDigits(withoutCents(currency === null ? bare : withoutMarks(bare, currency), isSigned), currency))
}

/** Says why a number was refused, and what to write instead. */
export function describeProblem(written: string, problem: NumberProblem, currency: string | null): string {
  const quoted = `"${written.slice(0, 40)}"`
  if (problem.kind === 'ambiguous') {
    const [one, other] = problem.readings.map(decimalText)
    return `${quoted} can be read as ${one} and as ${other}. Write it without a thousands separator.`
  }
  if (problem.kind === 'other_currency') return `${quoted} is in another currency than ${currency ?? 'expected'}.`
  return currency === null ? `${quoted} is not a number that can be read.` : `${quoted} is not an amount in ${currency}.`
}

/** Finds numbers that a spreadsheet has rounded, such as `6.13E+12`: only their first digits are left. */
export const isRounded = (written: string): boolean => /^\d(?:[.,٫]\d+E\+?|E\+)\d+$/i.test(written.trim())

/** Replaces digits of other scripts by Latin ones. */
export const latinDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) & 0xf))

/** Takes out invisible marks and writes all spaces, apostrophes and Arabic commas alike. */
const plainText = (written: string) =>
  latinDigits(written.replace(/\p{Cf}/gu, ''))
    .replace(/[\s\u00a0\u202f]+/gu, ' ')
    .replace(/[’٬]/g, "'")
    .replaceAll('،', ',')
    .trim()

const SIGNED = /^([-−+(]?)\s*(.*?)\s*([-−)]?)$/su

function signedParts(text: string): { sign: bigint; body: string } {
  const [, before = '', body = '', after = ''] = SIGNED.exec(text) ?? []
  if ((before === '(') !== (after === ')')) return { sign: 0n, body }
  return { sign: /[-−(]/.test(before + after) ? -1n : 1n, body }
}

function signed(sign: bigint, reading: NumberReading): NumberReading {
  if ('value' in reading) return { value: sign * reading.value }
  if (reading.problem.kind !== 'ambiguous') return reading
  const [one, other] = reading.problem.readings
  return { problem: { kind: 'ambiguous', readings: [sign * one, sign * other] } }
}

const WORDS_BEFORE = /^[\p{L}\p{M}\p{Sc}\s.:]*(?=\d)/u
const WORDS_AFTER = /(?<=\d)\s*[\p{L}\p{Sc}(][\p{L}\p{M}\p{Sc}\s.,'()/-]*$/u
/** Words that make another number of the one before them: `25 mille`, `2500 millimes`, `2 dz`. */
const MULTIPLES =
  /(?<![\p{L}\p{M}])(?:k|m|mil(?:le?s?)?|mill?ions?|milliards?|thousands?|millimes?|centimes?|cents?|cts?|douzaines?|dozens?|doz|dzn?|ألف|الف|آلاف|الاف|مليون|سنتيم|مليم|دزينة|درزن|درزينة)(?![\p{L}\p{M}])/iu

const withoutWords = (body: string) => (MULTIPLES.test(body) ? body : body.replace(WORDS_BEFORE, '').replace(WORDS_AFTER, ''))

/** `5400.-` and `5400,--` have no cents. A signed one may as well be below zero. */
const withoutCents = (body: string, isSigned: boolean) => (isSigned ? body : body.replace(/(?<=\d)[.,]\s?[-–—]{0,2}$/, ''))

/** Digits, then groups of them with one separator before each. */
const FORM = /^\d+(?:[ '.,٫]\d+)*$/

function readDigits(body: string, currency: string | null): NumberReading {
  if (!FORM.test(body)) return UNREADABLE
  const groups = body.split(/[ '.,٫]/)
  const separators = [...body.replace(/\d/g, '')]
  const last = separators.at(-1)
  if (last === undefined) return valued(body)
  const isOnly = separators.length === 1
  const [thousands, fraction] = [groups.slice(0, -1), groups.at(-1) ?? '']
  const isWhole = last === ' ' || last === "'" || (!isOnly && separators.every((separator) => separator === last))
  if (isWhole) return grouped(separators, groups, currency) ?? UNREADABLE
  const whole = isOnly ? valued(groups[0] ?? '') : grouped(separators.slice(0, -1), thousands, currency)
  if (!whole || separators.indexOf(last) !== separators.length - 1) return UNREADABLE
  const decimals = valued(`${thousands.join('')}.${fraction}`)
  if (fraction.length !== 3 || last === '٫') return decimals
  const all = valued(groups.join(''))
  return isOnly ? oneMark(groups[0] ?? '', decimals, all, currency) : mixedMarks(decimals, all, currency)
}

/** `2,500`: nobody writes `0,500` or `2500,400` for thousands. */
function oneMark(whole: string, decimals: NumberReading, all: NumberReading, currency: string | null): NumberReading {
  if (whole.length > 3 || whole.startsWith('0')) return decimals
  const use = useOfThree(currency)
  return use === 'decimals' ? decimals : use === 'thousands' ? all : ambiguous(all, decimals)
}

/** `1.234,567`: three decimals are more than most currencies have. */
const mixedMarks = (decimals: NumberReading, all: NumberReading, currency: string | null): NumberReading =>
  useOfThree(currency) === 'thousands' ? ambiguous(all, decimals) : decimals

/** Currencies whose thousandths exist on paper alone: amounts in them are as often written with a mark of thousands. */
const WHOLE_IN_PRACTICE = ['IQD']

function useOfThree(currency: string | null): 'thousands' | 'decimals' | 'either' {
  if (currency === null || WHOLE_IN_PRACTICE.includes(currency)) return 'either'
  return decimalsOf(currency) === 3 ? 'decimals' : 'thousands'
}

/** Currencies that also group digits in twos: `1,25,000`. */
const GROUPED_IN_TWOS = ['INR', 'PKR', 'BDT', 'NPR', 'LKR']

/** Reads digits that are grouped by one and the same separator; undefined where they are grouped otherwise. */
function grouped(separators: readonly string[], groups: readonly string[], currency: string | null): NumberReading | undefined {
  const least = currency !== null && GROUPED_IN_TWOS.includes(currency) ? 2 : 3
  const [first = '', ...others] = groups
  const isAlike = separators.every((separator) => separator === separators[0])
  const isGrouped = others.every(({ length }, at) => (at === others.length - 1 ? length === 3 : length >= least && length <= 3))
  return isAlike && isGrouped && first.length <= 3 ? valued(groups.join('')) : undefined
}

function valued(digits: string): NumberReading {
  const value = parseDecimal(digits)
  return value === null ? UNREADABLE : { value }
}

function ambiguous(one: NumberReading, other: NumberReading): NumberReading {
  if (!('value' in one && 'value' in other)) return UNREADABLE
  return { problem: { kind: 'ambiguous', readings: [one.value, other.value] } }
}

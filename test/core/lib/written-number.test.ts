import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { decimal, decimalText } from '../../../core/lib/money/decimal.ts'
import { describeProblem, isRoundedBySpreadsheet, type NumberOptions, parseNumber } from '../../../core/lib/money/parse-number.ts'
import { computedMs } from '../../support/clock.ts'

/** The number as text, or the kind of its problem. */
function read(written: string, currency: string | null, terms: Partial<NumberOptions> = {}): string {
  const reading = parseNumber(written, { currency, ...terms })
  return 'value' in reading ? decimalText(reading.value) : reading.problem.kind
}

describe('an amount is read as its currency is written', () => {
  test.each([
    ['2500', 'DZD', '2500'],
    ['2,500', 'DZD', '2500'],
    ['2.500', 'DZD', '2500'],
    ['2,505', 'DZD', '2505'],
    ['2,50', 'DZD', '2.5'],
    ['2,5', 'DZD', '2.5'],
    ['12 900,00 DA', 'DZD', '12900'],
    ['12\u202f900,00\u00a0DZD', 'DZD', '12900'],
    ['1\u2009234', 'DZD', '1234'],
    ['DA 400', 'DZD', '400'],
    ['2500,00 Dinars algériens', 'DZD', '2500'],
    ['٢٬٥٠٠٫٥ د.ج', 'DZD', '2500.5'],
    ['٢٫٥٠٠', 'DZD', '2.5'],
    ['۲۵۰', 'DZD', '250'],
    ['２５００', 'DZD', '2500'],
    ['1.250.000', 'DZD', '1250000'],
    ['1.234,56', 'DZD', '1234.56'],
    ["1'234.50", 'DZD', '1234.5'],
    ['2500.400', 'DZD', '2500.4'],
    ['0,500', 'DZD', '0.5'],
    ['1234.5000', 'DZD', '1234.5'],
    ['12,500', 'DZD', '12500'],
    ['012,500', 'DZD', '12500'],
    ['012.500', 'DZD', '12500'],
    ['00,500', 'DZD', '0.5'],
    ['02500,400', 'DZD', '2500.4'],
    ['12,500', 'TND', '12.5'],
    ['012,500', 'TND', '12.5'],
    ['5400.-', 'DZD', '5400'],
    ['5400,--', 'DZD', '5400'],
    ['2,500', 'TND', '2.5'],
    ['25.500 DT', 'TND', '25.5'],
    ['1.250,500', 'TND', '1250.5'],
    ['1 250.750 د.ت', 'TND', '1250.75'],
    ['1.250.000', 'TND', '1250000'],
    ['2.500', 'XOF', '2500'],
    ['15 000 F CFA', 'XOF', '15000'],
    ['1,25,000', 'INR', '125000'],
    ['25 000', 'IQD', '25000'],
    ['1,250.500', 'IQD', '1250.5'],
  ])('%p in %s is %s', (written, currency, value) => {
    expect(read(written, currency)).toBe(value)
  })

  test.each([
    ['1.234,567', 'DZD', '1234567', '1234.567'],
    ['1 234.567', 'EUR', '1234567', '1234.567'],
    ['25.000', 'IQD', '25000', '25'],
    ['025.000', 'IQD', '25000', '25'],
  ])('%p in %s is ambiguous: %s or %s', (written, currency, one, other) => {
    const reading = parseNumber(written, { currency })
    expect(reading).toEqual({ problem: { kind: 'ambiguous', readings: [decimal(one), decimal(other)] } })
    if ('problem' in reading)
      expect(describeProblem(written, reading.problem, currency)).toBe(
        `"${written}" can be read as ${one} and as ${other}. Write it without a thousands separator.`,
      )
  })

  test.each(['', 'abc', '12 34', '1,23,456', '1.23.4', '1,2,3', '12.34.56', '1e5', '(250)', '-250', '1 2345', '0x10', '12,34567', '5%'])(
    '%p is no amount',
    (written) => {
      expect(read(written, 'DZD')).toBe('unreadable')
    },
  )

  test.each(['2500 €', '$2500', '2500 MAD', '2500 euros'])('%p is no amount in Algerian dinars', (written) => {
    for (const hasWords of [false, true]) expect(read(written, 'DZD', { hasWords })).toBe('other_currency')
  })

  test('words around an amount are left out only where that is asked for', () => {
    expect(read('2 500 DA net', 'DZD')).toBe('unreadable')
    expect(read('2 500 DA net', 'DZD', { hasWords: true })).toBe('2500')
    for (const written of ['2500 + 400 livraison', '5400 DA / 2', '2x2500', '2500 DA (2 pcs)', '(500)', '- 5'])
      expect(read(written, 'DZD', { hasWords: true })).toBe('unreadable')
  })

  test('a number before a word that multiplies or divides it is refused', () => {
    for (const written of ['25 mille', '2,5 k', '2500 millimes', '250 centimes', '2 millions', '٢٥ ألف'])
      expect([written, read(written, 'TND', { hasWords: true })]).toEqual([written, 'unreadable'])
    for (const written of ['2 douzaines', '3 dozen']) expect(read(written, null, { hasWords: true })).toBe('unreadable')
    for (const written of ['2 pièces', '2 قطع', '2 pcs']) expect(read(written, null, { hasWords: true })).toBe('2')
  })

  test('an amount below zero is read only where that is asked for', () => {
    for (const written of ['-250', '250-', '(250)', '−250']) expect(read(written, 'DZD', { isSigned: true })).toBe('-250')
    for (const written of ['(250', '250)', '--5', '5,-']) expect(read(written, 'DZD', { isSigned: true })).toBe('unreadable')
  })
})

describe('a quantity', () => {
  test.each([
    ['12', '12'],
    ['٢', '2'],
    ['1 234', '1234'],
    ['1,234,567', '1234567'],
    ['2,5', '2.5'],
    ['0,125', '0.125'],
    ['1,234.5', '1234.5'],
    ['2.5000', '2.5'],
  ])('%p is %s', (written, value) => {
    expect(read(written, null)).toBe(value)
  })
  test.each(['2,500', '2.500', '1,000', '12.345', '012,345'])('%p is ambiguous, since a quantity may have three decimals', (written) => {
    expect(read(written, null)).toBe('ambiguous')
  })
})

test('a number that was rounded by a spreadsheet is found', () => {
  for (const written of ['6.13E+12', '6,13E+12', '4,91555E+12', '6E+12', ' 2.1E+11 ', '6.13e12'])
    expect(isRoundedBySpreadsheet(written)).toBe(true)
  for (const written of ['6130123456789', '6E12', 'E+12', 'A6.13E+12', '12E+3']) expect(isRoundedBySpreadsheet(written)).toBe(false)
})

test('a text that is far too long is refused at once', () => {
  const took = computedMs(() => expect(read(`1${' '.repeat(20_000)}2`, 'DZD')).toBe('unreadable'))
  expect(took).toBeLessThan(1_000)
})

test('every amount that is written in a known way is read as it was, in currencies of two and three decimals', () => {
  const ways: ((groups: string[], fraction: string) => string)[] = [
    (groups, fraction) => `${groups.join(' ')},${fraction} DA`,
    (groups, fraction) => `${groups.join('.')},${fraction}`,
    (groups, fraction) => `${groups.join(',')}.${fraction}`,
    (groups, fraction) => `${groups.join('')}.${fraction}`,
    (groups, fraction) => `${groups.join('')},${fraction}`.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit))),
  ]
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), fc.constantFrom(...ways), (cents, way) => {
      const groups = String(Math.floor(cents / 100))
        .replace(/\B(?=(\d{3})+$)/g, ' ')
        .split(' ')
      const written = way(groups, String(cents % 100).padStart(2, '0'))
      expect([written, read(written, 'DZD')]).toEqual([written, decimalText(BigInt(cents) * 100n)])
    }),
    { seed: 20_261_127, numRuns: 1_000 },
  )
})

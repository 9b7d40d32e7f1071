import { describe, expect, test } from 'bun:test'
import { exactAmount, presentAmount } from '../../../core/assistant/amounts.ts'

describe('amounts of models', () => {
  const cases: [number | string, string][] = [
    [0, '0'],
    [12.5, '12.5'],
    [1e-7, '0.0000001'],
    [1.25e-10, '0.000000000125'],
    [999_999_999_999, '999999999999'],
    ['0.000361000000000001', '0.000361000000000001'],
  ]
  test.each(cases)('%p is kept as %p', (given, exact) => {
    expect(exactAmount(given, ['amount'])).toBe(exact)
  })

  test('more decimals than are kept are refused, not rounded', () => {
    expect(() => exactAmount(1.5e-18, ['amount'])).toThrow('At most 18 decimals.')
  })

  test('an answer has them as numbers, and null where there is none', () => {
    expect([presentAmount('0.0000001'), presentAmount(null)]).toEqual([1e-7, null])
  })
})

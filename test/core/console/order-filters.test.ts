import { expect, test } from 'bun:test'

/** The compiler checks browser code against another library: its name stands apart, so that it is not drawn in here. */
const FILTERS = '../../../core/console/web/pages/orders/list/filters/filters.ts'
const { readFilters, toBody } = (await import(FILTERS)) as {
  readonly readFilters: (search: string) => Readonly<Record<string, string>>
  readonly toBody: (filters: Readonly<Record<string, string>>) => unknown
}

test('filters as the body of a request: amounts are numbers, and a text that is none stays for the server to refuse', () => {
  const bodyOf = (search: string) => JSON.parse(JSON.stringify(toBody(readFilters(search))))
  expect(bodyOf('minTotal=1500&maxTotal=0&tag=gift&sort=-total')).toEqual({ minTotal: 1500, maxTotal: 0, tag: 'gift' })
  // In JSON, neither NaN nor Infinity is a number.
  expect(bodyOf('minTotal=much&maxTotal=1e999')).toEqual({ minTotal: 'much', maxTotal: '1e999' })
})

import { expect, test } from 'bun:test'
import { findFallen, readHistory, readNewestRelease } from '../bench/ceiling/history.ts'
import { operations } from '../bench/ceiling/operations.ts'

const PAGE = `# Title

| | 2026-01-01 | 2026-02-01 |
|---|---|---|
| \`POST /v1/orders, 1 line\` | 3.8 | 10.0 |
| \`GET /v1/orders/{id}\` | | 2.5 |
`

test('the page keeps every operation that the bench measures', async () => {
  const newest = await readNewestRelease()
  expect(Object.keys(newest?.shares ?? {})).toEqual(operations.map(({ what }) => what))
})

test('the history is read by release, and an operation that was not measured is left out', () => {
  expect(readHistory(PAGE)).toEqual([
    { name: '2026-01-01', shares: { 'POST /v1/orders, 1 line': 3.8 } },
    { name: '2026-02-01', shares: { 'POST /v1/orders, 1 line': 10, 'GET /v1/orders/{id}': 2.5 } },
  ])
})

test('what falls by more than two fifths is named with both shares', () => {
  const release = { name: '2026-02-01', shares: { 'POST /v1/orders, 1 line': 10, 'GET /v1/orders/{id}': 2.5 } }
  const rows = [
    { what: 'POST /v1/orders, 1 line', ours: '1/s', ratio: 0.059 },
    { what: 'GET /v1/orders/{id}', ours: '1/s', ratio: 0.016 },
    { what: 'something new', ours: '1/s', ratio: 0.001 },
  ]
  expect(findFallen(rows, release)).toEqual(['POST /v1/orders, 1 line fell from 10 % of its ceiling (2026-02-01) to 5.9 %.'])
})

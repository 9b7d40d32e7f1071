import { expect, test } from 'bun:test'
import { pageRows } from '../../../core/integrations/connections/calls/page-rows.ts'

const row = (id: number) => ({ id, name: `Centre ${id}` })
const rows = [1, 2, 3, 4, 5].map(row)
const idsOf = ({ data }: { data: { id: number }[] }) => data.map(({ id }) => id)

test('a list that is given whole is shown page by page', () => {
  const first = pageRows(rows, { limit: 2 })
  const second = pageRows(rows, { limit: 2, cursor: first.nextCursor! })
  const third = pageRows(rows, { limit: 2, cursor: second.nextCursor! })
  expect([first, second, third].map(idsOf)).toEqual([[1, 2], [3, 4], [5]])
  expect(third.nextCursor).toBeNull()
  expect(pageRows(rows, { limit: 5 }).nextCursor).toBeNull()
  expect(pageRows([], {})).toEqual({ data: [], nextCursor: null })
})

test('a page goes on after the same row, wherever that stands by then', () => {
  const cursor = pageRows(rows, { limit: 3 }).nextCursor!
  expect(idsOf(pageRows([row(0), row(9), ...rows], { cursor }))).toEqual([4, 5])
  expect(idsOf(pageRows(rows.slice(2), { cursor }))).toEqual([4, 5])
  expect(idsOf(pageRows([row(1), row(2), row(4), row(5)], { cursor }))).toEqual([4, 5])
  expect(idsOf(pageRows([row(7)], { cursor }))).toEqual([])
})

test('a cursor of another list is refused', () => {
  for (const cursor of ['', 'x', 'azE6YQ', Buffer.from('r1:-1:00').toString('base64url')])
    expect(() => pageRows(rows, { cursor })).toThrow('This cursor was not given by this list.')
})

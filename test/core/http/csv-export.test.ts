import { expect, test } from 'bun:test'
import { cellWriter } from '../../../core/http/table/csv-cells.ts'
import { csvColumn, exportCsv } from '../../../core/http/table/csv-export.ts'
import { escapeFormula, unescapeFormula } from '../../../core/http/table/formula-guard.ts'

interface Row {
  readonly name: string
  readonly amount: number
}

const columns = [
  csvColumn<Row>('Name', 'Nom', 'الاسم', ({ name }) => name),
  csvColumn<Row>('Amount', 'Montant', 'المبلغ', ({ amount }) => amount),
]
const settle = () => Bun.sleep(20)
let exports = 0

/** An export of pages that go on without an end, and what it has read. */
async function endless(signal?: AbortSignal) {
  const asked: unknown[] = []
  exports += 1
  const request = new Request('http://ours.example/', { headers: { 'accept-language': 'fr' }, ...(signal && { signal }) })
  const answer = await exportCsv({ request, query: {}, ownerId: `owner ${exports}`, name: 'rows' }, columns, async (query) => {
    asked.push(query.cursor ?? null)
    const data = Array.from({ length: Number(query.limit) }, (_, at) => ({ name: `Row ${at}`, amount: at + 0.5 }))
    return { data, nextCursor: `after ${asked.length}` }
  })
  return { asked, reader: (answer.body as ReadableStream<Uint8Array>).getReader() }
}

test('the next page is read while one is written, and no more until the caller has taken it', async () => {
  const { asked, reader } = await endless()
  await settle()
  expect(asked).toEqual([null, 'after 1'])
  const { value } = await reader.read()
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(value)).toStartWith('\ufeffNom;Montant\r\nRow 0;0,5\r\n')
  await settle()
  expect(asked).toEqual([null, 'after 1', 'after 2'])
  await reader.cancel()
})

test('nothing is read any more once the caller has hung up, also in the middle of a page', async () => {
  const gone = await endless()
  await gone.reader.read()
  await gone.reader.cancel()
  await settle()
  const count = gone.asked.length
  await settle()
  expect(gone.asked.length).toBe(count)
  expect(count).toBeLessThan(5)
  const hangUp = new AbortController()
  const { asked, reader } = await endless(hangUp.signal)
  hangUp.abort()
  const failed = await reader
    .read()
    .then(() => reader.read())
    .then(() => reader.read())
    .catch(() => 'failed')
  expect(failed).toBe('failed')
  expect(asked.length).toBeLessThan(4)
})

test.each([
  [1500, '1500', '1500'],
  [1500.5, '1500.5', '"1500,5"'],
  [-0.25, '-0.25', '"-0,25"'],
  [0.0000001, '0.0000', '"0,0000"'],
  [null, '', ''],
  [true, 'true', 'true'],
  ['a;b', 'a;b', 'a;b'],
  ['a,b', '"a,b"', '"a,b"'],
  ['say "yes"', '"say ""yes"""', '"say ""yes"""'],
  ['=1+1', "'=1+1", "'=1+1"],
] as const)('the cell %p is written so that spreadsheets read it', (cell, point, comma) => {
  expect(cellWriter(',', '.')(cell)).toBe(point)
  // A decimal comma between commas would be two cells.
  expect(cellWriter(',', ',')(cell)).toBe(comma)
})

test('export: a cell that begins with spaces or invisible marks before a formula sign is escaped', () => {
  for (const cell of ['=1+1', ' =1+1', '\u200e=1+1', '\u00a0@sum', '＝1+1']) {
    expect(escapeFormula(cell)).toBe(`'${cell}`)
    expect(unescapeFormula(escapeFormula(cell))).toBe(cell)
  }
  expect(['Amina', ' Amina', 'a=b'].map(escapeFormula)).toEqual(['Amina', ' Amina', 'a=b'])
})

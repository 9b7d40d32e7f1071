import { expect, setDefaultTimeout, test } from 'bun:test'
import { PDFDocument } from '@pdfme/pdf-lib'
import type { LabelContents } from '../../../core/logistics/labels/label.model.ts'
import { printDocument } from '../../../core/logistics/labels/rendering/print-queue.ts'

setDefaultTimeout(60_000)

const labelOf = (at: number): LabelContents => ({
  carrier: 'Atlas Express',
  tracking: `ATL-${at}`,
  store: { name: 'Boutique Amina', phone: '0550 12 34 56' },
  recipient: { name: 'محمّد الأمين', phones: ['0661 22 33 44'] },
  address: `Cité ${at} logements`,
  city: 'Bab Ezzouar',
  state: { code: '16', name: 'Alger' },
  delivery: { type: 'home', center: null },
  cod: { amount: 6500, currency: 'DZD' },
  weightKg: 1.2,
  contents: 'Basket x1',
  reference: `REF-${at}`,
  notes: '',
  date: '21/11/2026',
  fragile: false,
})
const print = (count: number, owner: string, signal?: AbortSignal) =>
  printDocument({ parts: [{ labels: Array.from({ length: count }, (_, at) => labelOf(at)) }], paper: 'a6' }, owner, signal)

async function pagesOf(printing: ReturnType<typeof print>) {
  const printed = await printing
  return 'pdf' in printed ? (await PDFDocument.load(printed.pdf)).getPageCount() : printed.broken
}

test('labels: one label of a project is printed before the larger documents that another project asked for earlier', async () => {
  const ended: string[] = []
  const note = <V>(owner: string, printing: Promise<V>) => printing.finally(() => ended.push(owner))
  const large = Array.from({ length: 2 }, () => note('large', pagesOf(print(60, 'prj_large'))))
  const small = note('small', pagesOf(print(1, 'prj_small')))
  expect(await Promise.all([small, ...large])).toEqual([1, 60, 60])
  expect(ended[0]).toBe('small')
})

test('labels: a project with four documents in line is refused a fifth, and another project is not', async () => {
  const large = Array.from({ length: 4 }, () => print(21, 'prj_large'))
  await expect(print(1, 'prj_large')).rejects.toMatchObject({ code: 'unavailable' })
  expect(await pagesOf(print(1, 'prj_small'))).toBe(1)
  await Promise.all(large)
})

test('labels: a document whose caller left is not printed any further', async () => {
  const caller = new AbortController()
  const [left, stays] = [print(60, 'prj_a', caller.signal), print(21, 'prj_a')]
  caller.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  expect(await pagesOf(stays)).toBe(21)
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readConfig } from '../../../../core/config.ts'
import { DomainError } from '../../../../core/lib/errors/domain-error.ts'
import { decimalNumber } from '../../../../core/lib/money/decimal.ts'
import { readSheet, type SheetOptions } from '../../../../core/money/remittances/sheet/read-sheet.ts'
import { type SheetJob, sheetReader } from '../../../../core/money/remittances/sheet/reader.ts'
import { type RunningServer, serve } from '../../../../core/serve.ts'
import { anyText } from '../../../support/any-text.ts'
import { WORKBOOK, xlsx, zip } from '../../../support/cash.ts'
import { byTheClock } from '../../../support/clock.ts'
import { freshDatabase, redisOfItsOwn } from '../../../support/database.ts'
import { scratchFolder } from '../../../support/scratch.ts'
import { storefront } from '../../../support/storefront.ts'
import { until } from '../../../support/until.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const windows1252 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const utf16 = (text: string, { littleEndian = true }: { readonly littleEndian?: boolean } = {}) => {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), littleEndian)
  return new Uint8Array(view.buffer)
}

/** Rows as [tracking, reference, amount, fee, net]. */
async function read(content: string | Uint8Array, options: Partial<SheetOptions> = {}) {
  const { lines } = await readSheet(typeof content === 'string' ? bytes(content) : content, { currency: 'DZD', ...options })
  const number = (value: bigint | null) => (value === null ? null : decimalNumber(value))
  return lines.map(({ tracking, reference, amount, fee, net }) => [tracking, reference, number(amount), number(fee), number(net)])
}

/** The code of the refusal and its details. */
async function refusal(content: string | Uint8Array, options: Partial<SheetOptions> = {}) {
  const error = await read(content, options).catch((thrown) => thrown)
  if (!(error instanceof DomainError)) throw new Error(`It was taken: ${JSON.stringify(error)}`)
  return [error.code, ...error.issues.map(({ field, message, isOutside }) => `${isOutside ? '' : '/body'}/${field.join('/')} ${message}`)]
}
const message = async (content: Uint8Array) => {
  const error = await read(content).catch((thrown) => thrown)
  return error instanceof DomainError ? `${error.code}: ${error.message}` : error
}

describe('CSV', () => {
  const plain = [['YAL-1', null, 2500.5, 400, 2100.5]]
  test.each([
    ['semicolons', 'Tracking;Montant;Frais\nYAL-1;2500,50;400\n'],
    ['commas', 'Tracking,Montant,Frais\r\nYAL-1,"2500,50",400\r\n'],
    ['tabs', 'Tracking\tMontant\tFrais\nYAL-1\t2500.5\t400'],
    ['a mark of order', '\ufeffTracking;Montant;Frais\nYAL-1;2500,50;400\n'],
    ['titles above', 'Bordereau de paiement n° 12;;\n;;\nTracking;Montant;Frais\nYAL-1;2500,50;400\n'],
    ['empty rows and a sum', 'Tracking;Montant;Frais\n\nYAL-1;2500,50;400\n;;\nTOTAL;2500,50;400\n'],
    ['a sum without a word', 'Tracking;Montant;Frais\nYAL-1;2500,50;400\n;2500,50;400\n'],
    ['headings said again', 'Tracking;Montant;Frais\nYAL-1;2500,50;400\nTracking;Montant;Frais\n'],
    ['what was paid instead of the fee', 'Tracking;Montant;Net à payer\nYAL-1;2500,50;2100,50\n'],
    ['the net and the fee', 'Code suivi;Frais de livraison (DA);Net\nYAL-1;400;2 100,50 DA\n'],
    ['a fee below zero', 'Tracking;Montant;Frais\nYAL-1;2500,50;-400\n'],
    ['Arabic', 'رقم التتبع;المبلغ;رسوم التوصيل\nYAL-1;٢٥٠٠٫٥٠;٤٠٠\nالمجموع;٢٥٠٠٫٥٠;٤٠٠\n'],
    ['English', 'Tracking number,COD amount,Delivery fee,Status\nYAL-1,2500.50,400,Delivered\n'],
  ])('with %s', async (_, text) => {
    expect(await read(text)).toEqual(plain)
  })
  test('is read in the Arabic of Windows', async () => {
    const letters = new Map(Array.from({ length: 256 }, (_, byte) => [new TextDecoder('windows-1256').decode(Uint8Array.of(byte)), byte]))
    const text = 'رقم التتبع;المبلغ;رسوم التوصيل\nYAL-1;2500,50;400\n'
    expect(await read(Uint8Array.from(text, (letter) => letters.get(letter)!))).toEqual(plain)
  })
  test('with texts that spreadsheets guard, and marks that nobody sees', async () => {
    expect(await read('Tracking;Montant\n="00123";"=""2500"""\n\u200f00\u00a0124\u200e;\'2500\n')).toEqual([
      ['00123', null, 2500, null, null],
      ['00 124', null, 2500, null, null],
    ])
  })
  test('with the apostrophe by which spreadsheets keep a number as text', async () => {
    expect(await read("Tracking;Référence;Montant;Frais\n'6130000000777;'A-12;'2 500;'400\n")).toEqual([
      ['6130000000777', 'A-12', 2500, 400, 2100],
    ])
  })
  test('what is below zero keeps its sign: a fee that is given back, and what is deducted', async () => {
    const sheet = 'Tracking;Montant;Frais;Net\nA;3000;400;2600\nB;-3000;-400;-2600\nC;-3000;400;-3400\nD;0;-400;400\nE;0;200;-200\n'
    const rows = [
      ['A', null, 3000, 400, 2600],
      ['B', null, -3000, -400, -2600],
      ['C', null, -3000, 400, -3400],
      ['D', null, 0, -400, 400],
      ['E', null, 0, 200, -200],
    ]
    expect(await read(sheet)).toEqual(rows)
    expect(await read(sheet.replace(/;[^;]*$/gm, ''))).toEqual(rows)
    // Where all fees are below zero, that is how the carrier writes them.
    expect(await read('Tracking;Montant;Frais\nA;3000;-400\nE;0;-200\n')).toEqual([rows[0]!, rows[4]!])
  })
  test('a last row without a name is left out only where it is the sum', async () => {
    expect(await refusal('Tracking;Montant\nA;100\n;200\n')).toEqual([
      'sheet_unreadable',
      expect.stringContaining('/file/rows/3 Has neither'),
    ])
    expect(await read('Tracking;Montant;Note\nA;100;\n;;Merci\n')).toHaveLength(1)
  })
  test('a number that was rounded, and another currency over the column, are refused', async () => {
    expect(await refusal('Tracking;Montant\n4,91555E+12;100\n')).toEqual(['sheet_unreadable', expect.stringContaining('has rounded')])
    expect(await message(bytes('Tracking;Montant (EUR)\nA;100\n'))).toContain('the carrier pays in DZD')
    expect(await read('Tracking;Montant (DZD)\nA;100\n')).toHaveLength(1)
  })
  test('what stands beside a parcel or its cash is neither', async () => {
    const sheet = 'Date encaissement;Nombre de colis;Tracking;Montant du colis\n2026-01-01;1;A;100\n'
    expect(await read(sheet)).toEqual([['A', null, 100, null, null]])
  })
  test('of columns that were said before, those that are still there count', async () => {
    const remembered = { tracking: 'Code', amount: 'Total' }
    expect(await read('Montant;Total;Tracking\n999;2500;A\n', { remembered })).toEqual([['A', null, 2500, null, null]])
    expect(await refusal('Code;Montant\nA;1\n', { given: remembered })).toContain('/body/columns Missing: a heading "Total" (amount).')
  })
  test('is read in any of the encodings', async () => {
    const text = 'N° Colis;Montant encaissé;Frais\nYAL-1;2500,50;400\n'
    for (const content of [
      bytes(text),
      windows1252(text),
      utf16(`\ufeff${text}`),
      utf16(`\ufeff${text}`, { littleEndian: false }),
      utf16(text),
      utf16(text, { littleEndian: false }),
    ])
      expect(await read(content)).toEqual(plain)
  })
  test('a line that names the separator is left out, and its separator is used', async () => {
    expect(await read('sep=;\r\nTracking;Montant;Frais\r\nYAL-1;2500,50;400\r\n')).toEqual(plain)
    expect(await read('\ufeffsep=|\nTracking|Montant|Frais|a;b;c;d;e\nYAL-1|2500,50|400|\n')).toEqual(plain)
    expect(await read('"sep=\t"\nTracking\tMontant\tFrais\nYAL-1\t2500.5\t400\n')).toEqual(plain)
    expect(await refusal('sep=;\nTracking;Montant\nA-1;12 34\n')).toEqual(['sheet_unreadable', expect.stringContaining('/file/rows/2 ')])
  })
  test.each([
    ['<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table><tr><td>Tracking</td></tr></table></html>', 'a web page (HTML)'],
    ['\ufeff\r\n<!DOCTYPE html>\n<table>', 'a web page (HTML)'],
    ['<table><tr><td>Tracking<td>Montant', 'a web page (HTML)'],
    ['<?xml version="1.0"?><html><body>', 'a web page (HTML)'],
    ['<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?><Workbook>', 'an XML spreadsheet'],
    ['MIME-Version: 1.0\nContent-Type: multipart/related', 'a web page (MHTML)'],
    ['%PDF-1.7', 'a PDF'],
  ])('%p is refused by its name', async (text, name) => {
    expect(await message(bytes(text))).toStartWith(`sheet_unreadable: The file is ${name}`)
  })
  test('an amount with two readings is refused with its row and both of them', async () => {
    expect(await refusal('Tracking;Montant\nA-1;2500\nA-2;1.234,567\n')).toEqual([
      'sheet_unreadable',
      '/file/rows/3 "1.234,567" can be read as 1234567 and as 1234.567. Write it without a thousands separator. (amount)',
    ])
    expect(await read('Tracking;Montant\nA-1;1.234,567\nA-2;2,500\n', { currency: 'TND' })).toEqual([
      ['A-1', null, 1234.567, null, null],
      ['A-2', null, 2.5, null, null],
    ])
  })
  test('our reference stands for the number', async () => {
    expect(await read('Commande;Net\nORD-1;100\n')).toEqual([[null, 'ORD-1', null, null, 100]])
  })
  test('columns may be said, now or before', async () => {
    const text = 'A;B;Montant\nYAL-1;300;2800\n'
    expect(await refusal(text)).toEqual([
      'sheet_columns_unknown',
      '/file The columns are: A, B, Montant.',
      '/file Understood: amount = "Montant".',
      '/body/columns Missing: the tracking number (tracking) or your reference (reference).',
    ])
    const said = { tracking: 'a', net: 'B' }
    expect(await read(text, { given: said })).toEqual([['YAL-1', null, null, null, 300]])
    expect(await read(text, { remembered: said })).toEqual([['YAL-1', null, null, null, 300]])
    // What was said of another sheet does not stand in the way of this one.
    expect(await read('Tracking;Montant\nYAL-1;5\n', { remembered: said })).toEqual([['YAL-1', null, 5, null, null]])
    expect((await refusal(text, { given: { tracking: 'A', amount: 'Nope' } }))[0]).toBe('sheet_columns_unknown')
  })
  test('rows that cannot be taken are named by their number', async () => {
    const rows = [
      'Tracking;Montant',
      'A-1;12 34',
      'A-2;',
      ';55',
      'A-3;1',
      ' a-3;1',
      'A-4;1;2',
      '#N/A;3',
      `${'x'.repeat(121)};1`,
      'A-5;99999999999',
      'A-6;2',
    ]
    const [code, ...details] = await refusal(rows.join('\n'))
    expect(code).toBe('sheet_unreadable')
    expect(details.map((detail) => detail.split(' ')[0])).toEqual([2, 3, 4, 6, 7, 8, 9, 10].map((row) => `/file/rows/${row}`))
    expect(details[0]).toContain('"12 34" is not an amount')
    expect(details[3]).toContain('row 5 already names')
  })
  test.each([
    ['no file of text', Uint8Array.from({ length: 300 }, (_, at) => at % 7)],
    ['nothing below the headings', bytes('Tracking;Montant\n')],
    ['more rows than are taken', bytes(`Tracking;Montant\n${Array.from({ length: 20_001 }, (_, at) => `T${at};1`).join('\n')}`)],
    ['an old XLS, or one with a password', Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0])],
    ['an open quotation', bytes('Tracking;Montant\n"A;1\n')],
  ])('%s', async (_, content) => {
    expect(await message(content)).toMatch(/^sheet_(unreadable|columns_unknown): /)
  })
})

describe('XLSX', () => {
  test('is read with its numbers, shared and inline texts, formulas by their saved value, titles above and sums below', async () => {
    const sheet = xlsx([
      ['Relevé & paiements', null, null],
      [],
      ['N° de suivi', 'Montant', 'Frais'],
      ['YAL-1', 2500.4999999999995, 400],
      [{ xml: ' t="inlineStr"><is><r><t>YAL</t></r><r><t>-2</t></r></is>' }, { xml: '><f>B4*2</f><v>5001</v>' }, '400,00 DA'],
      [4915551234567, 234.567, null],
      ['TOTAL', { xml: '><f>SUM(B4:B6)</f><v>7736.067</v>' }, null],
    ])
    expect(await read(sheet)).toEqual([
      ['YAL-1', null, 2500.5, 400, 2100.5],
      ['YAL-2', null, 5001, 400, 4601],
      ['4915551234567', null, 234.567, null, null],
    ])
  })
  test('prefixes, rows without numbers, phonetic runs, and formats a million rows down', async () => {
    const rows =
      '<x:row><x:c t="s"><x:v>0</x:v></x:c><x:c t="s"><x:v>1</x:v></x:c></x:row><x:row><x:c t="str"><x:v>YAL-1</x:v></x:c><x:c><x:v>1.5E3</x:v></x:c></x:row>'
    const sheet = zip({
      'xl/worksheets/sheet1.xml': `<x:worksheet><x:sheetData>${rows}<x:row r="1048576"><x:c r="A1048576" s="1"/></x:row></x:sheetData></x:worksheet>`,
      'xl/sharedStrings.xml': '<sst><si><t>Tracking</t><rPh><t>no</t></rPh></si><si><r><t>Mon</t></r><r><t>tant</t></r></si></sst>',
    })
    expect(await read(sheet)).toEqual([['YAL-1', null, 1500, null, null]])
  })
  test('a value that was never computed, and a merged cell, are refused by their row', async () => {
    const sheet = xlsx([
      ['Tracking', 'Montant'],
      ['YAL-1', { xml: '><f>1+1</f>' }],
      [null, 5],
      [1.2345678901234567e20, 5],
      ['YAL-2', 5],
    ])
    const [code, ...details] = await refusal(sheet)
    expect(code).toBe('sheet_unreadable')
    expect(details.map((detail) => detail.split(' ')[0])).toEqual(['/file/rows/2', '/file/rows/3', '/file/rows/4'])
  })
  test('an error, and a formula that was never computed, are refused under the fee as well', async () => {
    const sheet = xlsx([
      ['Tracking', 'Montant', 'Frais'],
      ['YAL-1', 2500, { xml: ' t="e"><f>B9-C9</f><v>#REF!</v>' }],
      ['YAL-2', 2500, { xml: '><f>B3*0.1</f>' }],
      ['YAL-3', 2500, 400],
    ])
    expect(await refusal(sheet)).toEqual([
      'sheet_unreadable',
      '/file/rows/2 "#REF!" is not an amount in DZD. (fee)',
      '/file/rows/3 "#VALUE!" is not an amount in DZD. (fee)',
    ])
  })
  test('an old sheet that is hidden is not read, whatever columns it has', async () => {
    const cells = (...texts: string[]) => `<row>${texts.map((text) => `<c t="str"><v>${text}</v></c>`).join('')}</row>`
    const old = `${cells('Tracking', 'Commande', 'Montant', 'Frais', 'Net')}${cells('OLD-1', 'ORD-1', '900', '100', '800')}`
    const rows = [
      ['Tracking', 'Montant'],
      ['NEW-1', 2500],
    ]
    const more = { 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${old}</sheetData></worksheet>` }
    expect(await read(xlsx(rows, more))).toEqual([['NEW-1', null, 2500, null, null]])
    // It is the mark that hides it: were both shown, the one that tells more would be read.
    const shown = { ...more, 'xl/workbook.xml': WORKBOOK['xl/workbook.xml'].replace('state="hidden"', '') }
    expect(await read(xlsx(rows, shown))).toEqual([['OLD-1', 'ORD-1', 900, 100, 800]])
  })
  test('a value thirty million rows down is refused at once and in little memory', byTheClock, async () => {
    const far = '<row r="30000000"><c r="A30000000" t="str"><v>YAL-1</v></c><c r="B30000000"><v>5</v></c></row>'
    const sheet = zip({ ...WORKBOOK, 'xl/worksheets/sheet2.xml': `<worksheet><sheetData>${far}</sheetData></worksheet>` })
    expect(sheet.length).toBeLessThan(2_000)
    const [began, before] = [performance.now(), process.memoryUsage().rss]
    expect(await message(sheet)).toMatch(/^sheet_unreadable: The sheet has more than \d+ rows/)
    expect(performance.now() - began).toBeLessThan(1_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
  })
  test('a bomb, a password, a broken archive and an archive of something else are refused', async () => {
    const bomb = zip({ ...WORKBOOK, 'xl/worksheets/sheet2.xml': new Uint8Array(60 * 1024 * 1024).fill(32) })
    expect(bomb.length).toBeLessThan(100_000)
    expect(await message(bomb)).toContain('unpacks to far more')
    const sheets = '<sheet r:id="rId2"/>'.repeat(30)
    const parts = zip({
      ...WORKBOOK,
      'xl/workbook.xml': `<workbook><sheets>${sheets}</sheets></workbook>`,
      'xl/worksheets/sheet2.xml': new Uint8Array(2 * 1024 * 1024).fill(32),
    })
    expect(await message(parts)).toContain('unpacks to far more')
    expect(await message(zip(WORKBOOK, { flags: 1 }))).toContain('password')
    const whole = xlsx([
      ['Tracking', 'Montant'],
      ['A', 1],
    ])
    expect(await message(whole.slice(0, whole.length - 30))).toContain('broken')
    expect(await message(zip({ 'a.txt': 'hello' }))).toContain('no XLSX workbook')
    expect(
      await read(
        zip(
          {
            ...WORKBOOK,
            'xl/worksheets/sheet2.xml':
              '<row><c t="str"><v>Tracking</v></c><c t="str"><v>Net</v></c></row><row><c t="str"><v>A</v></c><c><v>1</v></c></row>',
          },
          { stored: true },
        ),
      ),
    ).toEqual([['A', null, null, null, 1]])
  })
  test('an archive whose sizes are written in 64 bits is read as any other', async () => {
    const rows = [
      ['Tracking', 'Montant'],
      ['YAL-1', 2500],
    ]
    const whole = xlsx(rows, {}, { zip64: true })
    expect(await read(whole)).toEqual([['YAL-1', null, 2500, null, null]])
    expect(await read(xlsx(rows, {}, { zip64: true, stored: true }))).toEqual([['YAL-1', null, 2500, null, null]])
    for (const end of [30, 60, 90, 120]) expect(await message(whole.slice(0, whole.length - end))).toContain('broken')
  })
  test('archives of other sheets are refused by their name', async () => {
    expect(await message(zip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<a/>' }))).toContain('(ODS)')
    expect(await message(zip({ 'xl/workbook.bin': 'x' }))).toContain('(XLSB)')
  })
  test('a number of more than fifteen digits has lost the last ones, and is no tracking number', async () => {
    const sheet = xlsx([
      ['Tracking', 'Montant'],
      [123_456_789_012_345, 5],
      [1_234_567_890_123_456, 5],
    ])
    expect(await refusal(sheet)).toEqual(['sheet_unreadable', expect.stringMatching(/^\/file\/rows\/3 .* has rounded/)])
  })
  test('cells that share one huge text are refused in little memory', byTheClock, async () => {
    const bomb = (length: number, rows: number) => {
      const cells = '<c t="s"><v>0</v></c>'.repeat(200)
      return zip({
        ...WORKBOOK,
        'xl/worksheets/sheet2.xml': `<worksheet><sheetData>${`<row>${cells}</row>`.repeat(rows)}</sheetData></worksheet>`,
        'xl/sharedStrings.xml': `<sst><si><t>${'É '.repeat(length / 2)}</t></si></sst>`,
      })
    }
    const [huge, many] = [bomb(600_000, 1), bomb(30_000, 1_000)]
    expect(huge.length).toBeLessThan(6_000)
    const before = process.memoryUsage().rss
    expect(await message(huge)).toContain('has more than 32767 characters')
    expect(await message(many)).toContain('too much text')
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
  })
  test('whatever bytes come, they are read or refused in our words', async () => {
    const whole = xlsx([
      ['Tracking', 'Montant'],
      ['A', 1],
      ['B', 2],
    ])
    const damaged = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }).map((changes) => {
      const copy = whole.slice()
      for (const [at, byte] of changes) copy[at] = byte
      return copy
    })
    const anything = fc.oneof(damaged, fc.uint8Array({ maxLength: 200 }), anyText(200).map(bytes))
    const property = fc.asyncProperty(anything, async (content) => {
      const outcome = await read(content).catch((error) => error)
      if (!Array.isArray(outcome) && !(outcome instanceof DomainError)) throw outcome
    })
    await fc.assert(property, { seed: 20_261_121, numRuns: 1_500 })
  }, 120_000)
})

describe('beside the event loop', () => {
  const most = 20_000
  const headings = ['Tracking', 'Montant', 'Frais', ...Array.from({ length: 12 }, (_, at) => `Note ${at}`)]
  const long = Array.from({ length: most }, (_, at) => [`YAL-${at}`, 2500.5, 400, ...headings.slice(3)])
  const csv = (rows: readonly (readonly (string | number)[])[]) => bytes(rows.map((row) => row.join(';')).join('\n'))
  /** Twenty megabytes in as many cells as can be, in each of the four ways. */
  const slow = bytes(`${'a;b,c|d\te'.repeat(7_000)}\n`.repeat(320))
  const small = bytes('Tracking;Montant\nYAL-1;5\n')
  const outcome = (reading: Promise<unknown>) =>
    reading.catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error
      const { code, message, issues, retryAfterSeconds } = error
      return { code, message, issues, retryAfterSeconds }
    })

  /** As a form with the sheet in it. */
  async function form(content: Uint8Array, { given, ...options }: SheetOptions): Promise<SheetJob> {
    const data = new FormData()
    data.append('file', new File([content as Uint8Array<ArrayBuffer>], 'sheet'))
    if (given) data.append('columns', JSON.stringify(given))
    const sent = new Response(data)
    return { type: sent.headers.get('content-type')!, bytes: new Uint8Array(await sent.arrayBuffer()), options }
  }
  const reading = (terms?: Parameters<typeof sheetReader>[0]) => {
    const { read } = sheetReader(terms)
    return async (content: Uint8Array, options: SheetOptions) => (await read(await form(content, options))).sheet
  }

  const Plain = globalThis.Worker
  const alive = new Set<Worker>()
  beforeAll(() => {
    globalThis.Worker = class extends Plain {
      constructor(...given: ConstructorParameters<typeof Plain>) {
        super(...given)
        alive.add(this)
        this.addEventListener('close', () => alive.delete(this))
      }
    }
  })
  afterAll(() => {
    globalThis.Worker = Plain
  })
  const comesTrue = (is: () => boolean) => until(is, 5_000)

  test('sheets and refusals come out as they do here, and no worker is kept', async () => {
    const read = reading()
    const said = { given: { tracking: 'A', net: 'B' } }
    const cases: readonly (readonly [Uint8Array, Partial<SheetOptions>?])[] = [
      [small],
      [bytes('A;B;Montant\nYAL-1;300;2800\n'), said],
      [bytes('A;B;Montant\nYAL-1;300;2800\n')],
      [bytes('Tracking;Montant\nA-1;12 34\nA-2;\n;55\nA-3;1\n a-3;1\n')],
      [bytes('Tracking;Montant\n"A;1\n')],
      [Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1])],
      [zip(WORKBOOK, { flags: 1 })],
      [csv([headings, ...long.slice(0, 500)])],
    ]
    for (const [content, given] of cases) {
      const options = { currency: 'DZD', ...given }
      expect(await outcome(read(content, options))).toEqual((await outcome(readSheet(content, options))) as object)
    }
    await comesTrue(() => alive.size === 0)
  })

  test('a file that takes too long is refused; the one behind it has another worker', async () => {
    const read = reading({ jobMs: 1_000 })
    const [refused, taken] = await Promise.all([outcome(read(slow, { currency: 'DZD' })), read(small, { currency: 'DZD' })])
    expect(refused).toMatchObject({ code: 'sheet_unreadable', message: expect.stringMatching(/takes too long.+as CSV, or split/) })
    expect(taken.lines).toHaveLength(1)
    await comesTrue(() => alive.size === 0)
  })

  test('as many sheets may wait as are granted, and one more is told to come again', async () => {
    const read = reading({ jobsMax: 2 })
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => outcome(read(small, { currency: 'DZD' }))))
    expect([first, second]).toEqual(Array(2).fill(await readSheet(small, { currency: 'DZD' })))
    expect(third).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
    expect(await read(small, { currency: 'DZD' })).toEqual(first as never)
  })

  describe('a server', () => {
    let running: RunningServer
    let stopped: Promise<void> | undefined
    const stop = () => {
      stopped ??= running.stop()
      return stopped
    }
    let upload: (content: Uint8Array) => Promise<Response>
    beforeAll(async () => {
      const config = readConfig({ PORT: '0', DATA_DIR: await scratchFolder(), LOG_LEVEL: 'fatal', ...redisOfItsOwn() })
      running = await serve(config, { socket: true, connection: await freshDatabase() })
      const { origin } = running.listening!.url
      const { ok, open } = storefront(origin)
      const { as, storeId } = await open()
      const carrier = `/v1/stores/${storeId}/integrations/sandbox`
      await ok('PUT', carrier, as, { enabled: true, credentials: { webhookSecret: 'a secret' }, settings: {} })
      upload = (content) => {
        const body = new FormData()
        body.append('file', new File([content as Uint8Array<ArrayBuffer>], 'payout'))
        return fetch(`${origin}${carrier}/encaissements/import`, { method: 'POST', headers: { authorization: `Bearer ${as}` }, body })
      }
    })
    afterAll(() => stop())

    test.each([
      ['CSV', csv, most],
      // Read within a second on a quiet machine: a sheet may take ten.
      ['XLSX', xlsx, 5_000],
    ] as const)('answers others while it reads a large %s', byTheClock, async (_, write, count) => {
      const sheet = write([headings, ...long.slice(0, count), ['YAL-5', 1, 1]])
      let reading = true
      const began = performance.now()
      // Its last row is one too many, so that it is read whole and nothing is stored.
      const uploaded = upload(sheet).finally(() => {
        reading = false
      })
      const waits: number[] = []
      while (reading) {
        const asked = performance.now()
        expect((await fetch(`${running.listening!.url.origin}/health/check`)).status).toBe(200)
        waits.push(performance.now() - asked)
        await Bun.sleep(5)
      }
      const took = performance.now() - began
      expect(await (await uploaded).json()).toMatchObject({ error: { details: [{ path: `/file/rows/${count + 2}` }] } })
      expect(waits.length).toBeGreaterThan(10)
      // About 50 ms on a quiet machine. Read on the event loop, one of them waits for most of the time that the sheet takes.
      expect(Math.max(...waits)).toBeLessThan(Math.max(300, took / 3))
    })

    test('that stops finishes the sheet that it reads, and leaves no worker', async () => {
      await comesTrue(() => alive.size === 0)
      const uploaded = upload(csv([headings, ...long]))
      await comesTrue(() => alive.size === 1)
      await stop()
      expect((await uploaded).status).toBe(201)
      await comesTrue(() => alive.size === 0)
    })
  })
})

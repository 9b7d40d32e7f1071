import { expect, test } from 'bun:test'
import { decodePDFRawStream, PDFArray, PDFDocument, type PDFPage, PDFRawStream } from 'pdf-lib'
import { barcodeOf, qrCodeOf } from '../../core/labels/bars.ts'
import { bind } from '../../core/labels/bind.ts'
import { fit, LINE_HEIGHT } from '../../core/labels/fit.ts'
import { fontOf } from '../../core/labels/fonts.ts'
import { type LabelContents, sizes } from '../../core/labels/label.model.ts'
import { drawLabels } from '../../core/labels/layout.ts'
import { subset } from '../../core/labels/subset.ts'
import { printable, typeset, widthOf } from '../../core/labels/typeset.ts'

const label: LabelContents = {
  carrier: 'Atlas Express',
  tracking: 'ATL-123456',
  store: { name: 'Boutique Amina', phone: '0550 12 34 56' },
  recipient: { name: 'محمّد الأمين', phones: ['0661 22 33 44'] },
  address: 'حي 5 جويلية، عمارة 12 (مدخل B)',
  city: 'Bab Ezzouar',
  state: { code: '16', name: 'Alger' },
  delivery: { type: 'pickup', center: 'Agence Est' },
  cod: { amount: 6500, currency: 'DZD' },
  weightKg: 1.2,
  contents: 'Basket x1',
  reference: 'REF-1',
  notes: 'Appeler avant 17h',
  date: '2026-11-21T10:00:00.000Z',
  fragile: true,
}

const shaper = fontOf('regular').shaper
const line = (text: string, direction: 'ltr' | 'rtl' = 'rtl') => typeset(text, 'regular', direction).flatMap(({ glyphs }) => glyphs)
const ids = (text: string, direction?: 'ltr' | 'rtl') => line(text, direction).map(({ id }) => id)
/** What is read from left to right. */
const seen = (text: string, direction?: 'ltr' | 'rtl') =>
  line(text, direction)
    .map((glyph) => glyph.text)
    .join('')

function drawn(page: PDFPage): string {
  const contents = page.node.Contents()
  const streams = contents instanceof PDFArray ? contents.asArray().map((ref) => page.doc.context.lookup(ref)) : [contents]
  return streams
    .map((stream) => (stream instanceof PDFRawStream ? new TextDecoder('latin1').decode(decodePDFRawStream(stream).decode()) : ''))
    .join('\n')
}

/** The glyphs of each text that was written, by its place in the page. */
const writtenOn = (page: PDFPage) =>
  drawn(page)
    .split('BT')
    .slice(1)
    .map((part) => [...part.matchAll(/<([0-9A-F]{4})>/g)].map(([, code]) => Number.parseInt(code!, 16)))

const glyphsOf = (text: string, weight: 'regular' | 'bold', direction: 'ltr' | 'rtl' = 'ltr') =>
  typeset(text, weight, direction).flatMap(({ glyphs }) => glyphs.map(({ id }) => id))

test('a letter is shaped by where it stands in its word', () => {
  const isolated = ids('س')[0]!
  const word = ids('سسس')
  expect(new Set([isolated, ...word]).size).toBeGreaterThan(2)
  expect(word).not.toContain(isolated)
})

test('lam and alef join, and diacritics stand on their letters without width', () => {
  const joined = line('لا')
  expect(joined.map(({ text }) => text).join('')).toHaveLength(2)
  expect(ids('لا')).not.toEqual([...ids('ا'), ...ids('ل')])
  const marked = line('مُ')
  expect(marked.map(({ xAdvance }) => xAdvance > 0)).toEqual([false, true])
  expect(marked[0]!.xOffset !== 0 || marked[0]!.yOffset !== 0).toBe(true)
})

test('a line of two scripts is ordered as it is read', () => {
  expect(seen('باب 12')).toBe('12 باب'.replace('باب', [...'باب'].reverse().join('')))
  expect(seen('رقم ٤٥٦')).toStartWith('٤٥٦ ')
  expect(seen('Rue باب 4', 'ltr')).toBe(`Rue 4 ${[...'باب'].reverse().join('')}`)
  // Brackets open towards the text that they hold.
  expect(seen('(باب)')).toBe(`(${[...'باب'].reverse().join('')})`)
  expect(seen('باب (B)')).toStartWith('(B) ')
})

test('what cannot be printed neither crashes nor turns the line around', () => {
  expect(printable('a\u202eb\u0000c\n d')).toBe('abc d')
  expect(printable('Amina 😀👩‍👩‍👧 ok')).toBe('Amina ? ok')
  expect(printable('x\ud800y')).toBe('x?y')
  expect(printable('𝓐mina №5')).toBe('Amina No5')
  // Letters typed in the shape that they have in a word are shaped anew.
  expect(printable('ﻣﺤﻤﺪ')).toBe('محمد')
  expect(ids(printable('ﻣﺤﻤﺪ'))).toEqual(ids('محمد'))
})

test('a long text wraps, then shrinks, then is cut', () => {
  const room = { weight: 'regular', width: 200, height: 40, size: 12, least: 7 } as const
  expect(fit('Cité 5 Juillet', room)).toMatchObject({ lines: ['Cité 5 Juillet'], size: 12 })
  const wrapped = fit('Cité 5 Juillet, bâtiment 12, escalier C, porte 4', room)
  expect(wrapped.size).toBe(12)
  expect(wrapped.lines.join(' ')).toBe('Cité 5 Juillet, bâtiment 12, escalier C, porte 4')
  const shrunk = fit('Cité des 1200 logements, bâtiment 12, escalier C, porte 4, en face de la pharmacie', room)
  expect(shrunk.size).toBeLessThan(12)
  expect(shrunk.lines.at(-1)).not.toEndWith('…')
  for (const text of ['Cité des mille logements '.repeat(40), 'x'.repeat(2000), 'حي الألف مسكن '.repeat(60)]) {
    const { lines, size } = fit(text, room)
    expect([size, lines.at(-1)!.endsWith('…')]).toEqual([7, true])
    expect(lines.length * size * LINE_HEIGHT).toBeLessThanOrEqual(40)
    for (const part of lines) expect(widthOf(part, 'regular') * size).toBeLessThanOrEqual(200.01)
  }
  expect(fit('', room).lines).toEqual([''])
})

test('a label says all that the courier needs, on one A6 page', async () => {
  const pdf = await PDFDocument.load(await drawLabels([label]))
  expect(pdf.getPageCount()).toBe(1)
  expect(pdf.getPage(0).getSize()).toEqual({ width: sizes.a6[0], height: sizes.a6[1] })
  const written = writtenOn(pdf.getPage(0))
  const bold = [
    'Atlas Express',
    'Boutique Amina',
    'ATL-123456',
    '0661 22 33 44',
    'Bab Ezzouar',
    '16',
    'Alger',
    '6 500 DA',
    '1,2 kg',
    'FRAGILE',
  ]
  for (const text of [...bold, 'STOP DESK · Agence Est', 'MONTANT À ENCAISSER', 'Appeler avant 17h'])
    expect(written).toContainEqual(glyphsOf(text, 'bold'))
  for (const text of ['0550 12 34 56', 'Basket x1', 'Réf. REF-1', '21/11/2026']) expect(written).toContainEqual(glyphsOf(text, 'regular'))
  expect(written).toContainEqual(glyphsOf('محمّد الأمين', 'bold', 'rtl'))
  expect(written.flat()).not.toContain(0)
})

test('nothing to collect, no weight, and a delivery at home are said too', async () => {
  const paid = {
    ...label,
    cod: { amount: 0, currency: 'TND' },
    weightKg: 0,
    delivery: { type: 'home', center: null },
    fragile: false,
  } as const
  const pdf = await PDFDocument.load(await drawLabels([paid]))
  const written = writtenOn(pdf.getPage(0))
  for (const text of ['PAYÉ · 0 TND', 'RIEN À ENCAISSER', 'À DOMICILE']) expect(written).toContainEqual(glyphsOf(text, 'bold'))
  expect(written).not.toContainEqual(glyphsOf('FRAGILE', 'bold'))
  expect(written).not.toContainEqual(glyphsOf('0 kg', 'bold'))
})

test('the same labels give the same bytes', async () => {
  const [one, two] = [await drawLabels([label, label]), await drawLabels([label, label])]
  expect(Buffer.compare(one, two)).toBe(0)
  expect(Buffer.compare(one, await drawLabels([label, { ...label, notes: '' }]))).not.toBe(0)
})

test('the barcode is Code 128 of the tracking number, as wide as its parts say', () => {
  const bars = barcodeOf('ATL-123456')!
  // Start, "ATL-", a change to digits, three pairs, check: eleven modules each; stop: thirteen.
  expect(bars.width).toBe((1 + 4 + 1 + 3 + 1) * 11 + 13)
  expect(bars.dark.every(({ width }) => width >= 1 && width <= 4)).toBe(true)
  expect(barcodeOf('تتبع')).toBeNull()
})

test('a tracking number that is too long for a scanner, or not Latin, has its QR code alone', async () => {
  const areas = async (tracking: string) =>
    drawn((await PDFDocument.load(await drawLabels([{ ...label, tracking }]))).getPage(0)).match(/ re\b/g)!.length
  const withBars = await areas('ATL-123456')
  expect(withBars).toBeGreaterThan(barcodeOf('ATL-123456')!.dark.length + qrCodeOf('ATL-123456').dark.length)
  for (const tracking of ['x'.repeat(120), 'تتبع-٤٥٦']) expect(await areas(tracking)).toBeLessThan(qrCodeOf(tracking).dark.length + 10)
})

test('a font holds the outlines that are used and no others', () => {
  const { bytes } = fontOf('regular')
  const small = subset(bytes, ids('Bab Ezzouar', 'ltr'))
  expect(small.length).toBeLessThan(bytes.length / 3)
  expect(subset(bytes, ids('é', 'ltr')).length).toBeGreaterThan(subset(bytes, []).length)
  expect(shaper.hasGlyphForCodePoint(0x628)).toBe(true)
})

async function sheetOf(width: number, height: number, pages = 1) {
  const pdf = await PDFDocument.create()
  for (let page = 0; page < pages; page += 1) pdf.addPage([width, height]).drawText(`page ${page}`, { x: 10, y: 10 })
  return pdf.save()
}

test('files of several become one; on A4 four labels stand on a sheet, and a larger page keeps its own', async () => {
  const small = await sheetOf(283.5, 425.2)
  const large = await sheetOf(595.28, 841.89)
  const whole = await bind([small, large, small], 'a6')
  const pages = (await PDFDocument.load((whole as { pdf: Uint8Array }).pdf)).getPages()
  expect(pages.map((page) => Math.round(page.getWidth()))).toEqual([284, 595, 284])
  const five = await drawLabels(Array.from({ length: 5 }, () => label))
  const four = await bind([five, large, small], 'a4')
  // Their fonts are there once.
  expect((four as { pdf: Uint8Array }).pdf.length).toBeLessThan(five.length * 1.7)
  const sheets = (await PDFDocument.load((four as { pdf: Uint8Array }).pdf)).getPages()
  expect(sheets.map((page) => [Math.round(page.getWidth()), Math.round(page.getHeight())])).toEqual(Array(3).fill([595, 842]))
  const placed = sheets.map((page) => drawn(page).match(/ Do\b/g)?.length ?? 0)
  expect(placed).toEqual([4, 2, 0])
})

test('a file that cannot be read is named by its place', async () => {
  const good = await sheetOf(200, 300)
  const broken = new TextEncoder().encode('%PDF-1.4\nthis is no file')
  expect(await bind([good, broken, good.slice(0, 300), good], 'a6')).toEqual({ broken: [1, 2] })
  expect(await bind([broken], 'a4')).toEqual({ broken: [0] })
})

import { expect, test } from 'bun:test'
import { decodePDFRawStream, PDFArray, PDFDict, PDFDocument, PDFName, type PDFObject, type PDFPage, PDFRawStream } from '@pdfme/pdf-lib'
import { type LabelContents, paperSizes } from '../../../core/logistics/labels/label.model.ts'
import { barcodeOf, qrCodeOf } from '../../../core/logistics/labels/rendering/barcodes.ts'
import { bindPdfs } from '../../../core/logistics/labels/rendering/bind-pdfs.ts'
import { fitText, LINE_HEIGHT } from '../../../core/logistics/labels/rendering/fit-text.ts'
import { loadFont } from '../../../core/logistics/labels/rendering/fonts.ts'
import { drawLabels } from '../../../core/logistics/labels/rendering/layout.ts'
import { subsetFont } from '../../../core/logistics/labels/rendering/subset.ts'
import { toPrintable, typeset, widthOf } from '../../../core/logistics/labels/rendering/typeset.ts'
import { algeria } from '../../../core/platform/geo/countries/dz/catalogue.ts'

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
  date: '21/11/2026',
  fragile: true,
}

const shaper = loadFont('regular').shaper
const line = (text: string, direction: 'ltr' | 'rtl' = 'rtl') => typeset(text, 'regular', direction).flatMap(({ glyphs }) => glyphs)
const ids = (text: string, direction?: 'ltr' | 'rtl') => line(text, direction).map(({ id }) => id)
/** What is read from left to right. */
const seen = (text: string, direction?: 'ltr' | 'rtl') =>
  line(text, direction)
    .map((glyph) => glyph.text)
    .join('')

const read = (stream: PDFObject | undefined) =>
  stream instanceof PDFRawStream ? new TextDecoder('latin1').decode(decodePDFRawStream(stream).decode()) : ''

function drawn(page: PDFPage): string {
  const contents = page.node.Contents()
  const streams = contents instanceof PDFArray ? contents.asArray().map((ref) => page.doc.context.lookup(ref)) : [contents]
  return streams.map(read).join('\n')
}

/** What the numbers of glyphs mean, as readers of PDF are told, by the name of their font in the page. */
function meaningsOn(page: PDFPage) {
  const fonts = page.node.Resources()!.lookup(PDFName.of('Font'), PDFDict)
  return new Map(
    fonts.keys().map((name) => {
      const table = read(fonts.lookup(name, PDFDict).lookup(PDFName.of('ToUnicode')))
      const rows = [...table.matchAll(/^<([0-9A-F]{4})> <([0-9A-F]+)>$/gm)]
      const meaning = (code: string) => String.fromCharCode(...code.match(/.{4}/g)!.map((unit) => Number.parseInt(unit, 16)))
      return [name.asString(), new Map(rows.map(([, number, code]) => [number!, meaning(code!)]))] as const
    }),
  )
}

/** Each text that was written, from left to right, as it is copied out of the page. */
function writtenOn(page: PDFPage): string[] {
  const meanings = meaningsOn(page)
  return drawn(page)
    .split('BT')
    .slice(1)
    .map((part) => {
      const table = meanings.get(/(\/\S+) \S+ Tf/.exec(part)![1]!)!
      return [...part.matchAll(/<([0-9A-F]{4})>/g)].map(([, number]) => table.get(number!) ?? '').join('')
    })
}

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

test('a phone number among Arabic letters keeps its order, and its line', () => {
  for (const number of ['0661 22 33 44', '+213 770-11-22-33', '٠٦٦١ ٢٢ ٣٣ ٤٤']) {
    expect(seen(toPrintable(`اتصل على ${number} (مساء)`))).toContain(number)
    const room = { weight: 'regular', width: 100, height: 40, size: 12, least: 7 } as const
    const { lines } = fitText(`اتصل بالزبون على ${number}`, room)
    expect(lines.some((part) => seen(part).includes(number))).toBe(true)
  }
  // Another number is read from the right, as the algorithm has it.
  expect(seen('رقم 5-12')).toStartWith('12-5')
})

test('letters that share a shape are copied as what they are', async () => {
  const [name, address, notes] = ['متجر الجزائرية النسائية', 'ثم بجانب مدرسة ديدوش', 'بيت تبن يثبت'] as const
  const pdf = await PDFDocument.load(await drawLabels([{ ...label, recipient: { name, phones: [] }, address, notes }]))
  for (const text of [name, address, notes]) expect(writtenOn(pdf.getPage(0))).toContain([...text].reverse().join(''))
})

test('a word is written smaller rather than broken', () => {
  const room = { weight: 'bold', width: 58, height: 26, size: 10, least: 6 } as const
  for (const { name } of algeria.states) expect(fitText(name, room).lines.join(' ')).toBe(name)
  expect(fitText('Constantine', room).lines).toEqual(['Constantine'])
})

test('labels: unprintable characters neither crash nor reverse the line', () => {
  expect(toPrintable('a\u202eb\u0000c\n d')).toBe('abc d')
  expect(toPrintable('Amina 😀👩‍👩‍👧 ok')).toBe('Amina ? ok')
  expect(toPrintable('x\ud800y')).toBe('x?y')
  expect(toPrintable('𝓐mina №5')).toBe('Amina No5')
  // Letters typed in the shape that they have in a word are shaped anew.
  expect(toPrintable('ﻣﺤﻤﺪ')).toBe('محمد')
  expect(ids(toPrintable('ﻣﺤﻤﺪ'))).toEqual(ids('محمد'))
})

test('a long text wraps, then shrinks, then is cut', () => {
  const room = { weight: 'regular', width: 200, height: 40, size: 12, least: 7 } as const
  expect(fitText('Cité 5 Juillet', room)).toMatchObject({ lines: ['Cité 5 Juillet'], size: 12 })
  const wrapped = fitText('Cité 5 Juillet, bâtiment 12, escalier C, porte 4', room)
  expect(wrapped.size).toBe(12)
  expect(wrapped.lines.join(' ')).toBe('Cité 5 Juillet, bâtiment 12, escalier C, porte 4')
  const shrunk = fitText('Cité des 1200 logements, bâtiment 12, escalier C, porte 4, en face de la pharmacie', room)
  expect(shrunk.size).toBeLessThan(12)
  expect(shrunk.lines.at(-1)).not.toEndWith('…')
  for (const text of ['Cité des mille logements '.repeat(40), 'x'.repeat(2000), 'حي الألف مسكن '.repeat(60), 'بيتتنشجحخ'.repeat(200)]) {
    const { lines, size } = fitText(text, room)
    expect([size, lines.at(-1)!.endsWith('…')]).toEqual([7, true])
    expect(lines.length * size * LINE_HEIGHT).toBeLessThanOrEqual(40)
    for (const part of lines) expect(widthOf(part, 'regular') * size).toBeLessThanOrEqual(200.01)
  }
  expect(fitText('', room).lines).toEqual([''])
})

test('a label says all that the courier needs, on one A6 page', async () => {
  const pdf = await PDFDocument.load(await drawLabels([label]))
  expect(pdf.getPageCount()).toBe(1)
  expect(pdf.getPage(0).getSize()).toEqual({ width: paperSizes.a6[0], height: paperSizes.a6[1] })
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
  const regular = ['0550 12 34 56', 'Basket x1', 'Réf. REF-1', '21/11/2026', seen('محمّد الأمين')]
  for (const text of [...bold, ...regular, 'STOP DESK · Agence Est', 'MONTANT À ENCAISSER', 'Appeler avant 17h'])
    expect(written).toContain(text)
})

test('labels: a zero amount, a missing weight and a delivery at home are printed too', async () => {
  const paid = {
    ...label,
    cod: { amount: 0, currency: 'TND' },
    weightKg: 0,
    delivery: { type: 'home', center: null },
    fragile: false,
  } as const
  const pdf = await PDFDocument.load(await drawLabels([paid]))
  const written = writtenOn(pdf.getPage(0))
  for (const text of ['PAYÉ · 0 TND', 'RIEN À ENCAISSER', 'À DOMICILE']) expect(written).toContain(text)
  for (const text of ['FRAGILE', '0 kg']) expect(written).not.toContain(text)
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
  const { bytes } = loadFont('regular')
  const small = subsetFont(bytes, ids('Bab Ezzouar', 'ltr'))
  expect(small.length).toBeLessThan(bytes.length / 3)
  expect(subsetFont(bytes, ids('é', 'ltr')).length).toBeGreaterThan(subsetFont(bytes, []).length)
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
  const whole = await bindPdfs([small, large, small], 'a6')
  const pages = (await PDFDocument.load((whole as { pdf: Uint8Array }).pdf)).getPages()
  expect(pages.map((page) => Math.round(page.getWidth()))).toEqual([284, 595, 284])
  const five = await drawLabels(Array.from({ length: 5 }, () => label))
  const four = await bindPdfs([five, large, small], 'a4')
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
  expect(await bindPdfs([good, broken, good.slice(0, 300), good], 'a6')).toEqual({ broken: [1, 2] })
  expect(await bindPdfs([broken], 'a4')).toEqual({ broken: [0] })
})

import { PDFDocument } from '@pdfme/pdf-lib'
import type { Language } from '../../../../http/pages/language.ts'
import { paperSizes } from '../../../../logistics/labels/label.model.ts'
import { createDocumentFonts } from '../../../../logistics/labels/rendering/document-fonts.ts'
import { createPen, type Pen, type TextStyle } from '../../../../logistics/labels/rendering/pen.ts'
import { documentWords } from './document-words.ts'

/** Contents of the document of a manifest. Plain data, so that a worker can draw it. */
export interface ManifestContents {
  readonly language: Language
  readonly id: string
  readonly isDraft: boolean
  readonly carrier: string
  readonly store: string
  /** Day as formatted in the time zone of the store. */
  readonly date: string
  readonly currency: string
  readonly codTotal: number
  readonly rows: readonly {
    readonly trackingId: string
    readonly recipientName: string
    readonly cityName: string
    readonly codAmount: number
  }[]
}

const [WIDTH, HEIGHT] = paperSizes.a4
const MARGIN = 36
const INNER = WIDTH - 2 * MARGIN
const ROW = 20
/** Top of the table on the first page and on the others. */
const [FIRST_TOP, NEXT_TOP] = [142, MARGIN]
const TABLE_END = HEIGHT - MARGIN - 24
/** Height of the totals and the two signatures. */
const CLOSING = 150
const money = new Intl.NumberFormat('fr-FR', { minimumFractionDigits: 2, maximumFractionDigits: 2, trailingZeroDisplay: 'stripIfInteger' })

/** Draws a manifest on A4 pages, from right to left in Arabic. Equal manifests produce equal bytes. */
export async function drawManifest(contents: ManifestContents): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false })
  pdf.setProducer('Serai')
  const { inks, embed } = createDocumentFonts(pdf)
  const pages = pagesOf(contents.rows)
  for (const [at, page] of pages.entries()) {
    const sheet = sheetOf(createPen(pdf.addPage([WIDTH, HEIGHT]), inks), contents.language)
    if (at === 0) drawHead(sheet, contents)
    const end = drawTable(sheet, contents, page, at === 0 ? FIRST_TOP : NEXT_TOP)
    if (at === pages.length - 1) drawClosing(sheet, contents, end)
    drawFoot(sheet, contents, `${at + 1} / ${pages.length}`)
  }
  embed()
  return pdf.save()
}

interface Page {
  /** Index of the first row of the page. */
  readonly from: number
  readonly rows: ManifestContents['rows']
}

/** Splits rows into pages. The last page has room for the totals and signatures. */
function pagesOf(rows: ManifestContents['rows']): readonly Page[] {
  const pages: Page[] = []
  const roomOf = (top: number, below: number) => Math.floor((TABLE_END - below - top - ROW) / ROW)
  for (let from = 0; ; ) {
    const top = from === 0 ? FIRST_TOP : NEXT_TOP
    const left = rows.length - from
    if (left <= roomOf(top, CLOSING)) return [...pages, { from, rows: rows.slice(from) }]
    const taken = Math.min(left, roomOf(top, 0))
    pages.push({ from, rows: rows.slice(from, from + taken) })
    from += taken
  }
}

/** Page that is written from the side where its language begins. */
interface Sheet {
  /** Writes a text `start` points after the side where lines begin. */
  write(start: number, top: number, width: number, text: string, style?: Partial<TextStyle> & { readonly atEnd?: boolean }): void
  rule(top: number, start?: number, width?: number): void
}

function sheetOf(pen: Pen, language: Language): Sheet {
  const isRtl = language === 'ar'
  const leftOf = (start: number, width: number) => MARGIN + (isRtl ? INNER - start - width : start)
  return {
    write(start, top, width, text, { atEnd = false, ...style } = {}) {
      const align = atEnd === isRtl ? 'left' : 'right'
      pen.write({ x: leftOf(start, width), top, width }, text, { size: 9.5, least: 6, align, ...style })
    },
    rule: (top, start = 0, width = INNER) => pen.area(leftOf(start, width), top, width, 0.6),
  }
}

function drawHead(sheet: Sheet, { language, id, isDraft, carrier, store, date, rows }: ManifestContents) {
  const words = documentWords[language]
  sheet.write(0, MARGIN - 4, INNER / 2, words.title, { size: 18, least: 12, weight: 'bold' })
  if (isDraft) sheet.write(INNER / 2, MARGIN, INNER / 2, words.draft, { size: 11, weight: 'bold', atEnd: true })
  const facts = [
    [words.carrier, carrier, words.date, date],
    [words.store, store, words.parcels, String(rows.length)],
  ] as const
  for (const [at, [first, firstValue, second, secondValue]] of facts.entries()) {
    const top = MARGIN + 34 + at * 18
    sheet.write(0, top, 90, first)
    sheet.write(94, top, 220, firstValue, { weight: 'bold' })
    sheet.write(322, top, 80, second)
    sheet.write(406, top, INNER - 406, secondValue, { weight: 'bold' })
  }
  sheet.write(0, MARGIN + 70, 90, words.number)
  sheet.write(94, MARGIN + 70, INNER - 94, id, { size: 8.5 })
}

/** Columns of the table: number, tracking number, recipient, commune, amount. Start and width of each, in points. */
const columns = { number: [0, 26], tracking: [30, 140], recipient: [176, 160], city: [342, 100], amount: [446, INNER - 446] } as const

function drawTable(sheet: Sheet, { language, currency }: ManifestContents, { from, rows }: Page, top: number): number {
  const words = documentWords[language]
  const cell = ([start, width]: readonly [number, number], at: number, text: string, style?: Parameters<Sheet['write']>[4]) =>
    sheet.write(start, at + 3, width, text, style)
  const heading = { weight: 'bold' } as const
  cell(columns.tracking, top, words.tracking, heading)
  cell(columns.recipient, top, words.recipient, heading)
  cell(columns.city, top, words.city, heading)
  cell(columns.amount, top, `${words.collects} (${currency})`, { ...heading, atEnd: true })
  sheet.rule(top + ROW - 1)
  for (const [at, row] of rows.entries()) {
    const line = top + (at + 1) * ROW
    cell(columns.number, line, String(from + at + 1), { size: 8 })
    cell(columns.tracking, line, row.trackingId, { weight: 'bold' })
    cell(columns.recipient, line, row.recipientName)
    cell(columns.city, line, row.cityName)
    cell(columns.amount, line, money.format(row.codAmount), { atEnd: true })
    sheet.rule(line + ROW - 1)
  }
  return top + (rows.length + 1) * ROW
}

function drawClosing(sheet: Sheet, { language, codTotal, currency }: ManifestContents, top: number) {
  const words = documentWords[language]
  sheet.write(columns.recipient[0], top + 8, 260, words.total, { size: 11, weight: 'bold' })
  sheet.write(columns.city[0], top + 8, INNER - columns.city[0], `${money.format(codTotal)} ${currency}`, {
    size: 12,
    weight: 'bold',
    atEnd: true,
  })
  const half = (INNER - 30) / 2
  for (const [start, text] of [
    [0, words.signStore],
    [half + 30, words.signCarrier],
  ] as const) {
    sheet.write(start, top + 44, half, text)
    sheet.rule(top + 132, start, half)
  }
}

function drawFoot(sheet: Sheet, { language, id }: ManifestContents, page: string) {
  const top = HEIGHT - MARGIN - 10
  sheet.write(0, top, 200, `${documentWords[language].page} ${page}`, { size: 8 })
  sheet.write(INNER - 260, top, 260, id, { size: 8, atEnd: true })
}

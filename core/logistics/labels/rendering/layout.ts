import { PDFDocument } from '@pdfme/pdf-lib'
import { type LabelContents, paperSizes } from '../label.model.ts'
import { barcodeOf, qrCodeOf, type SymbolPattern } from './barcodes.ts'
import { createDocumentFonts } from './document-fonts.ts'
import { createPen, type Pen } from './pen.ts'

const [WIDTH, HEIGHT] = paperSizes.a6
const MARGIN = 11
const INNER = WIDTH - 2 * MARGIN
const RIGHT = WIDTH - MARGIN
const GAP = 8
/** Least module width in points. Label printers have dots of a third of a point, and a bar needs two. */
const MODULE_LEAST = 0.7
/** Quiet zone on each side of a barcode, in modules. */
const QUIET = 10

const deliveries = { home: 'À DOMICILE', pickup: 'STOP DESK', return_point: 'POINT RETOUR' } as const
const symbols: Readonly<Record<string, string>> = { DZD: 'DA' }
const number = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 2 })
const money = new Intl.NumberFormat('fr-FR', { minimumFractionDigits: 2, maximumFractionDigits: 2, trailingZeroDisplay: 'stripIfInteger' })

/** Draws labels into one document, one A6 page each. Equal labels produce equal bytes. */
export async function drawLabels(labels: readonly LabelContents[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false })
  pdf.setProducer('Serai')
  const { inks, embed } = createDocumentFonts(pdf)
  for (const label of labels) drawLabel(createPen(pdf.addPage([WIDTH, HEIGHT]), inks), label)
  embed()
  return pdf.save()
}

function drawLabel(pen: Pen, label: LabelContents) {
  drawSender(pen, label, MARGIN)
  rule(pen, 42)
  drawTracking(pen, label, 49)
  rule(pen, 119)
  drawRecipient(pen, label, 123)
  drawDelivery(pen, label, 240)
  drawAmount(pen, label, 266)
  rule(pen, 312)
  drawRemarks(pen, label, 316)
}

const rule = (pen: Pen, top: number) => pen.area(MARGIN, top, INNER, 0.8)
const caption = (pen: Pen, x: number, top: number, text: string) =>
  pen.write({ x, top, width: INNER }, text, { size: 6.5, weight: 'bold', align: 'left' })

function drawSender(pen: Pen, { carrier, store }: LabelContents, top: number) {
  const width = (INNER - GAP) / 2
  pen.write({ x: MARGIN, top, width, height: 30 }, carrier, { size: 17, least: 9, weight: 'bold', align: 'left' })
  const box = { x: RIGHT - width, width }
  const next = pen.write({ ...box, top: top - 1, height: 18 }, store.name, { size: 10, least: 7, weight: 'bold', align: 'right' })
  if (store.phone) pen.write({ ...box, top: next }, store.phone, { size: 9, least: 7, align: 'right' })
}

/** Draws the barcode and the QR code. A number too long for a readable barcode gets only the QR code. */
function drawTracking(pen: Pen, { tracking }: LabelContents, top: number) {
  const side = 62
  const width = INNER - side - GAP
  const bars = barcodeOf(tracking)
  const module = bars ? Math.min(1.5, width / (bars.width + 2 * QUIET)) : 0
  const isSeen = bars !== null && module >= MODULE_LEAST
  if (isSeen) drawSymbol(pen, bars, { x: MARGIN + (width - bars.width * module) / 2, top, module, height: 46 })
  const room = { x: MARGIN, width, top: isSeen ? top + 47 : top + 6, height: isSeen ? 17 : 58 }
  pen.write(room, tracking, { size: isSeen ? 13 : 15, least: 6, weight: 'bold', align: 'center' })
  const code = qrCodeOf(tracking)
  drawSymbol(pen, code, { x: RIGHT - side, top: top + 1, module: side / code.width, height: side / code.height })
}

/** Draws a symbol. `height` is that of one module. */
function drawSymbol(
  pen: Pen,
  symbol: SymbolPattern,
  { x, top, module, height }: { x: number; top: number; module: number; height: number },
) {
  for (const part of symbol.dark) pen.area(x + part.x * module, top + part.y * height, part.width * module, part.height * height)
}

function drawRecipient(pen: Pen, { recipient, address, city, state }: LabelContents, top: number) {
  const side = 66
  const width = INNER - side - GAP
  const box = { x: MARGIN, width }
  let next = caption(pen, MARGIN, top, 'DESTINATAIRE')
  next = pen.write({ ...box, top: next, height: 28 }, recipient.name, { size: 15, least: 9, weight: 'bold' })
  next = pen.write({ ...box, top: next, height: 17 }, recipient.phones.join(' / '), { size: 13, least: 7, weight: 'bold', align: 'left' })
  if (address) next = pen.write({ ...box, top: next + 1, height: 40 }, address, { size: 11.5, least: 7.5 })
  pen.write({ ...box, top: next, height: 21 }, city, { size: 13, least: 8, weight: 'bold' })
  drawState(pen, state, { x: RIGHT - side, top: top + 3, width: side })
}

/** Draws the state in large type, because sorters read it first. */
function drawState(pen: Pen, { code, name }: LabelContents['state'], { x, top, width }: { x: number; top: number; width: number }) {
  const height = 74
  pen.area(x, top, width, height)
  pen.area(x + 1.5, top + 1.5, width - 3, height - 3, { white: true })
  const box = { x: x + 4, width: width - 8 }
  pen.write({ ...box, top: top + 1 }, code, { size: 38, least: 12, weight: 'bold', align: 'center' })
  pen.write({ ...box, top: top + 47, height: 26 }, name, { size: 10, least: 6, weight: 'bold', align: 'center' })
}

function drawDelivery(pen: Pen, { delivery: { type, center } }: LabelContents, top: number) {
  pen.area(MARGIN, top, INNER, 21)
  const text = center ? `${deliveries[type]} · ${center}` : deliveries[type]
  pen.write({ x: MARGIN + 5, top: top + 2, width: INNER - 10 }, text, { size: 13, least: 7, weight: 'bold', align: 'left', white: true })
}

function drawAmount(pen: Pen, { cod, weightKg, fragile }: LabelContents, top: number) {
  const side = 74
  const isPaid = cod.amount === 0
  const next = caption(pen, MARGIN, top, isPaid ? 'RIEN À ENCAISSER' : 'MONTANT À ENCAISSER')
  const amount = `${money.format(cod.amount)} ${symbols[cod.currency] ?? cod.currency}`
  pen.write({ x: MARGIN, top: next - 1.5, width: INNER - side - GAP }, isPaid ? `PAYÉ · ${amount}` : amount, {
    size: 27,
    least: 12,
    weight: 'bold',
    align: 'left',
  })
  const box = { x: RIGHT - side, width: side }
  if (weightKg > 0)
    pen.write({ ...box, top: top + 1 }, `${number.format(weightKg)} kg`, { size: 14, least: 9, weight: 'bold', align: 'right' })
  if (!fragile) return
  pen.area(box.x, top + 22, side, 18)
  pen.write({ ...box, top: top + 22.5 }, 'FRAGILE', { size: 12, weight: 'bold', align: 'center', white: true })
}

function drawRemarks(pen: Pen, { contents, notes, reference, date }: LabelContents, top: number) {
  const box = { x: MARGIN, width: INNER }
  let next = top
  if (contents) {
    next = caption(pen, MARGIN, next, 'CONTENU')
    next = pen.write({ ...box, top: next, height: 37 }, contents, { size: 9.5, least: 7 })
  }
  if (notes) {
    next = caption(pen, MARGIN, next + 1, 'REMARQUES')
    pen.write({ ...box, top: next, height: 29 }, notes, { size: 9.5, least: 7, weight: 'bold' })
  }
  const foot = HEIGHT - MARGIN - 9
  pen.write({ x: MARGIN, top: foot, width: INNER - 70 }, `Réf. ${reference}`, { size: 8, least: 6, align: 'left' })
  pen.write({ x: RIGHT - 64, top: foot, width: 64 }, date, { size: 8, align: 'right' })
}

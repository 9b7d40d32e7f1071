import { PDFDocument, type PDFEmbeddedPage, type PDFPage, rgb } from '@pdfme/pdf-lib'
import { type PaperSize, paperSizes } from '../label.model.ts'

/** Least scale at which a page shares an A4 sheet. Smaller, rotated or blank pages get a sheet of their own. */
const SCALE_LEAST = 0.9
const MARK = 12

/** Merged document, or the indexes of the files that cannot be read. */
export type BindResult = { readonly pdf: Uint8Array } | { readonly broken: readonly number[] }

/** Merges PDFs in order. On A4, pages of label size stand four to a sheet. */
export async function bindPdfs(files: readonly Uint8Array[], paper: PaperSize): Promise<BindResult> {
  const read = await Promise.all(files.map(openPdf))
  const broken = read.flatMap((file, at) => (file ? [] : [at]))
  if (broken.length > 0) return { broken }
  const bound = await PDFDocument.create({ updateMetadata: false })
  bound.setProducer('Serai')
  const place = paper === 'a4' ? sheetPlacer(bound) : pagePlacer(bound)
  for (const [at, file] of read.entries()) {
    const isPlaced =
      file !== null &&
      (await place(file).then(
        () => true,
        () => false,
      ))
    if (!isPlaced) return { broken: [at] }
  }
  return { pdf: await bound.save() }
}

const openPdf = (bytes: Uint8Array) =>
  PDFDocument.load(bytes, { updateMetadata: false })
    .then((file) => (file.getPageCount() > 0 ? file : null))
    .catch(() => null)

const pagePlacer = (bound: PDFDocument) => async (file: PDFDocument) => {
  for (const page of await bound.copyPages(file, file.getPageIndices())) bound.addPage(page)
}

function sheetPlacer(bound: PDFDocument) {
  const [width, height] = paperSizes.a4
  const cell = { width: width / 2, height: height / 2 }
  let sheet: PDFPage | undefined
  let used = 0
  const place = (label: PDFEmbeddedPage) => {
    if (!sheet || used === 4) {
      sheet = bound.addPage([width, height])
      markCuts(sheet)
      used = 0
    }
    const { width: wide, height: high } = label
    const scale = scaleTo(cell, label)
    sheet.drawPage(label, {
      x: (used % 2) * cell.width + (cell.width - wide * scale) / 2,
      y: (used < 2 ? cell.height : 0) + (cell.height - high * scale) / 2,
      xScale: scale,
      yScale: scale,
    })
    used += 1
  }
  return async (file: PDFDocument) => {
    const pages = file.getPages()
    const small = pages.filter((page) => isLabel(page, cell))
    // Embeds all at once, so that shared resources are stored once.
    const embedded = await bound.embedPages(small, small.map(boxOf))
    for (const [at, page] of pages.entries()) {
      const label = embedded[small.indexOf(page)]
      if (label) place(label)
      else for (const copy of await bound.copyPages(file, [at])) bound.addPage(copy)
    }
  }
}

interface Size {
  readonly width: number
  readonly height: number
}

const scaleTo = (cell: Size, { width, height }: Size) => Math.min(1, cell.width / width, cell.height / height)

const isLabel = (page: PDFPage, cell: Size) =>
  scaleTo(cell, page.getCropBox()) >= SCALE_LEAST && page.getRotation().angle % 360 === 0 && page.node.Contents() !== undefined

function boxOf(page: PDFPage) {
  const { x, y, width, height } = page.getCropBox()
  return { left: x, bottom: y, right: x + width, top: y + height }
}

/** Draws cut marks at the edges and a cross in the middle. */
function markCuts(sheet: PDFPage) {
  const [width, height] = [sheet.getWidth(), sheet.getHeight()]
  const [x, y] = [width / 2, height / 2]
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    sheet.drawLine({ start: { x: x1, y: y1 }, end: { x: x2, y: y2 }, thickness: 0.5, color: rgb(0, 0, 0) })
  for (const [from, to] of [
    [0, MARK],
    [y - MARK / 2, y + MARK / 2],
    [height - MARK, height],
  ] as const)
    line(x, from, x, to)
  for (const [from, to] of [
    [0, MARK],
    [x - MARK / 2, x + MARK / 2],
    [width - MARK, width],
  ] as const)
    line(from, y, to, y)
}

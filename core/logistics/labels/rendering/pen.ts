import {
  beginText,
  endText,
  fill,
  PDFOperator,
  PDFOperatorNames,
  type PDFPage,
  rectangle,
  setFillingGrayscaleColor,
  setFontAndSize,
  setTextMatrix,
  setTextRise,
} from '@pdfme/pdf-lib'
import type { DocumentFont, DocumentFonts } from './document-fonts.ts'
import { type FittedText, fitText, LINE_HEIGHT } from './fit-text.ts'
import { type FontWeight, loadFont } from './fonts.ts'
import { type GlyphRun, typeset } from './typeset.ts'

/** Space for a text, in points from the top left corner of the page. */
export interface TextBox {
  readonly x: number
  readonly top: number
  readonly width: number
  /** Height for the text; one line by default. */
  readonly height?: number
}

/** Style of a text. */
export interface TextStyle {
  readonly size: number
  /** Least font size before the text is truncated; `size` by default. */
  readonly least?: number
  readonly weight?: FontWeight
  /** `start` aligns to the side where the text's script begins. */
  readonly align?: 'start' | 'left' | 'center' | 'right'
  readonly white?: boolean
}

/** Position of the baseline in a line; Arabic reaches far below it. */
const BASELINE = 0.92

/** Creates a pen that writes and draws on one page in black. */
export function createPen(page: PDFPage, inks: DocumentFonts) {
  const height = page.getHeight()
  const keys = new Map<FontWeight, ReturnType<PDFPage['node']['newFontDictionary']>>()
  const keyOf = (weight: FontWeight) => {
    const key = keys.get(weight) ?? page.node.newFontDictionary(inks[weight].name, inks[weight].ref)
    keys.set(weight, key)
    return key
  }

  function area(x: number, top: number, wide: number, high: number, { white = false }: { readonly white?: boolean } = {}) {
    page.pushOperators(setFillingGrayscaleColor(white ? 1 : 0), rectangle(x, height - top - high, wide, high), fill())
  }

  /** Writes a text into its box, in a smaller size if needed. Returns the top of the space below it. */
  function write(box: TextBox, text: string, style: TextStyle): number {
    const { size, least = size, weight = 'regular' } = style
    const fitted = fitText(text, { weight, width: box.width, height: box.height ?? 0, size, least })
    for (const [at, line] of fitted.lines.entries()) {
      writeLine(box.x, box.width, height - box.top - fitted.size * (LINE_HEIGHT * at + BASELINE), line, fitted, style)
    }
    return box.top + fitted.lines.length * fitted.size * LINE_HEIGHT
  }

  function writeLine(
    left: number,
    width: number,
    y: number,
    line: string,
    { size, direction }: FittedText,
    { weight = 'regular', align = 'start', white }: TextStyle,
  ) {
    const runs = typeset(line, weight, direction)
    const spare = width - runs.reduce((sum, run) => sum + run.width, 0) * size
    const side = align === 'start' ? (direction === 'rtl' ? 'right' : 'left') : align
    const x = left + (side === 'left' ? 0 : side === 'right' ? spare : spare / 2)
    page.pushOperators(
      beginText(),
      setFillingGrayscaleColor(white ? 1 : 0),
      setFontAndSize(keyOf(weight), size),
      setTextMatrix(1, 0, 0, 1, x, y),
      ...runs.flatMap((run) => glyphOperators(run, inks[weight], size, loadFont(weight).shaper.unitsPerEm)),
      endText(),
    )
  }

  return { area, write }
}

/** Pen that {@link createPen} returns. */
export type Pen = ReturnType<typeof createPen>

/**
 * PDF operators that place each glyph as shaped. PDF advances by the font's own widths, so differences are written in thousandths of an em.
 */
function glyphOperators({ glyphs }: GlyphRun, ink: DocumentFont, size: number, unitsPerEm: number): PDFOperator[] {
  const operators: PDFOperator[] = []
  let shown: (string | number)[] = []
  let rise = 0
  const show = () => {
    if (shown.length > 0) operators.push(PDFOperator.of(PDFOperatorNames.ShowTextAdjusted, [`[${shown.join(' ')}]`]))
    shown = []
  }
  const move = (units: number) => units !== 0 && shown.push(Math.round((-units * 1000) / unitsPerEm))
  for (const glyph of glyphs) {
    const { xOffset, yOffset, xAdvance, advanceWidth } = glyph
    if (yOffset !== rise) {
      show()
      operators.push(setTextRise((yOffset / unitsPerEm) * size))
      rise = yOffset
    }
    move(xOffset)
    shown.push(`<${ink.encode(glyph)}>`)
    move(xAdvance - advanceWidth - xOffset)
  }
  show()
  return rise === 0 ? operators : [...operators, setTextRise(0)]
}

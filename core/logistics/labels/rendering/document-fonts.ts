import { type PDFDocument, PDFHexString, type PDFRef } from '@pdfme/pdf-lib'
import { type FontWeight, fontWeights, loadFont } from './fonts.ts'
import { subsetFont } from './subset.ts'
import type { Glyph } from './typeset.ts'

/**
 * Font in a document. A glyph has a number for each text that it represents, because Arabic letters share shapes and each number has only
 * one text.
 */
export interface DocumentFont {
  readonly name: string
  readonly ref: PDFRef
  /** Returns the number of the glyph in PDF notation, and adds the glyph to the document. */
  encode(glyph: Glyph): string
}

type NumberedGlyph = Glyph & { readonly number: number }

/** Fonts of a document, by weight. */
export type DocumentFonts = Readonly<Record<FontWeight, DocumentFont>>

const hex = (value: number) => value.toString(16).toUpperCase().padStart(4, '0')

/** Creates the fonts of a document. `embed` must be called last; it embeds the glyphs that were used. */
export function createDocumentFonts(pdf: PDFDocument): { inks: DocumentFonts; embed(): void } {
  const opened = fontWeights.map((weight) => {
    const ref = pdf.context.nextRef()
    const used = new Map<string, NumberedGlyph>()
    const encode = (glyph: Glyph) => {
      const key = `${glyph.id} ${glyph.text}`
      const known = used.get(key) ?? { ...glyph, number: used.size + 1 }
      used.set(key, known)
      return hex(known.number)
    }
    return { weight, used, ink: { name: `Label-${weight}`, ref, encode } }
  })
  return {
    inks: Object.fromEntries(opened.map(({ weight, ink }) => [weight, ink])) as DocumentFonts,
    embed: () => {
      for (const { weight, used, ink } of opened) embedFont(pdf, weight, ink, [...used.values()])
    },
  }
}

/** Embeds a composite font with two bytes per glyph (ISO 32000, section 9.7). */
function embedFont(pdf: PDFDocument, weight: FontWeight, { name, ref }: DocumentFont, glyphs: readonly NumberedGlyph[]) {
  const { context } = pdf
  const { bytes, shaper } = loadFont(weight)
  const { unitsPerEm, ascent, descent, capHeight, bbox } = shaper
  const thousandths = (units: number) => Math.round((units * 1000) / unitsPerEm)
  const file = subsetFont(
    bytes,
    glyphs.map(({ id }) => id),
  )
  const descriptor = context.obj({
    Type: 'FontDescriptor',
    FontName: name,
    Flags: 4,
    FontBBox: [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY].map(thousandths),
    ItalicAngle: 0,
    Ascent: thousandths(ascent),
    Descent: thousandths(descent),
    CapHeight: thousandths(capHeight),
    StemV: 80,
    FontFile2: context.register(context.flateStream(file, { Length1: file.length })),
  })
  const descendant = context.obj({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: name,
    CIDSystemInfo: { Registry: PDFHexString.fromText('Adobe'), Ordering: PDFHexString.fromText('Identity'), Supplement: 0 },
    CIDToGIDMap: context.register(context.flateStream(glyphIdMapOf(glyphs))),
    FontDescriptor: context.register(descriptor),
    W: [1, context.obj(glyphs.map(({ advanceWidth }) => thousandths(advanceWidth)))],
  })
  const font = context.obj({
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: name,
    Encoding: 'Identity-H',
    DescendantFonts: [context.register(descendant)],
    ToUnicode: context.register(context.flateStream(unicodeMapOf(glyphs))),
  })
  context.assign(ref, font)
}

/** Maps glyph numbers to glyph ids of the font, two bytes each. Number 0 is the missing glyph. */
const glyphIdMapOf = (glyphs: readonly NumberedGlyph[]) => Uint8Array.from([0, 0, ...glyphs.flatMap(({ id }) => [id >> 8, id & 255])])

/** Maps glyph numbers to Unicode text, so that labels can be searched and copied. */
function unicodeMapOf(glyphs: readonly NumberedGlyph[]): string {
  const rows = glyphs.filter(({ text }) => text !== '').map(({ number, text }) => `<${hex(number)}> <${utf16(text)}>`)
  const sections = Array.from({ length: Math.ceil(rows.length / 100) }, (_, at) => rows.slice(at * 100, at * 100 + 100))
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def /CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange <0000> <FFFF> endcodespacerange',
    ...sections.map((section) => `${section.length} beginbfchar\n${section.join('\n')}\nendbfchar`),
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n')
}

const utf16 = (text: string) => Array.from({ length: text.length }, (_, at) => hex(text.charCodeAt(at))).join('')

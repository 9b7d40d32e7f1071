import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { create, type Font as FontFile } from 'fontkit'

// One family for Latin and Arabic, so that mixed lines share a baseline.
const folder = dirname(Bun.resolveSync('@expo-google-fonts/noto-naskh-arabic/package.json', import.meta.dir))
const files = { regular: '400Regular/NotoNaskhArabic_400Regular.ttf', bold: '700Bold/NotoNaskhArabic_700Bold.ttf' } as const

/** Font weight of a text. */
export type FontWeight = keyof typeof files
/** All font weights. */
export const fontWeights = Object.keys(files) as FontWeight[]

/** Offset and advance of a glyph, in font units. */
export interface GlyphPosition {
  readonly xAdvance: number
  readonly xOffset: number
  readonly yOffset: number
}

/** Font of fontkit with its glyph cache, which fontkit's types leave out. */
type Shaper = FontFile & { _glyphs: object }

/** Font file with its shaper. */
export interface LoadedFont {
  readonly bytes: Uint8Array
  readonly shaper: Shaper
}

const loadedFonts = new Map<FontWeight, LoadedFont>()

/** Loads a font of the labels, once per process. */
export function loadFont(weight: FontWeight): LoadedFont {
  const known = loadedFonts.get(weight)
  if (known) return known
  const bytes = readFileSync(join(folder, files[weight]))
  const font = { bytes, shaper: withoutGlyphCache(create(bytes) as Shaper) }
  loadedFonts.set(weight, font)
  return font
}

/** Disables the glyph cache. With it, a shape that several letters share has the text of the first letter. */
function withoutGlyphCache(shaper: Shaper): Shaper {
  const getGlyph = shaper.getGlyph.bind(shaper)
  shaper.getGlyph = (id, codePoints) => {
    shaper._glyphs = {}
    return getGlyph(id, codePoints)
  }
  return shaper
}

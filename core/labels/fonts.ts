import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fontkit from '@pdf-lib/fontkit'

// One family for Latin and Arabic, so that a line of both stands on one baseline.
const folder = dirname(Bun.resolveSync('@expo-google-fonts/noto-naskh-arabic/package.json', import.meta.dir))
const files = { regular: '400Regular/NotoNaskhArabic_400Regular.ttf', bold: '700Bold/NotoNaskhArabic_700Bold.ttf' } as const

export type Weight = keyof typeof files
export const weights = Object.keys(files) as Weight[]

/** Where a glyph stands and how far it moves the pen, in units of the font. */
export interface Position {
  readonly xAdvance: number
  readonly xOffset: number
  readonly yOffset: number
}

/** What is used of fontkit's font; its own types leave positions out. */
interface Shaper {
  readonly unitsPerEm: number
  readonly ascent: number
  readonly descent: number
  readonly capHeight: number
  readonly bbox: { readonly minX: number; readonly minY: number; readonly maxX: number; readonly maxY: number }
  hasGlyphForCodePoint(codePoint: number): boolean
  getGlyph(id: number, codePoints?: readonly number[]): unknown
  /** What `getGlyph` gave before. */
  _glyphs: object
  layout(
    text: string,
    features: undefined,
    script: undefined,
    language: undefined,
    direction: 'ltr' | 'rtl',
  ): {
    readonly glyphs: readonly { readonly id: number; readonly advanceWidth: number; readonly codePoints: readonly number[] }[]
    readonly positions: readonly Position[]
  }
}

export interface Font {
  readonly bytes: Uint8Array
  readonly shaper: Shaper
}

const opened = new Map<Weight, Font>()

/** A font of the labels, read once in a process. */
export function fontOf(weight: Weight): Font {
  const known = opened.get(weight)
  if (known) return known
  const bytes = readFileSync(join(folder, files[weight]))
  const font = { bytes, shaper: forgetful(fontkit.create(bytes) as unknown as Shaper) }
  opened.set(weight, font)
  return font
}

/** Else a shape that several letters share would be said to be the first of them that was met. */
function forgetful(shaper: Shaper): Shaper {
  const getGlyph = shaper.getGlyph.bind(shaper)
  shaper.getGlyph = (id, codePoints) => {
    shaper._glyphs = {}
    return getGlyph(id, codePoints)
  }
  return shaper
}

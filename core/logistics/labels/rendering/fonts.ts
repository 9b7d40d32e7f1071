import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { create, type Font as FontFile } from 'fontkit'

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

/** fontkit's font, with what `getGlyph` gave before: its types leave that out. */
type Shaper = FontFile & { _glyphs: object }

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
  const font = { bytes, shaper: forgetful(create(bytes) as Shaper) }
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

import { invariant } from '../../../lib/invariant.ts'

/** Tables that a PDF reader needs of a TrueType font with glyphs addressed by number. */
const COPIED_TABLES = ['head', 'hhea', 'hmtx', 'maxp', 'cvt ', 'fpgm', 'prep'] as const
// Flags of a component of a composite glyph, named as in the OpenType specification.
const WORDS = 0x0001
const SCALE = 0x0008
const MORE = 0x0020
const XY_SCALE = 0x0040
const TWO_BY_TWO = 0x0080

interface Table {
  readonly tag: string
  readonly bytes: Uint8Array
}

/** Reduces a TrueType font to the outlines of these glyphs and their components. Glyph ids stay the same. */
export function subsetFont(font: Uint8Array, glyphs: Iterable<number>): Uint8Array {
  const tables = tablesOf(font)
  const outlines = outlinesOf(tables)
  const used = withComponents(outlines, glyphs)
  const usedOutlines = outlines.map((outline, id) => (used.has(id) ? padToFour(outline) : new Uint8Array()))
  const glyf = concatBytes(usedOutlines)
  const loca = new DataView(new ArrayBuffer((usedOutlines.length + 1) * 4))
  let at = 0
  for (const [id, outline] of usedOutlines.entries()) {
    loca.setUint32(id * 4, at)
    at += outline.length
  }
  loca.setUint32(usedOutlines.length * 4, at)
  return assembleFont([
    ...COPIED_TABLES.flatMap((tag) => {
      const bytes = tables.get(tag)
      return bytes ? [{ tag, bytes: tag === 'head' ? withLongOffsets(bytes) : bytes }] : []
    }),
    { tag: 'glyf', bytes: glyf },
    { tag: 'loca', bytes: new Uint8Array(loca.buffer) },
  ])
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function tablesOf(font: Uint8Array): Map<string, Uint8Array> {
  const view = viewOf(font)
  const tables = new Map<string, Uint8Array>()
  for (let at = 12; at < 12 + view.getUint16(4) * 16; at += 16) {
    const start = view.getUint32(at + 8)
    tables.set(String.fromCharCode(...font.subarray(at, at + 4)), font.subarray(start, start + view.getUint32(at + 12)))
  }
  return tables
}

/** Outline of each glyph, as bytes; empty for a space. */
function outlinesOf(tables: ReadonlyMap<string, Uint8Array>): Uint8Array[] {
  const table = (tag: string) => invariant(tables.get(tag), `The table ${tag} of a font`)
  const isLong = viewOf(table('head')).getInt16(50) === 1
  const loca = viewOf(table('loca'))
  const glyf = table('glyf')
  const offset = (id: number) => (isLong ? loca.getUint32(id * 4) : loca.getUint16(id * 2) * 2)
  const count = viewOf(table('maxp')).getUint16(4)
  return Array.from({ length: count }, (_, id) => glyf.subarray(offset(id), offset(id + 1)))
}

function withComponents(outlines: readonly Uint8Array[], glyphs: Iterable<number>): ReadonlySet<number> {
  const used = new Set<number>()
  const waiting = [0, ...glyphs]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (used.has(id)) continue
    used.add(id)
    waiting.push(...componentsOf(invariant(outlines[id], 'The outline of a glyph')))
  }
  return used
}

function componentsOf(outline: Uint8Array): number[] {
  const view = viewOf(outline)
  if (outline.length === 0 || view.getInt16(0) >= 0) return []
  const components: number[] = []
  for (let at = 10; ; ) {
    const flags = view.getUint16(at)
    components.push(view.getUint16(at + 2))
    at += 4 + (flags & WORDS ? 4 : 2) + (flags & SCALE ? 2 : flags & XY_SCALE ? 4 : flags & TWO_BY_TWO ? 8 : 0)
    if (!(flags & MORE)) return components
  }
}

const padToFour = (bytes: Uint8Array) => concatBytes([bytes, new Uint8Array(-bytes.length & 3)])

function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function withLongOffsets(head: Uint8Array): Uint8Array {
  const copy = head.slice()
  viewOf(copy).setInt16(50, 1)
  return copy
}

/** Assembles a font file. Leaves checksums at 0, because PDF readers do not check them. */
function assembleFont(tables: readonly Table[]): Uint8Array {
  const sorted = tables.toSorted((a, b) => (a.tag < b.tag ? -1 : 1))
  const directory = new DataView(new ArrayBuffer(12 + sorted.length * 16))
  directory.setUint32(0, 0x00010000)
  directory.setUint16(4, sorted.length)
  let start = directory.byteLength
  for (const [index, { tag, bytes }] of sorted.entries()) {
    const at = 12 + index * 16
    for (let letter = 0; letter < 4; letter += 1) directory.setUint8(at + letter, tag.charCodeAt(letter))
    directory.setUint32(at + 8, start)
    directory.setUint32(at + 12, bytes.length)
    start += bytes.length + (-bytes.length & 3)
  }
  return concatBytes([new Uint8Array(directory.buffer), ...sorted.map(({ bytes }) => padToFour(bytes))])
}

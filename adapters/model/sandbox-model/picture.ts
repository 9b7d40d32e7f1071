import type { Media } from 'serai/model'

const SIZES = { square: [128, 128], portrait: [96, 144], landscape: [144, 96] } as const
/** Maximum bytes of an uncompressed block (RFC 1951, 3.2.4). */
const BLOCK = 65_535

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value >>> 0
})

function crc(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) value = (table[(value ^ byte) & 255] ?? 0) ^ (value >>> 8)
  return (value ^ 0xffffffff) >>> 0
}

function adler(bytes: Uint8Array): number {
  let [a, b] = [1, 0]
  for (const byte of bytes) {
    a = (a + byte) % 65_521
    b = (b + a) % 65_521
  }
  return ((b << 16) | a) >>> 0
}

const concatBytes = (...parts: readonly (readonly number[] | Uint8Array)[]) => Uint8Array.from(parts.flatMap((part) => [...part]))
const bigEndian = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
const asciiBytes = (text: string) => new TextEncoder().encode(text)

function chunk(type: string, data: Uint8Array): Uint8Array {
  const named = concatBytes(asciiBytes(type), data)
  return concatBytes(bigEndian(data.length), named, bigEndian(crc(named)))
}

function stored(data: Uint8Array): Uint8Array {
  const blocks: number[] = []
  for (let at = 0; at < data.length; at += BLOCK) {
    const block = data.subarray(at, at + BLOCK)
    const [low, high] = [block.length & 255, block.length >>> 8]
    blocks.push(at + BLOCK >= data.length ? 1 : 0, low, high, low ^ 255, high ^ 255, ...block)
  }
  return concatBytes([0x78, 0x01], blocks, bigEndian(adler(data)))
}

/** Hashes a text to a number. */
function numberOf(text: string): number {
  let value = 2_166_136_261
  for (const byte of asciiBytes(text)) value = Math.imul(value ^ byte, 16_777_619) >>> 0
  return value
}

/** Draws stripes whose colours and angle come from the text; equal texts give equal pictures. */
export function picture(words: string, size: keyof typeof SIZES): Media {
  const [width, height] = SIZES[size]
  const seed = numberOf(words)
  const colours = [0, 8, 16, 4].flatMap((shift) => [(seed >>> shift) & 255, (seed >>> (24 - shift)) & 255, ((seed * 7) >>> shift) & 255])
  const rows: number[] = []
  for (let y = 0; y < height; y += 1) {
    rows.push(0)
    for (let x = 0; x < width; x += 1) rows.push(((x + y * (1 + (seed & 3))) >> 4) & 3)
  }
  const head = concatBytes(bigEndian(width), bigEndian(height), [8, 3, 0, 0, 0])
  const png = concatBytes(
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    chunk('IHDR', head),
    chunk('PLTE', Uint8Array.from(colours)),
    chunk('IDAT', stored(Uint8Array.from(rows))),
    chunk('IEND', new Uint8Array()),
  )
  return { mediaType: 'image/png', data: base64(png) }
}

export const base64 = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}

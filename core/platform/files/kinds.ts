import { yieldEvery } from '../../lib/async/yield-every.ts'

/** Type of a file. It is detected from the bytes; the name only decides between text formats. */
export type FileKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'pdf' | 'csv'
/** Type of a file that is a picture. */
export type PictureKind = Exclude<FileKind, 'pdf' | 'csv'>

const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))

const PDF_TAIL = 2_048
const BRANDS_MAX = 64

/** Signatures of the types. */
const signatures: readonly (readonly [FileKind, (bytes: Uint8Array) => boolean])[] = [
  ['jpeg', ([a, b, c]) => a === 0xff && b === 0xd8 && c === 0xff],
  ['png', (bytes) => ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n'],
  ['webp', (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP'],
  ['gif', (bytes) => /^GIF8[79]a$/.test(ascii(bytes, 0, 6))],
  ['avif', (bytes) => ascii(bytes, 4, 8) === 'ftyp' && /avi[fs]/.test(ascii(bytes, 8, BRANDS_MAX))],
  [
    'pdf',
    (bytes) =>
      /^%PDF-[12]\.\d/.test(ascii(bytes, 0, 8)) && ascii(bytes, Math.max(0, bytes.length - PDF_TAIL), bytes.length).includes('%%EOF'),
  ],
]

/** Detects the type of a file; null if it is not supported. */
export async function detectKind(bytes: Uint8Array, name: string): Promise<FileKind | null> {
  const known = signatures.find(([, isMatch]) => isMatch(bytes))
  if (known) return known[0]
  return /\.csv$/i.test(name) && (await isText(bytes)) ? 'csv' : null
}

/** Returns true if the type is a picture. */
export const isPicture = (kind: FileKind): kind is PictureKind => kind !== 'pdf' && kind !== 'csv'

const STEP = 64 * 1024
const [TAB, LINE_FEED, RETURN] = [0x09, 0x0a, 0x0d]

/** Returns true if bytes are text in an ASCII-compatible encoding: no control characters except tab and line breaks. */
async function isText(bytes: Uint8Array): Promise<boolean> {
  const yieldSlice = yieldEvery()
  for (let from = 0; from < bytes.length; from += STEP) {
    if (hasControls(bytes, from, Math.min(bytes.length, from + STEP))) return false
    await yieldSlice()
  }
  return true
}

function hasControls(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] as number
    if (byte < 0x20 && byte !== TAB && byte !== LINE_FEED && byte !== RETURN) return true
  }
  return false
}

import { inflateRawSync } from 'node:zlib'
import { broken, unreadable } from './refusals.ts'

const END = 0x06054b50
const ENTRY = 0x02014b50
const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 1
/** More than a workbook of twenty thousand rows comes to; what grows larger is made to fill memory. */
const UNPACKED_MAX = 48 * 1024 * 1024
const PARTS_MAX = 2000

const overfull = () => unreadable('The workbook unpacks to far more than a payout has. Save the one sheet that counts as CSV.')

/** A file in the archive, unpacked when it is asked for; undefined where there is none of this name. */
export type Archive = (name: string) => string | undefined

/** Opens a ZIP archive. What its directory says of sizes is not believed: unpacking stops at a limit, over all that is asked for. */
export function openArchive(bytes: Uint8Array): Archive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts = new Map<string, number>()
  const end = endOf(view)
  const count = view.getUint16(end + 10, true)
  if (count > PARTS_MAX) throw broken()
  let at = view.getUint32(end + 16, true)
  for (let seen = 0; seen < count; seen += 1) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== ENTRY) throw broken()
    const nameLength = view.getUint16(at + 28, true)
    parts.set(new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)).replaceAll('\\', '/'), at)
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  let left = UNPACKED_MAX
  return (name) => {
    const entry = parts.get(name)
    if (entry === undefined) return undefined
    const part = unpack(bytes, view, entry, left)
    left -= part.length
    return new TextDecoder().decode(part)
  }
}

/** The directory's end is the last thing in the file, but for a comment. */
function endOf(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 65_557); at -= 1) if (view.getUint32(at, true) === END) return at
  throw broken()
}

function unpack(bytes: Uint8Array, view: DataView, entry: number, most: number): Uint8Array {
  if (view.getUint16(entry + 8, true) & ENCRYPTED) throw unreadable('The workbook is protected by a password. Save it without one.')
  const method = view.getUint16(entry + 10, true)
  const size = view.getUint32(entry + 20, true)
  const local = view.getUint32(entry + 42, true)
  if (local + 30 > view.byteLength) throw broken()
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  const packed = bytes.subarray(start, start + size)
  if (packed.length !== size || (method !== STORED && method !== DEFLATED)) throw broken()
  if (method === DEFLATED) return inflate(packed, most)
  if (packed.length > most) throw overfull()
  return packed
}

function inflate(packed: Uint8Array, most: number): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(most, 1) })
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? overfull() : broken()
  }
}

import { inflateRawSync } from 'node:zlib'
import { brokenWorkbook, unreadableSheet } from './sheet-errors.ts'
import { directoryOf, entryOf, type ZipEntry } from './zip-directory.ts'

const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 1
/** Maximum unpacked bytes. A workbook of twenty thousand rows stays below; a larger one is a zip bomb. */
const UNPACKED_MAX = 48 * 1024 * 1024
const PARTS_MAX = 2000

const tooLarge = () => unreadableSheet('The workbook unpacks to far more than a sheet has. Save the one sheet that counts as CSV.')

/** Unpacks a file of the archive by name when called. Undefined if there is none. */
export type Archive = (name: string) => string | undefined

/**
 * Opens a ZIP archive, including ZIP64. Does not trust the sizes in its directory: unpacking stops at a total limit. Throws
 * `sheet_unreadable`.
 */
export function openArchive(bytes: Uint8Array): Archive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts = new Map<string, ZipEntry>()
  const { count, offset } = directoryOf(view)
  if (count > PARTS_MAX) throw brokenWorkbook()
  let at = offset
  for (let seen = 0; seen < count; seen += 1) {
    const entry = entryOf(view, at)
    parts.set(new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + entry.nameLength)).replaceAll('\\', '/'), entry)
    at = entry.end
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

function unpack(bytes: Uint8Array, view: DataView, { flags, method, size, local }: ZipEntry, most: number): Uint8Array {
  if (flags & ENCRYPTED) throw unreadableSheet('The workbook is protected by a password. Save it without one.')
  if (local + 30 > view.byteLength) throw brokenWorkbook()
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  const packed = bytes.subarray(start, start + size)
  if (packed.length !== size || (method !== STORED && method !== DEFLATED)) throw brokenWorkbook()
  if (method === DEFLATED) return inflate(packed, most)
  if (packed.length > most) throw tooLarge()
  return packed
}

function inflate(packed: Uint8Array, most: number): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(most, 1) })
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : brokenWorkbook()
  }
}

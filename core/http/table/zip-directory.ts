import { brokenWorkbook } from './sheet-errors.ts'

const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const ENTRY = 0x02014b50
/** Id of the ZIP64 extra field (APPNOTE 4.5.3). */
const EXTRA_64 = 0x0001
const FULL_16 = 0xffff
const FULL_32 = 0xffffffff

/** Entry of a ZIP directory. */
export interface ZipEntry {
  readonly flags: number
  readonly method: number
  /** Compressed size in bytes. */
  readonly size: number
  /** Offset of the local header. */
  readonly local: number
  readonly nameLength: number
  /** Offset after the entry. */
  readonly end: number
}

interface Directory {
  readonly count: number
  readonly offset: number
}

/** Finds the directory of a ZIP archive: in its end record, or for ZIP64 in the record before that (APPNOTE 4.3.14). */
export function directoryOf(view: DataView): Directory {
  const end = endOf(view)
  const [count, offset] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)]
  if (count !== FULL_16 && offset !== FULL_32) return { count, offset }
  const locator = end - 20
  if (locator < 0 || view.getUint32(locator, true) !== LOCATOR_64) return { count, offset }
  const at = readUint64(view, locator + 8)
  if (at + 56 > view.byteLength || view.getUint32(at, true) !== END_64) throw brokenWorkbook()
  return { count: readUint64(view, at + 32), offset: readUint64(view, at + 48) }
}

/** Finds the end record, which is last in the file except for a comment. */
function endOf(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 65_557); at -= 1) if (view.getUint32(at, true) === END) return at
  throw brokenWorkbook()
}

/** Reads an entry of the directory. */
export function entryOf(view: DataView, at: number): ZipEntry {
  if (at + 46 > view.byteLength || view.getUint32(at, true) !== ENTRY) throw brokenWorkbook()
  const [nameLength, extraLength] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)]
  const end = at + 46 + nameLength + extraLength + view.getUint16(at + 32, true)
  const [unpacked, packed, header] = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)]
  const [, size, local] = readZip64Sizes(view, at + 46 + nameLength, extraLength, [unpacked, packed, header])
  return { flags: view.getUint16(at + 8, true), method: view.getUint16(at + 10, true), size, local, nameLength, end }
}

type Sizes = readonly [unpacked: number, packed: number, header: number]

/** Replaces values that do not fit in 32 bits. The extra field contains exactly those, in this order. */
function readZip64Sizes(view: DataView, from: number, length: number, sizes: Sizes): Sizes {
  if (!sizes.includes(FULL_32)) return sizes
  const field = extraField(view, from, length)
  let at = field.at
  const [unpacked, packed, header] = sizes.map((size) => {
    if (size !== FULL_32) return size
    at += 8
    if (at > field.end) throw brokenWorkbook()
    return readUint64(view, at - 8)
  })
  return [unpacked ?? 0, packed ?? 0, header ?? 0]
}

function extraField(view: DataView, from: number, length: number): { at: number; end: number } {
  const last = Math.min(from + length, view.byteLength)
  for (let at = from; at + 4 <= last; ) {
    const end = at + 4 + view.getUint16(at + 2, true)
    if (view.getUint16(at, true) === EXTRA_64) return { at: at + 4, end: Math.min(end, last) }
    at = end
  }
  throw brokenWorkbook()
}

/** Reads 64 bits as a number. Throws if the value exceeds the file's length. */
function readUint64(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true)
  if (value > BigInt(view.byteLength)) throw brokenWorkbook()
  return Number(value)
}

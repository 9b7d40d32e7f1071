import rangeParser from 'range-parser'

/** Range of bytes, both ends inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Parses the `Range` header (RFC 9110, section 14.2). Returns null if the whole file is to be sent, also for several ranges, another unit
 * or a failed `If-Range`. Returns `beyond` if the range is outside the file.
 */
export function parseRange(headers: Headers, size: number, etag: string): ByteRange | null | 'beyond' {
  const wanted = headers.get('range')
  const known = headers.get('if-range')
  if (wanted === null || (known !== null && known !== etag)) return null
  const found = rangeParser(size, wanted)
  if (found === -1) return 'beyond'
  const [only] = found === -2 || found.type !== 'bytes' || found.length !== 1 ? [] : found
  return only ?? null
}

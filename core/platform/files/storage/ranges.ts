import rangeParser from 'range-parser'

/** Bytes of a file, both ends counted. */
export interface Range {
  readonly start: number
  readonly end: number
}

/**
 * What `Range` asks for of so many bytes (RFC 9110, 14.2): null where the whole is to be answered, which is also what several
 * pieces at once, another unit or an `If-Range` of something else come to; `beyond` where nothing of it is there.
 */
export function rangeOf(headers: Headers, size: number, etag: string): Range | null | 'beyond' {
  const wanted = headers.get('range')
  const known = headers.get('if-range')
  if (wanted === null || (known !== null && known !== etag)) return null
  const found = rangeParser(size, wanted)
  if (found === -1) return 'beyond'
  const [only] = found === -2 || found.type !== 'bytes' || found.length !== 1 ? [] : found
  return only ?? null
}

/** A part of a form (RFC 7578). Its bytes are those of the whole: nothing is copied, which at 20 MiB would hold everybody up. */
export interface Part {
  readonly name: string
  /** Null for a field that is no file. */
  readonly fileName: string | null
  readonly bytes: Uint8Array
}

const PARTS_MAX = 20
const HEAD_MAX = 4_096
const BOUNDARY = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i

/** The parts of a form in their order; null where it is none that can be read. */
export function partsOf(whole: Uint8Array, contentType: string): Part[] | null {
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? []
  const mark = Buffer.from(`--${quoted ?? bare ?? ''}`)
  const bytes = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength)
  if (mark.length === 2 || bytes.indexOf(mark) !== 0) return null
  const between = Buffer.concat([Buffer.from('\r\n'), mark])
  const parts: Part[] = []
  for (let at = mark.length; ; ) {
    const after = bytes.toString('latin1', at, at + 2)
    if (after === '--') return parts
    const end = after === '\r\n' && parts.length < PARTS_MAX ? bytes.indexOf(between, at) : -1
    const part = end < 0 ? null : partOf(bytes.subarray(at + 2, end))
    if (!part) return null
    parts.push(part)
    at = end + between.length
  }
}

function partOf(bytes: Buffer): Part | null {
  const end = bytes.subarray(0, HEAD_MAX).indexOf('\r\n\r\n')
  if (end < 0) return null
  const [, disposition] = /^content-disposition:\s*form-data\s*(;.*)$/im.exec(bytes.toString('utf8', 0, end)) ?? []
  const name = disposition && parameterOf(disposition, 'name')
  return name === undefined ? null : { name, fileName: parameterOf(disposition, 'filename') ?? null, bytes: bytes.subarray(end + 4) }
}

/** Quotes and ends of lines are written as addresses write them; some programs put a backslash before quotes. */
function parameterOf(disposition: string | undefined, name: string): string | undefined {
  const [, quoted, bare] = new RegExp(`;\\s*${name}=(?:"((?:\\\\"|[^"])*)"|([^\\s;"]+))`, 'i').exec(disposition ?? '') ?? []
  return (quoted ?? bare)
    ?.replaceAll('\\"', '"')
    .replace(/%(22|0D|0A)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

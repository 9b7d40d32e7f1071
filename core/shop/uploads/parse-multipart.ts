/** Part of a multipart form (RFC 7578). Its bytes are a view of the whole form: copying 20 MiB would block other requests. */
export interface FormPart {
  readonly name: string
  /** Name of the file; null for a field that is no file. */
  readonly fileName: string | null
  readonly bytes: Uint8Array
}

const FORM_PARTS_MAX = 20
const HEAD_MAX = 4_096
const BOUNDARY = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i

/** Parses the parts of a multipart form, in their order. Returns null for a form that cannot be read. */
export function parseMultipart(whole: Uint8Array, contentType: string): FormPart[] | null {
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? []
  const mark = Buffer.from(`--${quoted ?? bare ?? ''}`)
  const bytes = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength)
  if (mark.length === 2 || bytes.indexOf(mark) !== 0) return null
  const between = Buffer.concat([Buffer.from('\r\n'), mark])
  const parts: FormPart[] = []
  for (let at = mark.length; ; ) {
    const after = bytes.toString('latin1', at, at + 2)
    if (after === '--') return parts
    const end = after === '\r\n' && parts.length < FORM_PARTS_MAX ? bytes.indexOf(between, at) : -1
    const part = end < 0 ? null : parsePart(bytes.subarray(at + 2, end))
    if (!part) return null
    parts.push(part)
    at = end + between.length
  }
}

function parsePart(bytes: Buffer): FormPart | null {
  const end = bytes.subarray(0, HEAD_MAX).indexOf('\r\n\r\n')
  if (end < 0) return null
  const [, disposition] = /^content-disposition:\s*form-data\s*(;.*)$/im.exec(bytes.toString('utf8', 0, end)) ?? []
  const name = disposition && parseParameter(disposition, 'name')
  return name === undefined ? null : { name, fileName: parseParameter(disposition, 'filename') ?? null, bytes: bytes.subarray(end + 4) }
}

/** Parses a parameter of `content-disposition`. Quotes and line ends are percent-encoded; some clients escape quotes with a backslash. */
function parseParameter(disposition: string | undefined, name: string): string | undefined {
  const [, quoted, bare] = new RegExp(`;\\s*${name}=(?:"((?:\\\\"|[^"])*)"|([^\\s;"]+))`, 'i').exec(disposition ?? '') ?? []
  return (quoted ?? bare)
    ?.replaceAll('\\"', '"')
    .replace(/%(22|0D|0A)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

import type { Context } from '../../context.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { networkOf } from '../../lib/net/addresses.ts'
import { fileErrors } from './files.errors.ts'
import { type FileRow, findFile } from './files.queries.ts'
import { WIDTHS } from './pictures.ts'
import { type ByteRange, parseRange } from './storage/ranges.ts'

type Needs = Pick<Context, 'sql' | 'shared' | 'files'>

/** Request for the content of a file. */
export interface ContentRequest {
  readonly id: string
  readonly width: number | undefined
  /** Headers of the request: `If-None-Match`, `Range` and `If-Range` are read. */
  readonly headers: Headers
  /** Address of the client. */
  readonly address: string
}

/** Files per minute from one network. Allows several pages with many images. */
const PER_MINUTE = 1_200

/**
 * Serves the content of a file to anyone who knows its id. Supports ETags, ranges and image widths. Throws `not_found`, `rate_limited` and
 * `range_not_satisfiable`.
 */
export async function serveContent(needs: Needs, { id, width, headers: asked, address }: ContentRequest): Promise<Response> {
  await assertFileRate(needs, address)
  const file = await findFile(needs.sql, id)
  if (!file) throw notFound('The file')
  if (width !== undefined && file.width === null) throw fileErrors.onlyPicturesResized({ field: ['w'] })
  const renderedWidth = widthOf(file, width)
  const etag = `"${file.hash.slice(0, 32)}${renderedWidth === null ? '' : `-${renderedWidth}`}"`
  const headers = { ...headersOf(file), etag }
  const known = asked.get('if-none-match')
  if (known?.split(',').some((each) => each.trim().replace(/^W\//, '') === etag || each.trim() === '*'))
    return new Response(null, { status: 304, headers })
  if (renderedWidth !== null) return respond(await resizedTo(needs, file, renderedWidth), headers, file)
  const range = parseRange(asked, file.bytes, etag)
  const ranged = { ...headers, 'accept-ranges': 'bytes' }
  if (range === 'beyond') throw rangeError(file)
  if (!range) return respond(await read(needs, file, { start: 0, end: file.bytes - 1 }), ranged, file)
  const piece = { 'content-range': `bytes ${range.start}-${range.end}/${file.bytes}` }
  return respond(await read(needs, file, range), { ...ranged, ...piece }, file, 206)
}

const rangeError = ({ bytes }: FileRow) =>
  new ApiError('range_not_satisfiable', `The file has ${bytes} bytes, and none of those that Range asks for.`, {
    headers: { 'content-range': `bytes */${bytes}` },
  })

function respond(body: Uint8Array | ReadableStream | null, headers: object, { contentType }: FileRow, status = 200): Response {
  // The file was deleted while it was read.
  if (!body) throw notFound('The file')
  return new Response(body as Uint8Array<ArrayBuffer> | ReadableStream, { status, headers: { ...headers, 'content-type': contentType } })
}

/** Returns the next available width; null if the original is not wider. */
function widthOf(file: FileRow, asked: number | undefined): number | null {
  const width = asked === undefined ? undefined : WIDTHS.find((each) => each >= asked)
  return width !== undefined && file.width !== null && width < file.width ? width : null
}

/** Bytes up to which a file is read at once. Larger files are streamed as fast as the client reads. */
const WHOLE = 1024 * 1024

async function read({ files: { storage: keeping } }: Needs, file: FileRow, range: ByteRange) {
  if (file.bytes > WHOLE) return keeping.open(file.key, range)
  return (await keeping.read(file.key))?.subarray(range.start, range.end + 1) ?? null
}

const resizedTo = ({ files: { storage: keeping, sizes } }: Needs, file: FileRow, width: number) =>
  sizes.getResized(file, width, file.userId ?? file.projectId, () => keeping.read(file.key))

async function assertFileRate({ shared }: Needs, address: string): Promise<void> {
  const { count, resetMs } = await shared.countHit(`rate:files:${networkOf(address)}`, MINUTE_MS)
  if (count <= PER_MINUTE) return
  const wait = Math.max(1, Math.ceil(resetMs / 1000))
  throw fileErrors.tooManyFiles({ perMinute: PER_MINUTE, wait }, { retryAfterSeconds: wait })
}

/** Builds the headers of a file. Images are shown, other files are downloaded. Neither is executed, nor is its type guessed. */
const headersOf = ({ name, contentType }: FileRow) => ({
  'cache-control': 'public, max-age=31536000, immutable',
  'content-disposition': `${contentType.startsWith('image/') ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeName(name)}`,
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
})

/** Encodes a file name by RFC 8187. */
const encodeName = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

import { yieldEvery, yieldToOthers } from '../../lib/async/yield-every.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { ApiError, invalidBody } from '../errors/errors.ts'

/** Maximum bytes of a JSON body. Routes that accept more, such as sheet uploads, read the body themselves. */
export const BODY_BYTES = 1024 * 1024
/** Bytes above which parsing a body takes milliseconds and first waits for a slice of the event loop. */
export const SLOW_BODY_BYTES = 32 * 1024
/** Maximum nesting. No declared body is deeper, free-form metadata included. */
const DEPTH_MAX = 64
/** Maximum number of values and of members of one list or object. A thousand parcels have fewer. */
const VALUES_MAX = 100_000
const MEMBERS_MAX = 10_000
/** Maximum bytes that are collected before they are copied. */
const CHUNK_MAX = 256 * 1024
const PIECE = CHUNK_MAX
/** Milliseconds in which a body must arrive. */
const READ_MS = 30_000
/** Milliseconds after which the sender's authorization is checked again. */
const SLOW_MS = 250

/**
 * Bytes of an oversized rest that are read and discarded. For a longer rest, the connection is closed and the sender may lose the response.
 */
const DISCARD_MAX = 64 * 1024 * 1024

const tooLarge = (max: number, declaredLength = 0) =>
  new ApiError(
    'payload_too_large',
    `The body may have at most ${max} bytes.`,
    declaredLength > DISCARD_MAX ? { headers: { connection: 'close' } } : {},
  )

/** Refuses a body by its `Content-Length` before anything is read. Throws `payload_too_large`. */
export function assertBodyLength(request: Request, max = BODY_BYTES): void {
  const declaredLength = Number(request.headers.get('content-length') ?? 0)
  if (declaredLength > max) throw tooLarge(max, declaredLength)
}

/** Reads a JSON body; null if it is empty. Throws `unsupported_media_type`, `payload_too_large`, `invalid_json`, `invalid_request`. */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBytes(request, BODY_BYTES)
  if (bytes.length === 0) return null
  const [mediaType = ''] = (request.headers.get('content-type') ?? '').split(';')
  const type = mediaType.trim().toLowerCase()
  if (type !== '' && type !== 'application/json' && !type.endsWith('+json')) {
    throw new ApiError('unsupported_media_type', `Send application/json, not ${type}.`)
  }
  if (bytes.length > SLOW_BODY_BYTES) await yieldToOthers()
  assertSize(bytes)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ApiError('invalid_json', 'The body is not JSON that can be read.')
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const isOpening = (byte: number | undefined) => byte === 0x7b || byte === 0x5b
const isClosing = (byte: number | undefined) => byte === 0x7d || byte === 0x5d

/**
 * Refuses JSON that is too deep or too large by its bytes. Parsers, validators, serializers and `jsonb` visit every value, and most of them
 * recurse. Invalid JSON is left to the parser.
 */
function assertSize(bytes: Uint8Array): void {
  /** Member counts of the enclosing lists and objects, outermost first. */
  const outer: number[] = []
  let [members, values] = [0, 0]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (isClosing(byte)) members = outer.pop() ?? 0
    else if (isOpening(byte)) {
      outer.push(members)
      members = 0
      if (outer.length > DEPTH_MAX) throw invalidBody(`Nested deeper than ${DEPTH_MAX} levels.`)
    } else if (byte === COMMA) {
      members += 1
      values += 1
      if (values > VALUES_MAX || members > MEMBERS_MAX)
        throw invalidBody(`At most ${MEMBERS_MAX} members of one list or object, and ${VALUES_MAX} in all.`)
    }
  }
}

function endOfText(bytes: Uint8Array, from: number): number {
  let at = from + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

const checks = new WeakMap<Request, readonly (() => Promise<unknown>)[]>()

/**
 * Registers an authorization check that is repeated if the body was slow to arrive. Prevents a slow sender from using access that ended
 * meanwhile. Applies to every reader of the body.
 */
export const registerRecheck = (request: Request, check: () => Promise<unknown>) =>
  void checks.set(request, [...(checks.get(request) ?? []), check])

/** Checks the access of a request again, for requests that last. Throws if its caller may no longer make it. */
export async function recheckAccess(request: Request): Promise<void> {
  for (const check of checks.get(request) ?? []) await check()
}

/**
 * Reads the exact bytes of a body of at most `max` bytes, counted as they arrive. Throws `payload_too_large`, `request_timeout`,
 * `request_aborted`.
 */
export async function readBytes(request: Request, max: number): Promise<Uint8Array> {
  const began = performance.now()
  const bytes = await readWithin(request, max).catch((cause: unknown) => {
    throw cause instanceof DomainError ? cause : new ApiError('request_aborted', 'The body broke off before its end.', { cause })
  })
  if (performance.now() - began >= SLOW_MS) await recheckAccess(request)
  return bytes
}

async function readWithin(request: Request, max: number): Promise<Uint8Array> {
  assertBodyLength(request, max)
  const deadline = performance.now() + READ_MS
  // Trusts `Content-Length`, which the server enforces.
  const declaredLength = request.headers.has('transfer-encoding') ? Number.NaN : Number(request.headers.get('content-length') ?? Number.NaN)
  if (declaredLength <= CHUNK_MAX) return new Uint8Array(await withinDeadline(request.arrayBuffer(), deadline))
  const reader = request.body?.getReader()
  if (!reader) return new Uint8Array()
  try {
    return declaredLength > CHUNK_MAX
      ? await readKnownLength(reader, declaredLength, deadline)
      : await readUnknownLength(reader, max, deadline)
  } finally {
    void reader.cancel().catch(() => {})
  }
}

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read'>

/** Reads a body of known length into place. Copying twenty megabytes at once would block the event loop. */
async function readKnownLength(reader: Reader, declaredLength: number, deadline: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(declaredLength)
  const yieldSlice = yieldEvery()
  for (let size = 0; ; ) {
    const { done, value } = await withinDeadline(reader.read(), deadline)
    if (done) return size === declaredLength ? bytes : bytes.subarray(0, size)
    for (let at = 0; at < value.length; at += PIECE, await yieldSlice()) bytes.set(value.subarray(at, at + PIECE), size + at)
    size += value.length
  }
}

async function readUnknownLength(reader: Reader, max: number, deadline: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for (let size = 0; ; ) {
    const { done, value } = await withinDeadline(reader.read(), deadline)
    if (done) return Buffer.concat(chunks)
    size += value.length
    if (size > max) throw tooLarge(max)
    chunks.push(value)
  }
}

async function withinDeadline<V>(work: Promise<V>, deadline: number): Promise<V> {
  const late = Promise.withResolvers<never>()
  const giveUp = () => late.reject(new ApiError('request_timeout', `The body did not come within ${READ_MS / 1000} s.`))
  const timer = setTimeout(giveUp, deadline - performance.now())
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

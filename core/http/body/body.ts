import { yieldEvery, yieldToOthers } from '../../lib/async/yield-every.ts'
import { ApiError, invalid } from '../errors/errors.ts'

/** Bytes of a JSON body. Whoever takes more (a sheet) says so where it reads. */
export const BODY_BYTES = 1024 * 1024
/** Reading and checking a longer body takes milliseconds: it waits for its share of the event loop. */
export const COMPUTING_BYTES = 32 * 1024
/** Deeper than anything that the interface describes, free-form metadata included. */
const DEPTH_MAX = 64
/** More values than a thousand parcels have, and more members than any list or object. */
const VALUES_MAX = 100_000
const MEMBERS_MAX = 10_000
/** What is longer is not gathered first and moved then. */
const AT_ONCE_MAX = 256 * 1024
const PIECE = AT_ONCE_MAX
/** A body comes within this, however slowly its sender writes. */
const READ_MS = 30_000
/** Of a body that takes longer than this, it is asked again whether its sender may send it. */
const PROMPT_MS = 250

/** A rest that is longer is not waited for: its sender is hung up on, and may lose our answer. What is shorter is let pass by. */
const REST_MAX = 64 * 1024 * 1024

const tooLarge = (max: number, said = 0) =>
  new ApiError('payload_too_large', `The body may have at most ${max} bytes.`, said > REST_MAX ? { headers: { connection: 'close' } } : {})

/** Refuses, before anything else is asked or read, what says of itself that it is too large. */
export function assertLength(request: Request, max = BODY_BYTES): void {
  const said = Number(request.headers.get('content-length') ?? 0)
  if (said > max) throw tooLarge(max, said)
}

/** A JSON body; null where there is none. Throws `unsupported_media_type`, `payload_too_large`, `invalid_json`, `invalid_request`. */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBytes(request, BODY_BYTES)
  if (bytes.length === 0) return null
  const [said = ''] = (request.headers.get('content-type') ?? '').split(';')
  const type = said.trim().toLowerCase()
  if (type !== '' && type !== 'application/json' && !type.endsWith('+json')) {
    throw new ApiError('unsupported_media_type', `Send application/json, not ${type}.`)
  }
  if (bytes.length > COMPUTING_BYTES) await yieldToOthers()
  judge(bytes)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ApiError('invalid_json', 'The body is not JSON that can be read.')
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const opens = (byte: number | undefined) => byte === 0x7b || byte === 0x5b
const closes = (byte: number | undefined) => byte === 0x7d || byte === 0x5d

/**
 * Refuses by its bytes what would cost more than it can be worth: parsers, validators, serialisers and the database's `jsonb` all walk
 * through every value, and most of them recurse. What is no JSON is left to the parser.
 */
function judge(bytes: Uint8Array): void {
  /** Of the lists and objects around, the outermost first. */
  const outer: number[] = []
  let [members, values] = [0, 0]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (closes(byte)) members = outer.pop() ?? 0
    else if (opens(byte)) {
      outer.push(members)
      members = 0
      if (outer.length > DEPTH_MAX) throw invalid('/body', `Nested deeper than ${DEPTH_MAX} levels.`)
    } else if (byte === COMMA) {
      members += 1
      values += 1
      if (values > VALUES_MAX || members > MEMBERS_MAX)
        throw invalid('/body', `At most ${MEMBERS_MAX} members of one list or object, and ${VALUES_MAX} in all.`)
    }
  }
}

function endOfText(bytes: Uint8Array, from: number): number {
  let at = from + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

const asked = new WeakMap<Request, readonly (() => Promise<unknown>)[]>()

/**
 * What was asked before a body is read, and throws, is asked again where the body was long in coming, whoever reads it: who sends half a minute
 * long does nothing with what ended meanwhile.
 */
export const askAgain = (request: Request, check: () => Promise<unknown>) => void asked.set(request, [...(asked.get(request) ?? []), check])

/** The exact bytes of a body of at most `max` bytes: counted as they come, whatever was said of them before. */
export async function readBytes(request: Request, max: number): Promise<Uint8Array> {
  const began = performance.now()
  const bytes = await bytesOf(request, max).catch((cause: unknown) => {
    throw cause instanceof ApiError ? cause : new ApiError('request_aborted', 'The body broke off before its end.', { cause })
  })
  if (performance.now() - began >= PROMPT_MS) for (const check of asked.get(request) ?? []) await check()
  return bytes
}

async function bytesOf(request: Request, max: number): Promise<Uint8Array> {
  assertLength(request, max)
  const deadline = performance.now() + READ_MS
  // Whoever said how long it is, is held to it by the server.
  const said = request.headers.has('transfer-encoding') ? Number.NaN : Number(request.headers.get('content-length') ?? Number.NaN)
  if (said <= AT_ONCE_MAX) return new Uint8Array(await inTime(request.arrayBuffer(), deadline))
  const reader = request.body?.getReader()
  if (!reader) return new Uint8Array()
  try {
    return said > AT_ONCE_MAX ? await intoPlace(reader, said, deadline) : await intoOne(reader, max, deadline)
  } finally {
    void reader.cancel().catch(() => {})
  }
}

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read'>

/** What comes is put where it belongs as it comes: twenty megabytes that are moved at once hold everybody else up. */
async function intoPlace(reader: Reader, said: number, deadline: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(said)
  const breathe = yieldEvery()
  for (let size = 0; ; ) {
    const { done, value } = await inTime(reader.read(), deadline)
    if (done) return size === said ? bytes : bytes.subarray(0, size)
    for (let at = 0; at < value.length; at += PIECE, await breathe()) bytes.set(value.subarray(at, at + PIECE), size + at)
    size += value.length
  }
}

async function intoOne(reader: Reader, max: number, deadline: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for (let size = 0; ; ) {
    const { done, value } = await inTime(reader.read(), deadline)
    if (done) return Buffer.concat(chunks)
    size += value.length
    if (size > max) throw tooLarge(max)
    chunks.push(value)
  }
}

async function inTime<V>(work: Promise<V>, deadline: number): Promise<V> {
  const late = Promise.withResolvers<never>()
  const giveUp = () => late.reject(new ApiError('request_timeout', `The body did not come within ${READ_MS / 1000} s.`))
  const timer = setTimeout(giveUp, deadline - performance.now())
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

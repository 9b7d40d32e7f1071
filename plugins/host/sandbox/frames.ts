import { parseJson } from './parse-json.ts'

/**
 * Maximum bytes of a frame. A frame is the length of the JSON, the length of the bytes (each 32 bits, little endian), the JSON, the bytes.
 * Bytes are separate, so that a label or a body need not be encoded as text.
 */
const FRAME_BYTES_MAX = 21 * 1024 * 1024
/**
 * Maximum bytes of JSON in a message of a process. The server parses it before it knows its type, so it is short. Long data are in the
 * bytes.
 */
export const MESSAGE_JSON_BYTES_MAX = 256 * 1024

const HEAD_BYTES = 8
const NOTHING = new Uint8Array()
const encoder = new TextEncoder()

/** Encodes a message as a frame. Throws a `RangeError` if it exceeds the limits. */
export function encodeFrame(message: object, bytes: Uint8Array = NOTHING, jsonBytesMax = FRAME_BYTES_MAX): Uint8Array {
  const json = encoder.encode(JSON.stringify(message))
  if (json.length > jsonBytesMax) throw new RangeError(`More than ${jsonBytesMax} bytes of JSON cannot be sent.`)
  if (json.length + bytes.length > FRAME_BYTES_MAX) throw new RangeError(`More than ${FRAME_BYTES_MAX} bytes cannot be sent.`)
  const whole = new Uint8Array(HEAD_BYTES + json.length + bytes.length)
  const head = new DataView(whole.buffer)
  head.setUint32(0, json.length, true)
  head.setUint32(4, bytes.length, true)
  whole.set(json, HEAD_BYTES)
  whole.set(bytes, HEAD_BYTES + json.length)
  return whole
}

/**
 * Returns a function that takes chunks of a pipe and calls `onMessage` for each complete message. It throws if a frame is too long or is
 * not JSON.
 */
export function frameReader(
  onMessage: (message: unknown, bytes: Uint8Array, jsonBytes: number) => void,
  jsonBytesMax = FRAME_BYTES_MAX,
): (chunk: Uint8Array) => void {
  let chunks: Uint8Array[] = []
  let held = 0
  let wanted = HEAD_BYTES
  return (chunk) => {
    chunks.push(chunk)
    held += chunk.length
    if (held < wanted) return
    let rest = chunks.length === 1 ? chunk : concatenate(chunks, held)
    for (;;) {
      const { json, whole } = lengthsOf(rest)
      if (json > jsonBytesMax || whole > FRAME_BYTES_MAX) throw new RangeError(`A message of ${whole} bytes is too long.`)
      wanted = HEAD_BYTES + whole
      if (rest.length < wanted) break
      const end = HEAD_BYTES + json
      onMessage(parseJson(rest.subarray(HEAD_BYTES, end)), rest.slice(end, wanted), json)
      rest = rest.subarray(wanted)
    }
    chunks = rest.length > 0 ? [rest] : []
    held = rest.length
  }
}

/** Reads the lengths of a frame; both are 0 if the head is incomplete. */
function lengthsOf(held: Uint8Array): { json: number; whole: number } {
  if (held.length < HEAD_BYTES) return { json: 0, whole: 0 }
  const head = new DataView(held.buffer, held.byteOffset)
  const json = head.getUint32(0, true)
  return { json, whole: json + head.getUint32(4, true) }
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

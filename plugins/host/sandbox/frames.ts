/**
 * How messages stand in a pipe: the length of the JSON, the length of the bytes (both 32 bits, little endian), the JSON, the bytes.
 * Bytes go beside the JSON, so that a label or a body is not written out as text.
 */
const FRAME_BYTES_MAX = 21 * 1024 * 1024

const HEAD_BYTES = 8
const NOTHING = new Uint8Array()
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Throws a `RangeError` where it is larger than the other side takes. */
export function frame(message: object, bytes: Uint8Array = NOTHING): Uint8Array {
  const json = encoder.encode(JSON.stringify(message))
  if (json.length + bytes.length > FRAME_BYTES_MAX) throw new RangeError(`More than ${FRAME_BYTES_MAX} bytes cannot be passed on.`)
  const whole = new Uint8Array(HEAD_BYTES + json.length + bytes.length)
  const head = new DataView(whole.buffer)
  head.setUint32(0, json.length, true)
  head.setUint32(4, bytes.length, true)
  whole.set(json, HEAD_BYTES)
  whole.set(bytes, HEAD_BYTES + json.length)
  return whole
}

/** Takes the chunks of a pipe and gives each message once it is whole. Throws where a frame is too long or is no JSON. */
export function frameReader(take: (message: unknown, bytes: Uint8Array) => void): (chunk: Uint8Array) => void {
  let chunks: Uint8Array[] = []
  let held = 0
  let wanted = HEAD_BYTES
  return (chunk) => {
    chunks.push(chunk)
    held += chunk.length
    if (held < wanted) return
    let rest = chunks.length === 1 ? chunk : joined(chunks, held)
    for (;;) {
      wanted = lengthOf(rest)
      if (rest.length < wanted) break
      const json = HEAD_BYTES + new DataView(rest.buffer, rest.byteOffset).getUint32(0, true)
      take(JSON.parse(decoder.decode(rest.subarray(HEAD_BYTES, json))), rest.slice(json, wanted))
      rest = rest.subarray(wanted)
    }
    chunks = rest.length > 0 ? [rest] : []
    held = rest.length
  }
}

function lengthOf(held: Uint8Array): number {
  if (held.length < HEAD_BYTES) return HEAD_BYTES
  const head = new DataView(held.buffer, held.byteOffset)
  const length = head.getUint32(0, true) + head.getUint32(4, true)
  if (length > FRAME_BYTES_MAX) throw new RangeError(`A message of ${length} bytes is too long.`)
  return HEAD_BYTES + length
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

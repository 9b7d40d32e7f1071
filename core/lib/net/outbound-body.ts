import type { Deadline } from './deadline.ts'
import { asOutboundError, OutboundError } from './outbound-error.ts'

/** Bytes of an unwanted rest that are read to keep the connection open. */
const DRAIN_BYTES = 64 * 1024

/** Limits a streamed body in time and size. A reader gets its end or an error; cancelling the stream ends the request. */
export function limitStream(stream: ReadableStream<Uint8Array>, maxBytes: number, { signal, clear }: Deadline): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  let size = 0
  const fail = async (error: unknown) => {
    clear()
    await reader.cancel().catch(() => {})
    throw asOutboundError(error, signal)
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          size += value?.length ?? 0
          if (size > maxBytes) throw new OutboundError('too_large', `The answer is larger than ${maxBytes} bytes.`, { wasSent: true })
          if (value) controller.enqueue(value)
          if (!done) return
          clear()
          controller.close()
        } catch (error) {
          await fail(error)
        }
      },
      async cancel() {
        clear()
        await reader.cancel().catch(() => {})
      },
    },
    { highWaterMark: 0 },
  )
}

/** Reads a whole response body. Throws `too_large` for more than `maxBytes`. */
export async function readUpTo(response: Response, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => new OutboundError('too_large', `The answer is larger than ${maxBytes} bytes.`, { wasSent: true })
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body?.cancel().catch(() => {})
    throw tooLarge()
  }
  if (!response.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads the start of the body. An error after that is ignored, because the status alone is the result. */
export async function readHead(response: Response, headBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      if (size < headBytes) chunks.push(chunk)
      size += chunk.length
      if (size > DRAIN_BYTES) break
    }
  } catch {
    // The chunks that were read so far are the result.
  }
  return Buffer.concat(chunks).subarray(0, headBytes)
}

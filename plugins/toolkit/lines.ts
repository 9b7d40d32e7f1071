import { AdapterError } from '../adapter.ts'

const LINE_MAX = 4 * 1024 * 1024

/**
 * Yields the lines of a body as they arrive, without their ends (LF, CR or both), and the rest after the last one. Characters split between
 * two chunks stay whole. Throws `unavailable` for a line longer than 4 MiB.
 */
export async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body ?? []) {
    rest += decoder.decode(bytes, { stream: true })
    // A CR at the end of a chunk may be the first half of CR LF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    if (rest.length > LINE_MAX) throw new AdapterError('unavailable', 'The platform sent a line that is too long.')
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== '') yield rest.replace(/\r$/, '')
}

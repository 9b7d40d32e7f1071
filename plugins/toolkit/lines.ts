import { AdapterError } from '../adapter.ts'

const LINE_MAX = 4 * 1024 * 1024

/**
 * The lines of a body as they come, without their ends (LF, CR or both), and what follows the last. Letters that were torn apart between
 * two pieces are whole. Throws `unavailable` where one is longer than anybody writes.
 */
export async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body ?? []) {
    rest += decoder.decode(bytes, { stream: true })
    // A CR at the end may be the first half of one end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    if (rest.length > LINE_MAX) throw new AdapterError('unavailable', 'The other side wrote a line without an end.')
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== '') yield rest.replace(/\r$/, '')
}

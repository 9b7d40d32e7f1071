import { once } from 'node:events'
import type { Queryable } from '../../core/data/sql.ts'

const CHUNK_CHARS = 1024 * 1024

/** Text for COPY of the rows with these numbers, in pieces. */
export function* rows(from: number, to: number, row: (n: number) => string): Generator<string> {
  let chunk = ''
  for (let n = from; n < to; n += 1) {
    chunk += row(n)
    if (chunk.length < CHUNK_CHARS) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

export async function copy(sql: Queryable, into: string, chunks: Iterable<string>): Promise<void> {
  const stream = await sql.unsafe(`copy ${into} from stdin`).writable()
  const done = once(stream, 'finish')
  for (const chunk of chunks) if (!stream.write(chunk)) await once(stream, 'drain')
  stream.end()
  await done
}

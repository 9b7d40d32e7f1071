import type { ByteRange } from './ranges.ts'

/** Slices a file without reading it. */
export const sliceFile = <F extends { slice(from: number, to: number): F }>(file: F, range: ByteRange | undefined): F =>
  range ? file.slice(range.start, range.end + 1) : file

interface Piece {
  readonly done: boolean
  readonly value?: Uint8Array | undefined
}

interface Reader {
  read(): Promise<Piece>
  cancel(why?: unknown): Promise<unknown>
}

/** Starts a stream and waits for its first bytes, so that a missing file is detected before the response starts. Null if it is missing. */
export async function startStream(
  reader: Reader,
  read: (first: Promise<Piece>) => Promise<Piece | null>,
): Promise<ReadableStream<Uint8Array> | null> {
  const first = await read(reader.read())
  return first && restOf(reader, first)
}

const restOf = (reader: Reader, first: Piece) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      if (first.value) controller.enqueue(first.value)
      if (first.done) controller.close()
    },
    async pull(controller) {
      const { done, value } = await reader.read()
      if (value) controller.enqueue(value)
      if (done) controller.close()
    },
    async cancel(why) {
      await reader.cancel(why)
    },
  })

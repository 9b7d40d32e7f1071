import type { Range } from './storage/ranges.ts'

/** Something that is kept, and when it was put there. */
export interface Kept {
  readonly key: string
  readonly at: number
}

/** Where the bytes of files lie. Throws `unavailable` while that cannot be reached. */
export interface Keeping {
  /** All of it is there when it answers. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** Null where there is none. */
  read(key: string): Promise<Uint8Array | null>
  /** The same for an answer, piece by piece, or only some bytes of it. */
  open(key: string, range?: Range): Promise<ReadableStream<Uint8Array> | null>
  /** Also where there is none. */
  remove(key: string): Promise<void>
  /** All keys that begin so, some at a time. */
  list(prefix: string): AsyncIterable<readonly Kept[]>
}

const KEY = /^[a-z]{3}_[0-9a-z]{26}\/fil_[0-9a-z]{36}$/

/** Whether it is a key of ours: nothing else that lies there is touched, and none leads out of its place. */
export const isKey = (key: string): boolean => KEY.test(key)

export const keyOf = (ownerId: string, fileId: string): string => {
  const key = `${ownerId}/${fileId}`
  if (!isKey(key)) throw new Error('This is no key of a file.')
  return key
}

import type { ByteRange } from './storage/ranges.ts'

/** Stored object and the time it was written, in milliseconds. */
export interface StoredObject {
  readonly key: string
  readonly at: number
}

/** Storage of file bytes. Throws `unavailable` while it cannot be reached. */
export interface ObjectStore {
  /** Stores an object. Resolves when all of it is stored. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** Reads an object; null if it does not exist. */
  read(key: string): Promise<Uint8Array | null>
  /** Streams an object or a range of its bytes; null if it does not exist. */
  open(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>
  /** Deletes an object. Succeeds if it does not exist. */
  remove(key: string): Promise<void>
  /** Lists the objects whose key starts with the prefix, in batches. */
  list(prefix: string): AsyncIterable<readonly StoredObject[]>
}

const KEY = /^[a-z]{3}_[0-9a-z]{26}\/fil_[0-9a-z]{36}$/

/** Returns true if a text is a storage key. Other objects are never touched, and a key cannot escape its folder. */
export const isKey = (key: string): boolean => KEY.test(key)

/** Builds the storage key of a file. */
export const keyOf = (ownerId: string, fileId: string): string => {
  const key = `${ownerId}/${fileId}`
  if (!isKey(key)) throw new Error('This is no key of a file.')
  return key
}

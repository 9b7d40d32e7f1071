import { S3Client } from 'bun'
import { fileErrors } from '../files.errors.ts'
import { isKey, type ObjectStore, type StoredObject } from '../object-store.ts'
import { sliceFile, startStream } from './start-stream.ts'

const WAIT_MS = 30_000
const PAGE = 1_000

/** Parses `FILES_S3_URL`. Throws an error that does not reveal its value. */
export function parseS3Url(text: string) {
  const url = URL.parse(text)
  const bucket = url?.pathname.slice(1) ?? ''
  if (!url || !/^https?:$/.test(url.protocol) || !url.username || !url.password || !/^[\w.-]{3,63}$/.test(bucket))
    throw new Error('FILES_S3_URL must be https://key:secret@host/bucket, with ?region=… where the store has regions.')
  const [accessKeyId, secretAccessKey] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  return { endpoint: url.origin, bucket, accessKeyId, secretAccessKey, region: url.searchParams.get('region') ?? 'us-east-1' }
}

/** Stores files in a bucket of any S3-compatible store. */
export function s3Store(text: string): ObjectStore {
  const bucket = new S3Client(parseS3Url(text))
  const fileOf = (key: string) => {
    if (!isKey(key)) throw new Error('This is no key of a file.')
    return bucket.file(key)
  }

  return {
    async put(key, bytes, type) {
      await withDeadline(fileOf(key).write(bytes, { type }))
    },
    read: async (key) => withDeadline(orNull(fileOf(key).bytes())),
    async open(key, range) {
      return startStream(sliceFile(fileOf(key), range).stream().getReader(), (first) => withDeadline(orNull(first)))
    },
    async remove(key) {
      await withDeadline(orNull(fileOf(key).delete()))
    },
    async *list(prefix) {
      for (let after: string | undefined, more = true; more; ) {
        const page = await withDeadline(bucket.list({ prefix, maxKeys: PAGE, ...(after && { continuationToken: after }) }))
        yield (page.contents ?? []).flatMap(({ key, lastModified }): StoredObject[] =>
          isKey(key) ? [{ key, at: Date.parse(lastModified ?? '') || Date.now() }] : [],
        )
        after = page.nextContinuationToken
        more = page.isTruncated === true && after !== undefined
      }
    },
  }
}

const orNull = <V>(work: Promise<V>): Promise<V | null> =>
  work.catch((error) => {
    if (error?.code === 'NoSuchKey') return null
    throw error
  })

/** Limits the time of a request to the store. Throws `unavailable`. */
async function withDeadline<V>(work: Promise<V>): Promise<V> {
  const late = Promise.withResolvers<never>()
  const deadline = setTimeout(() => late.reject(new Error(`The store of files took longer than ${WAIT_MS / 1000} s.`)), WAIT_MS)
  try {
    return await Promise.race([work, late.promise])
  } catch (cause) {
    throw fileErrors.storageUnreachable({
      cause,
      retryAfterSeconds: 5,
    })
  } finally {
    clearTimeout(deadline)
  }
}

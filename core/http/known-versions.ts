import { evictOldest } from '../lib/evict-oldest.ts'
import { answerIfKnown, type Versioned } from './etag.ts'

const REMEMBERED_MAX = 10_000

/** Versions that this process has seen the responses of a list have, so that it need not read a list that has not changed. */
export interface KnownVersions {
  /**
   * Handles `beforeHandle`: answers 304 without reading the response, if the client's copy was made of the version that `findVersion` returns.
   * Asks for it only if the client has a copy. Undefined leaves the decision to the digest of the response.
   */
  readonly answer: (asked: Versioned, findVersion: () => Promise<string | undefined>) => void
  /** Handles `afterHandle`, after the ETag is set: remembers of which version the response was made. */
  readonly remember: (asked: Versioned) => void
}

/** Creates the memory of one list. A version is read before its response, so a remembered response is never older than its version. */
export function rememberVersions(): KnownVersions {
  const etags = new Map<string, string>()
  const versions = new WeakMap<Request, string>()
  const find = async (asked: Versioned, findVersion: () => Promise<string | undefined>): Promise<Response | undefined> => {
    if (!asked.request.headers.has('if-none-match')) return undefined
    const version = await findVersion()
    if (version === undefined) return undefined
    versions.set(asked.request, version)
    const etag = etags.get(version)
    return etag === undefined ? undefined : answerIfKnown(asked, etag)
  }
  return {
    answer: find,
    remember({ request, set }) {
      const [version, etag] = [versions.get(request), set.headers.etag]
      if (version === undefined || etag === undefined) return
      evictOldest(etags, REMEMBERED_MAX - 1)
      etags.set(version, String(etag))
    },
  }
}

import { evictOldest } from '../lib/evict-oldest.ts'
import { answerIfKnown, type Versioned } from './etag.ts'

const REMEMBERED_MAX = 10_000

/** Memory of the versions of a list's responses. A list that has not changed is not read again. */
export interface KnownVersions {
  /**
   * Handles `beforeHandle`. Returns a 304 if the client's copy is of the version that `findVersion` returns, and otherwise undefined, so
   * that the list is read. `findVersion` is called only if the client has a copy. It returns undefined for a list without a version. The type
   * says `void`, because Elysia compares a returned type with the schema of the list.
   */
  readonly answer: (asked: Versioned, findVersion: () => Promise<string | undefined>) => void
  /** Handles `afterHandle`, after the ETag is set. Remembers the ETag of the response's version. */
  readonly remember: (asked: Versioned) => void
}

/** Creates the memory of one list. The version is read before the list, so a remembered response is never older than its version. */
export function rememberVersions(): KnownVersions {
  const etags = new Map<string, string>()
  const versions = new WeakMap<Request, string>()
  return {
    async answer(asked, findVersion): Promise<Response | undefined> {
      if (!asked.request.headers.has('if-none-match')) return undefined
      const version = await findVersion()
      if (version === undefined) return undefined
      versions.set(asked.request, version)
      const etag = etags.get(version)
      return etag === undefined ? undefined : answerIfKnown(asked, etag)
    },
    remember({ request, set }) {
      const [version, etag] = [versions.get(request), set.headers.etag]
      if (version === undefined || etag === undefined) return
      evictOldest(etags, REMEMBERED_MAX - 1)
      etags.set(version, String(etag))
    },
  }
}

import type { Context } from '../../context.ts'
import { evictOldest } from '../../lib/evict-oldest.ts'
import { newId } from '../../lib/ids.ts'
import type { App } from './client.ts'
import { ClientMetadataError, parseClientMetadata } from './register.ts'
import { findAppByDocument, upsertDocumentApp } from './registrations.queries.ts'

const FRESH_MS = 10 * 60_000
/** Maximum age in milliseconds at which a stored document still counts while it cannot be fetched. */
const STALE_MS = 86_400_000
const FAILED_MS = 60_000
const FETCH_MS = 5_000
const BYTES_MAX = 16 * 1024
const REMEMBERED_MAX = 1_000

/** OAuth clients that are identified by the URL of their metadata document. */
export interface DocumentApps {
  /**
   * Returns the client of a document, fetching it unless that happened within minutes. `assertMay` is called before a fetch. Throws {@link
   * ClientMetadataError}.
   */
  find(clientId: string, assertMay: () => Promise<void>): Promise<App>
}

/**
 * Creates the client store. It fetches documents through egress, which reaches no private network. Concurrent requests share one fetch of a
 * document.
 */
export function openDocumentApps({ sql, outbound }: Pick<Context, 'sql' | 'outbound'>): DocumentApps {
  const failures = new Map<string, { readonly until: number; readonly problem: ClientMetadataError }>()
  const inFlight = new Map<string, Promise<App>>()

  async function read(clientId: string): Promise<App> {
    const { client, method } = parseClientMetadata(await fetchDocument(outbound, clientId))
    if (method !== 'none') throw problem('A client with a metadata document has no secret: token_endpoint_auth_method must be none.')
    return upsertDocumentApp(sql, clientId, { id: newId('app'), secretHash: null, secretLast4: null, ...client })
  }

  async function readOrRecordFailure(clientId: string): Promise<App> {
    try {
      return await read(clientId)
    } catch (error) {
      if (error instanceof ClientMetadataError) {
        evictOldest(failures, REMEMBERED_MAX - 1)
        failures.set(clientId, { until: Date.now() + FAILED_MS, problem: error })
      }
      throw error
    } finally {
      inFlight.delete(clientId)
    }
  }

  return {
    async find(clientId, assertMay) {
      const known = await findAppByDocument(sql, clientId)
      const ageMs = known ? Date.now() - Date.parse(known.checkedAt) : Number.POSITIVE_INFINITY
      if (known && ageMs < FRESH_MS) return known
      const failed = failures.get(clientId)
      try {
        if (failed && failed.until > Date.now()) throw failed.problem
        const pending = inFlight.get(clientId)
        if (pending) return await pending
        await assertMay()
        const work = readOrRecordFailure(clientId)
        inFlight.set(clientId, work)
        return await work
      } catch (error) {
        if (known && ageMs < STALE_MS && error instanceof ClientMetadataError && error.cause !== undefined) return known
        throw error
      }
    },
  }
}

async function fetchDocument(outbound: Context['outbound'], clientId: string): Promise<unknown> {
  const answer = await outbound({
    url: clientId,
    headers: { accept: 'application/json' },
    timeoutMs: FETCH_MS,
    maxBytes: BYTES_MAX,
    followRedirects: false,
  }).catch((cause: unknown) => {
    throw Object.assign(problem('The metadata document of the client cannot be reached.'), { cause })
  })
  if (answer.status >= 500) throw Object.assign(problem('The metadata document of the client cannot be reached.'), { cause: answer.status })
  if (answer.status !== 200) throw problem(`The address of the metadata document returned status ${answer.status} instead of 200.`)
  const document = parse(answer.body)
  if ((document as { client_id?: unknown } | null)?.client_id !== clientId)
    throw problem('client_id in the metadata document must be the address of the document.')
  // The default method of registrations needs a secret. A document has none, so its default is `none`.
  return { token_endpoint_auth_method: 'none', ...(document as object) }
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw problem('The metadata document of the client is not valid JSON.')
  }
}

const problem = (message: string) => new ClientMetadataError('invalid_client_metadata', message)

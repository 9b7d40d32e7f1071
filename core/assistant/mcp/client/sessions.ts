import type {
  Client,
  JsonSchemaValidator,
  jsonSchemaValidator,
  ResponseCacheStore,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { Context } from '../../../context.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { failureOf, isAway } from '../failure.ts'
import type { McpServerRow } from '../mcp.queries.ts'
import { reaching } from '../reach.ts'
import { admission, noteWanted, remembering } from './admission.ts'
import { type Sdk, sdk } from './sdk.ts'
import { unlessAborted } from './unless-aborted.ts'

/** What reaching for a server needs of the house. */
export type Needs = Pick<Context, 'sql' | 'vault' | 'webhookOutbound' | 'gateway'>

export interface Session {
  readonly client: Client
  readonly transport: StreamableHTTPClientTransport
  readonly protocol: string | null
  readonly title: string | null
}

/** Who is at which server, for how long at most. */
export interface Visit {
  readonly server: McpServerRow
  readonly userId: string
  readonly deadlineMs: number
  readonly signal?: AbortSignal
}

interface Kept {
  readonly session: Promise<Session>
  /** Calls that are under way in it. */
  calls: number
  usedAt: number
}

const SESSIONS_MAX = 200
const IDLE_MS = 60_000
const CALLS_MAX = 16
const CONNECT_MS = 10_000
const GOODBYE_MS = 2_000
const PAGES_MAX = 8

/** The output of a tool is text to us. What a stranger's schema would cost to compile, and its patterns to match, nobody pays. */
const believing: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (data) => ({ valid: true, data: data as T, errorMessage: undefined })
  },
}

/** What a server has listed is kept by us, as far as it can be used, and by nobody else. */
const keepingNothing: ResponseCacheStore = { get: () => undefined, set: () => 0, delete() {}, evict() {}, clear() {} }

/**
 * Sessions with servers of tools, one for each person at each server, in this process: kept for a minute after their last use, and opened
 * anew where a server has forgotten them. A server that does not answer is left alone for a while, by all that is asked of it.
 */
export class Sessions {
  readonly #kept = new Map<string, Kept>()
  readonly #sweep = setInterval(() => this.#closeIdle(), IDLE_MS / 2)

  constructor() {
    this.#sweep.unref()
  }

  /** Does something in the session of this person at this server. Throws `ApiError`, and what aborted it. */
  async within<V>(needs: Needs, visit: Visit, work: (session: Session, signal: AbortSignal) => Promise<V>): Promise<V> {
    const { server, signal, deadlineMs } = visit
    const library = await sdk()
    const { breakers } = needs.gateway
    const circuit = `mcp ${server.id}`
    const waitMs = breakers.enter(circuit)
    if (waitMs > 0)
      throw new ApiError('mcp_server_failed', `${server.name} has not been answering; it is asked again in ${Math.ceil(waitMs / 1000)} s.`)
    const deadline = AbortSignal.timeout(deadlineMs)
    try {
      const either = signal ? AbortSignal.any([signal, deadline]) : deadline
      const done = await this.#tried(library, needs, visit, either, work)
      breakers.succeeded(circuit)
      return done
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof library.InsufficientScopeError) await noteWanted(needs, server, visit.userId, error.requiredScope)
      const late = deadline.aborted ? new ApiError('upstream_timeout', `${server.name} did not answer in time.`, { cause: error }) : null
      const failure = late ?? failureOf(library, server, error)
      if (late || isAway(library, error)) breakers.failed(circuit)
      else breakers.succeeded(circuit)
      throw failure
    }
  }

  async #tried<V>(
    library: Sdk,
    needs: Needs,
    { server, userId }: Visit,
    signal: AbortSignal,
    work: (session: Session, signal: AbortSignal) => Promise<V>,
  ): Promise<V> {
    const key = `${server.id} ${userId} ${server.updatedAt}`
    for (let attempt = 1; ; attempt += 1) {
      const kept = this.#keep(key, () => connect(library, needs, server, userId))
      if (kept.calls >= CALLS_MAX)
        throw new ApiError('rate_limited', `${server.name} is asked ${CALLS_MAX} things at once at most. Wait a moment.`)
      kept.calls += 1
      try {
        const session = await unlessAborted(kept.session, signal)
        return await unlessAborted(work(session, signal), signal)
      } catch (error) {
        if (!isLost(library, error)) throw error
        this.#drop(key, kept)
        if (attempt > 1) throw error
      } finally {
        kept.calls -= 1
        kept.usedAt = Date.now()
      }
    }
  }

  #keep(key: string, open: () => Promise<Session>): Kept {
    const known = this.#kept.get(key)
    if (known) return known
    const made: Kept = { session: open(), calls: 0, usedAt: Date.now() }
    this.#kept.set(key, made)
    made.session.catch(() => this.#drop(key, made))
    for (const [other, kept] of this.#kept) {
      if (this.#kept.size <= SESSIONS_MAX) break
      if (kept.calls === 0) this.#drop(other, kept)
    }
    return made
  }

  #drop(key: string, kept: Kept) {
    if (this.#kept.get(key) === kept) this.#kept.delete(key)
    void leave(kept)
  }

  #closeIdle() {
    const before = Date.now() - IDLE_MS
    for (const [key, kept] of this.#kept) if (kept.calls === 0 && kept.usedAt < before) this.#drop(key, kept)
  }

  /** What was kept of a server is over: it was changed, or somebody signed in. */
  forget(serverId: string) {
    for (const [key, kept] of this.#kept) if (key.startsWith(`${serverId} `)) this.#drop(key, kept)
  }

  close() {
    clearInterval(this.#sweep)
    for (const [key, kept] of this.#kept) this.#drop(key, kept)
  }
}

/** Says goodbye, if that is heard in time. */
async function leave({ session }: Kept) {
  const there = await session.catch(() => null)
  if (!there) return
  const { client, transport } = there
  if (transport.sessionId !== undefined) await Promise.race([transport.terminateSession().catch(() => {}), Bun.sleep(GOODBYE_MS)])
  await client.close().catch(() => {})
}

/** The server has forgotten the session: 404 says so, and some say 400 and why. Nothing was done then. */
function isLost(library: Sdk, error: unknown): boolean {
  if (!(error instanceof library.SdkHttpError)) return false
  return error.status === 404 || (error.status === 400 && /session/i.test(`${error.message} ${String(error.data.text ?? '')}`))
}

async function connect(library: Sdk, needs: Needs, server: McpServerRow, userId: string): Promise<Session> {
  const { fetch, shownTo } = remembering(reaching(needs))
  const transport = new library.StreamableHTTPClientTransport(new URL(server.url), {
    fetch,
    ...(await admission(library, needs, server, userId, { fetch, shownTo })),
    onInsufficientScope: 'throw',
    reconnectionOptions: { maxRetries: 0, initialReconnectionDelay: 1000, maxReconnectionDelay: 1000, reconnectionDelayGrowFactor: 1 },
  })
  const client = new library.Client(
    { name: 'serai', version: '1' },
    {
      capabilities: {},
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: CONNECT_MS } },
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: believing,
      responseCacheStore: keepingNothing,
      listMaxPages: PAGES_MAX,
    },
  )
  try {
    await client.connect(transport, { timeout: CONNECT_MS })
  } catch (error) {
    await client.close().catch(() => {})
    throw error
  }
  const { title, name } = client.getServerVersion() ?? {}
  return { client, transport, protocol: client.getNegotiatedProtocolVersion() ?? null, title: title ?? name ?? null }
}

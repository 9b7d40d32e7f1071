import type {
  Client,
  JsonSchemaValidator,
  jsonSchemaValidator,
  ResponseCacheStore,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { Context } from '../../../context.ts'
import { failureOf, isUnavailable } from '../failure.ts'
import { guardedFetch } from '../guarded-fetch.ts'
import { mcpErrors } from '../mcp.errors.ts'
import type { McpServerRow } from '../mcp.queries.ts'
import { raceAbort } from './race-abort.ts'
import { loadSdk, type Sdk } from './sdk.ts'
import { recordAuthorization, recordMissingScope, transportCredentials } from './transport-credentials.ts'

/** Services that a call of an MCP server needs. */
export type SessionServices = Pick<Context, 'sql' | 'vault' | 'webhookOutbound' | 'egress'>

/** Open connection to an MCP server. `protocol` and `title` are as negotiated; null when unknown. */
export interface McpSession {
  readonly client: Client
  readonly transport: StreamableHTTPClientTransport
  readonly protocol: string | null
  readonly title: string | null
}

/** Server, user and deadline of one call in a session. */
export interface SessionCall {
  readonly server: McpServerRow
  readonly userId: string
  readonly deadlineMs: number
  readonly signal?: AbortSignal
}

interface PooledSession {
  readonly session: Promise<McpSession>
  /** Calls that are running in it. */
  calls: number
  usedAt: number
}

/** Open sessions of this process. */
const SESSIONS_MAX = 200
/** Time after the last call when a session is closed. */
const IDLE_MS = 60_000
/** Calls that one session runs at the same time. */
const CALLS_MAX = 16
const CONNECT_MS = 10_000
/** Time that a server has to end a session. */
const TERMINATE_MS = 2_000
const PAGES_MAX = 8

/** Validator that accepts every output of a tool: it is only text here, and a foreign schema may be expensive to compile and to match. */
const acceptAll: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (data) => ({ valid: true, data: data as T, errorMessage: undefined })
  },
}

/** Cache that stores nothing: the lists of tools are cached in `ToolListCache`. */
const noCache: ResponseCacheStore = { get: () => undefined, set: () => 0, delete() {}, evict() {}, clear() {} }

/**
 * Pool of sessions with MCP servers in this process, one for each user and server. Closes idle sessions after a minute, and opens a new one
 * when a server has lost it. A circuit breaker pauses calls to a server that does not answer.
 */
export class McpSessions {
  readonly #pool = new Map<string, PooledSession>()
  readonly #sweep = setInterval(() => this.#closeIdle(), IDLE_MS / 2)

  constructor() {
    this.#sweep.unref()
  }

  /** Runs `work` in the session of a user at a server. Throws `DomainError`, or the reason of an abort. */
  async withSession<V>(
    needs: SessionServices,
    visit: SessionCall,
    work: (session: McpSession, signal: AbortSignal) => Promise<V>,
  ): Promise<V> {
    const { server, signal, deadlineMs } = visit
    const library = await loadSdk()
    const { breakers } = needs.egress
    const circuit = `mcp ${server.id}`
    const waitMs = breakers.tryEnter(circuit)
    if (waitMs > 0) throw mcpErrors.serverFailing({ name: server.name, seconds: Math.ceil(waitMs / 1000) })
    const deadline = AbortSignal.timeout(deadlineMs)
    try {
      const either = signal ? AbortSignal.any([signal, deadline]) : deadline
      const done = await this.#attempt(library, needs, visit, either, work)
      breakers.recordSuccess(circuit)
      return done
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof library.InsufficientScopeError) await recordMissingScope(needs, server, visit.userId, error.requiredScope)
      const late = deadline.aborted ? mcpErrors.serverTimedOut({ name: server.name }, { cause: error }) : null
      const failure = late ?? failureOf(library, server, error)
      if (late || isUnavailable(library, error)) breakers.recordFailure(circuit)
      else breakers.recordSuccess(circuit)
      throw failure
    }
  }

  async #attempt<V>(
    library: Sdk,
    needs: SessionServices,
    { server, userId }: SessionCall,
    signal: AbortSignal,
    work: (session: McpSession, signal: AbortSignal) => Promise<V>,
  ): Promise<V> {
    const key = `${server.id} ${userId} ${server.updatedAt}`
    for (let attempt = 1; ; attempt += 1) {
      const pooled = this.#acquire(key, () => connect(library, needs, server, userId))
      if (pooled.calls >= CALLS_MAX) throw mcpErrors.tooManyCalls({ callsMax: CALLS_MAX, name: server.name })
      pooled.calls += 1
      try {
        const session = await raceAbort(pooled.session, signal)
        return await raceAbort(work(session, signal), signal)
      } catch (error) {
        if (!isSessionLost(library, error)) throw error
        this.#drop(key, pooled)
        if (attempt > 1) throw error
      } finally {
        pooled.calls -= 1
        pooled.usedAt = Date.now()
      }
    }
  }

  #acquire(key: string, open: () => Promise<McpSession>): PooledSession {
    const known = this.#pool.get(key)
    if (known) return known
    const made: PooledSession = { session: open(), calls: 0, usedAt: Date.now() }
    this.#pool.set(key, made)
    made.session.catch(() => this.#drop(key, made))
    for (const [other, pooled] of this.#pool) {
      if (this.#pool.size <= SESSIONS_MAX) break
      if (pooled.calls === 0) this.#drop(other, pooled)
    }
    return made
  }

  #drop(key: string, pooled: PooledSession) {
    if (this.#pool.get(key) === pooled) this.#pool.delete(key)
    void closeSession(pooled)
  }

  #closeIdle() {
    const before = Date.now() - IDLE_MS
    for (const [key, pooled] of this.#pool) if (pooled.calls === 0 && pooled.usedAt < before) this.#drop(key, pooled)
  }

  /** Closes all sessions of a server, after it was changed or after a sign-in. */
  closeServer(serverId: string) {
    for (const [key, pooled] of this.#pool) if (key.startsWith(`${serverId} `)) this.#drop(key, pooled)
  }

  /** Closes all sessions and stops the sweep. */
  close() {
    clearInterval(this.#sweep)
    for (const [key, pooled] of this.#pool) this.#drop(key, pooled)
  }
}

/** Ends a session at the server, for at most {@link TERMINATE_MS}, and closes the client. */
async function closeSession({ session }: PooledSession) {
  const opened = await session.catch(() => null)
  if (!opened) return
  const { client, transport } = opened
  if (transport.sessionId !== undefined) await Promise.race([transport.terminateSession().catch(() => {}), Bun.sleep(TERMINATE_MS)])
  await client.close().catch(() => {})
}

/** Returns true when the server no longer knows the session: 404, or from some servers 400 with a message. The call did nothing then. */
function isSessionLost(library: Sdk, error: unknown): boolean {
  if (!(error instanceof library.SdkHttpError)) return false
  return error.status === 404 || (error.status === 400 && /session/i.test(`${error.message} ${String(error.data.text ?? '')}`))
}

async function connect(library: Sdk, needs: SessionServices, server: McpServerRow, userId: string): Promise<McpSession> {
  const { fetch, authorizationOf: shownTo } = recordAuthorization(guardedFetch(needs))
  const transport = new library.StreamableHTTPClientTransport(new URL(server.url), {
    fetch,
    ...(await transportCredentials(library, needs, server, userId, { fetch, authorizationOf: shownTo })),
    onInsufficientScope: 'throw',
    reconnectionOptions: { maxRetries: 0, initialReconnectionDelay: 1000, maxReconnectionDelay: 1000, reconnectionDelayGrowFactor: 1 },
  })
  const client = new library.Client(
    { name: 'serai', version: '1' },
    {
      capabilities: {},
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: CONNECT_MS } },
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: acceptAll,
      responseCacheStore: noCache,
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

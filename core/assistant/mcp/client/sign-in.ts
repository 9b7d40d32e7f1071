import type { Context } from '../../../context.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { MINUTE_MS } from '../../../lib/durations.ts'
import { DomainError } from '../../../lib/errors/domain-error.ts'
import { failureOf, sanitizeText } from '../failure.ts'
import { guardedFetch, urlProblem } from '../guarded-fetch.ts'
import { mcpErrors } from '../mcp.errors.ts'
import type { SignInCompletion } from '../mcp.model.ts'
import { consumeSignIn, findSignIn, insertSignIn, listSecrets, type McpServerRow } from '../mcp.queries.ts'
import { McpOAuthProvider, type PendingSignIn, type StoredTokens, withLockedServer } from './oauth-provider.ts'
import { loadSdk, type Sdk } from './sdk.ts'
import { openSecret } from './secrets.ts'

type Needs = Pick<Context, 'sql' | 'vault' | 'config' | 'webhookOutbound' | 'shared' | 'mcpSessions' | 'mcpToolLists'>

/** Minutes after which a pending sign-in expires. */
const MINUTES = 10
/** Sign-ins that one user may start in a minute; each sends several requests to foreign servers. */
const STARTS_MAX = 30
/** Deadline of all requests of one start or one completion. */
const EXCHANGE_MS = 30_000

const sealContext = (digest: string) => `mcp sign-in ${digest}`

/** Started sign-in: the URL for the browser, the state that it returns with, and the expiry (ISO 8601). */
export interface StartedSignIn {
  readonly authorizationUrl: string
  readonly state: string
  readonly expiresAt: string
}

/**
 * Starts an OAuth sign-in at an MCP server: discovers its authorization server, registers a client if needed, and returns the URL for the
 * browser. Throws `conflict`, `rate_limited`, `mcp_server_failed`.
 */
export async function startSignIn(
  needs: Needs,
  server: McpServerRow,
  userId: string,
  origin: string,
  returnTo: string | null,
): Promise<StartedSignIn> {
  if (server.auth !== 'oauth') throw mcpErrors.noOAuth({ name: server.name })
  if (returnTo !== null) assertReturnTo(needs, origin, returnTo)
  await assertSignInRate(needs, userId)
  const underway: PendingSignIn = { url: server.url, origin, state: newToken('mcs') }
  const address = await withLibrary(needs, server, async (library, fetch) => {
    const challenge = await challengeOf(library, server, fetch)
    const scope = library.computeScopeUnion(challenge.scope, ...(await previousScopes(needs, server, userId)))
    await library.auth(new McpOAuthProvider(needs, server, userId, underway, mcpErrors.signInUsed), {
      serverUrl: server.url,
      fetchFn: fetch,
      forceReauthorization: true,
      ...(scope !== undefined && { scope }),
      ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
    })
    // Without PKCE a stolen code could be redeemed by anyone (RFC 7636).
    if (!underway.discovery?.authorizationServerMetadata?.code_challenge_methods_supported?.includes('S256'))
      throw mcpErrors.noPkce({ name: server.name })
    return underway.address
  })
  if (address === undefined || urlProblem(needs, address) !== null) throw mcpErrors.noSignInPage({ name: server.name })
  const digest = sha256(underway.state)
  const expiresAt = new Date(Date.now() + MINUTES * MINUTE_MS)
  const sealed = needs.vault.seal(JSON.stringify(underway), sealContext(digest))
  const signIn = { projectId: server.projectId, digest, serverId: server.id, userId, sealed, returnTo, expiresAt }
  await withLockedServer(needs.sql, server, (tx) => insertSignIn(tx, signIn))
  return { authorizationUrl: address, state: underway.state, expiresAt: expiresAt.toISOString() }
}

/**
 * Completes a sign-in with the values that the browser returned with: once, and only for the user who started it. Throws `invalid_code`.
 */
export async function completeSignIn(
  needs: Needs,
  server: McpServerRow,
  userId: string,
  { state, code, iss, error }: SignInCompletion,
): Promise<void> {
  const digest = sha256(state)
  const pending = await consumeSignIn(needs.sql, digest, server, userId)
  if (!pending) throw mcpErrors.signInUsed()
  const underway = JSON.parse(needs.vault.open(pending.sealed, sealContext(digest))) as PendingSignIn
  // The URL of the server has changed since the start.
  if (underway.url !== server.url) throw mcpErrors.signInUsed()
  if (error !== undefined) throw mcpErrors.signInRefused({ name: server.name, error: sanitizeText(error, 100) })
  if (code === undefined) throw mcpErrors.codeMissing({ field: ['code'] })
  await withLibrary(needs, server, (library, fetch) =>
    library.auth(new McpOAuthProvider(needs, server, userId, underway, mcpErrors.signInUsed), {
      serverUrl: server.url,
      fetchFn: fetch,
      authorizationCode: code,
      ...(iss !== undefined && { iss }),
    }),
  )
  needs.mcpSessions.closeServer(server.id)
  needs.mcpToolLists.evict(server.id)
}

/** Finds the pending sign-in of a state without using it up. Returns undefined for an unknown or expired state. */
export const findSignInByState = ({ sql }: Pick<Context, 'sql'>, state: string) => findSignIn(sql, sha256(state))

/** Runs `work` with the library and a fetch with deadline {@link EXCHANGE_MS}. Converts failures of foreign servers to `DomainError`. */
async function withLibrary<V>(
  needs: Needs,
  server: McpServerRow,
  work: (library: Sdk, fetch: ReturnType<typeof guardedFetch>) => Promise<V>,
) {
  const library = await loadSdk()
  try {
    return await work(library, guardedFetch(needs, AbortSignal.timeout(EXCHANGE_MS)))
  } catch (error) {
    if (error instanceof DomainError) throw error
    // Hides the text of the error, which a third party may have written.
    if (error instanceof library.IssuerMismatchError) throw mcpErrors.wrongIssuer({ name: server.name })
    throw failureOf(library, server, error)
  }
}

/** Returns the challenge of a server to a request without credentials: its resource metadata URL and its scope. */
async function challengeOf(library: Sdk, server: McpServerRow, fetch: ReturnType<typeof guardedFetch>) {
  const clientInfo = { name: 'serai', version: '1' }
  const params = { protocolVersion: library.LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo }
  const answer = await fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  })
  return answer.status === 401 || answer.status === 403 ? library.extractWWWAuthenticateParams(answer) : {}
}

/** Returns the granted scope and the missing one that was recorded since; an empty list when none is missing. */
async function previousScopes(needs: Needs, server: McpServerRow, userId: string): Promise<(string | undefined)[]> {
  const secret = (await listSecrets(needs.sql, server.projectId, [server.id], userId)).find(({ kind }) => kind === 'tokens')
  if (!secret) return []
  const { scope, wanted } = openSecret<StoredTokens>(needs, secret)
  return wanted === undefined ? [] : [scope, wanted]
}

/** Checks that `returnTo` is a page of a trusted origin, because it receives the code. Throws `invalid_request`. */
function assertReturnTo({ config }: Needs, origin: string, returnTo: string): void {
  const trusted = [origin, ...config.corsOrigins.filter((each) => each !== '*')]
  const page = URL.parse(returnTo)
  if (!page || !trusted.includes(page.origin) || page.hash !== '')
    throw mcpErrors.pageNotTrusted({ trusted: trusted.join(', ') }, { field: ['returnTo'] })
}

async function assertSignInRate({ shared }: Needs, userId: string): Promise<void> {
  const { count, resetMs } = await shared.countHit(`mcp-sign-ins:${userId}`, MINUTE_MS)
  if (count <= STARTS_MAX) return
  const wait = Math.max(1, Math.ceil(resetMs / 1000))
  throw mcpErrors.tooManySignIns(
    { startsMax: STARTS_MAX, wait },
    {
      retryAfterSeconds: wait,
    },
  )
}

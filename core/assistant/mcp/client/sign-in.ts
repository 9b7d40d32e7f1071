import type { Context } from '../../../context.ts'
import { ApiError, invalid } from '../../../http/errors/errors.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { failureOf, words } from '../failure.ts'
import type { SignInEnd } from '../mcp.model.ts'
import { findSignIn, insertSignIn, listSecrets, type McpServerRow, takeSignIn } from '../mcp.queries.ts'
import { problemOfAddress, reaching } from '../reach.ts'
import { type KeptTokens, Person, type Underway, whileThere } from './oauth-client.ts'
import { type Sdk, sdk } from './sdk.ts'
import { opened } from './secrets.ts'

type Needs = Pick<Context, 'sql' | 'vault' | 'config' | 'webhookOutbound' | 'shared' | 'mcpSessions' | 'mcpLists'>

const MINUTES = 10
/** Of one person, in a minute: each asks several strangers. */
const BEGINNINGS = 30
const MINUTE_MS = 60_000
/** For all that a beginning, or an end, asks of others. */
const TALK_MS = 30_000

const over = () => new ApiError('invalid_code', 'This sign-in is used, over, or was begun by somebody else. Begin again.')
const sealedOf = (digest: string) => `mcp sign-in ${digest}`

export interface Begun {
  readonly authorizationUrl: string
  readonly state: string
  readonly expiresAt: string
}

/** Begins a sign-in at a server: who gives its tokens is asked, we are made known there, and the person's browser may go. */
export async function beginSignIn(
  needs: Needs,
  server: McpServerRow,
  userId: string,
  origin: string,
  returnTo: string | null,
): Promise<Begun> {
  if (server.auth !== 'oauth') throw new ApiError('conflict', `${server.name} is not signed in at: set its auth to oauth first.`)
  if (returnTo !== null) assertReturn(needs, origin, returnTo)
  await assertFew(needs, userId)
  const underway: Underway = { url: server.url, origin, state: newToken('mcs') }
  const address = await asking(needs, server, async (library, fetch) => {
    const challenge = await challengeOf(library, server, fetch)
    const scope = library.computeScopeUnion(challenge.scope, ...(await scopesBefore(needs, server, userId)))
    await library.auth(new Person(needs, server, userId, underway, over), {
      serverUrl: server.url,
      fetchFn: fetch,
      forceReauthorization: true,
      ...(scope !== undefined && { scope }),
      ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
    })
    // Who does not say so gives codes to whoever brings them (RFC 7636).
    if (!underway.discovery?.authorizationServerMetadata?.code_challenge_methods_supported?.includes('S256'))
      throw new ApiError('mcp_server_failed', `Who gives tokens for ${server.name} knows no PKCE with S256: nobody is sent there.`)
    return underway.address
  })
  if (address === undefined || problemOfAddress(needs, address) !== null)
    throw new ApiError('mcp_server_failed', `${server.name} names no page that anybody could be sent to for signing in.`)
  const digest = sha256(underway.state)
  const expiresAt = new Date(Date.now() + MINUTES * MINUTE_MS)
  const sealed = needs.vault.seal(JSON.stringify(underway), sealedOf(digest))
  const signIn = { storeId: server.storeId, digest, serverId: server.id, userId, sealed, returnTo, expiresAt }
  await whileThere(needs.sql, server.id, (tx) => insertSignIn(tx, signIn))
  return { authorizationUrl: address, state: underway.state, expiresAt: expiresAt.toISOString() }
}

/** Ends a sign-in with what the browser brought back, once, for the person who began. */
export async function endSignIn(needs: Needs, server: McpServerRow, userId: string, { state, code, iss, error }: SignInEnd): Promise<void> {
  const digest = sha256(state)
  const taken = await takeSignIn(needs.sql, digest, server.id, userId)
  if (!taken) throw over()
  const underway = JSON.parse(needs.vault.open(taken.sealed, sealedOf(digest))) as Underway
  // It was begun for another address than it has now.
  if (underway.url !== server.url) throw over()
  if (error !== undefined) throw new ApiError('forbidden', `${server.name} did not let you in: ${words(error, 100)}.`)
  if (code === undefined) throw invalid('/body/code', 'It came back without a code. Begin again.')
  await asking(needs, server, (library, fetch) =>
    library.auth(new Person(needs, server, userId, underway, over), {
      serverUrl: server.url,
      fetchFn: fetch,
      authorizationCode: code,
      ...(iss !== undefined && { iss }),
    }),
  )
  needs.mcpSessions.forget(server.id)
  needs.mcpLists.forget(server.id)
}

/** The sign-in that a browser came back from; it is not used by that. Undefined where nobody began it, or it is over. */
export const signInOf = ({ sql }: Pick<Context, 'sql'>, state: string) => findSignIn(sql, sha256(state))

/** Talks with strangers, for so long and no longer; what they do wrong is told in our words. */
async function asking<V>(needs: Needs, server: McpServerRow, work: (library: Sdk, fetch: ReturnType<typeof reaching>) => Promise<V>) {
  const library = await sdk()
  try {
    return await work(library, reaching(needs, AbortSignal.timeout(TALK_MS)))
  } catch (error) {
    if (error instanceof ApiError) throw error
    // What stands in the answer of a stranger in between is not repeated.
    if (error instanceof library.IssuerMismatchError)
      throw new ApiError('mcp_server_failed', `Somebody else than who gives tokens for ${server.name} has answered. Begin again.`)
    throw failureOf(library, server, error)
  }
}

/** What the server says to who shows nothing: where it is described, and what it wants allowed. */
async function challengeOf(library: Sdk, server: McpServerRow, fetch: ReturnType<typeof reaching>) {
  const clientInfo = { name: 'serai', version: '1' }
  const params = { protocolVersion: library.LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo }
  const answer = await fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  })
  return answer.status === 401 || answer.status === 403 ? library.extractWWWAuthenticateParams(answer) : {}
}

/** What was allowed before, and what the server wanted besides since. */
async function scopesBefore(needs: Needs, server: McpServerRow, userId: string): Promise<(string | undefined)[]> {
  const kept = (await listSecrets(needs.sql, [server.id], userId)).find(({ kind }) => kind === 'tokens')
  if (!kept) return []
  const { scope, wanted } = opened<KeptTokens>(needs, kept)
  return wanted === undefined ? [] : [scope, wanted]
}

/** A code goes to pages that the operator trusts, and to no other. */
function assertReturn({ config }: Needs, origin: string, returnTo: string): void {
  const trusted = [origin, ...config.corsOrigins.filter((each) => each !== '*')]
  const page = URL.parse(returnTo)
  if (!page || !trusted.includes(page.origin) || page.hash !== '')
    throw invalid('/body/returnTo', `A page of ${trusted.join(', ')}, without a fragment. The operator names others in CORS_ORIGINS.`)
}

async function assertFew({ shared }: Needs, userId: string): Promise<void> {
  const { count, resetMs } = await shared.hit(`mcp-sign-ins:${userId}`, MINUTE_MS)
  if (count <= BEGINNINGS) return
  const wait = String(Math.max(1, Math.ceil(resetMs / 1000)))
  throw new ApiError('rate_limited', `${BEGINNINGS} sign-ins are begun in a minute at most. Wait ${wait} s.`, {
    headers: { 'retry-after': wait },
  })
}

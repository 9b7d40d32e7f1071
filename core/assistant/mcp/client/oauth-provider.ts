import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import type { Context } from '../../../context.ts'
import { type Queryable, type Sql, type Tx, transaction } from '../../../data/sql.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import {
  deleteSecret,
  deleteSecrets,
  listSecrets,
  lockServer,
  type McpServerRow,
  type SecretKey,
  type SecretRow,
  type ServerKey,
} from '../mcp.queries.ts'
import { ISSUER_MAX, openSecret, storeSecret } from './secrets.ts'

/** Services that read and write sealed secrets. */
export type SecretServices = Pick<Context, 'sql' | 'vault'>

/** Redirect URI to which authorization servers send the browser back. */
const redirectUri = (origin: string) => `${origin}/v1/chat/mcp-servers/oauth/meta-callback`
/** URL of our client id metadata document. */
export const metadataUrl = (origin: string) => `${origin}/v1/chat/mcp-servers/oauth/client-metadata`

/** OAuth client metadata of this server (RFC 7591). */
export const clientMetadata = (origin: string) =>
  ({
    client_name: 'Serai',
    client_uri: origin,
    redirect_uris: [redirectUri(origin)],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'web',
  }) satisfies OAuthClientMetadata

/** OAuth client that a user registered by hand. After its first use `issuer` binds it to one authorization server. */
export interface ManualClient {
  readonly clientId: string
  readonly clientSecret?: string | undefined
  readonly issuer?: string | undefined
}

/** Tokens as stored: for one URL only, with the scope that the server found missing. */
export type StoredTokens = StoredOAuthTokens & { readonly url: string; readonly wanted?: string }

/** State of a sign-in between its start and the return of the browser. It is stored sealed. */
export interface PendingSignIn {
  readonly url: string
  origin: string
  state: string
  address?: string
  verifier?: string
  discovery?: OAuthDiscoveryState
}

/** Cuts an issuer to the length that is stored. */
export const truncateIssuer = (issuer: string) => issuer.slice(0, ISSUER_MAX)

type Server = Pick<McpServerRow, 'projectId' | 'id' | 'url'>

/** Tokens valid for the current URL of the server, and the id of their row. */
export interface FoundTokens {
  readonly projectId: string
  readonly id: string
  readonly issuer: string
  readonly tokens: StoredOAuthTokens
}

/** Finds the tokens of a user. Returns undefined without a sign-in, or when the URL of the server has changed since. */
export async function findTokens(
  needs: SecretServices,
  server: Server,
  userId: string,
  of?: { issuer: string },
): Promise<FoundTokens | undefined> {
  const secret = (await listSecrets(needs.sql, server.projectId, [server.id], userId)).find(
    ({ kind, issuer }) => kind === 'tokens' && (!of || issuer === truncateIssuer(of.issuer)),
  )
  if (!secret) return undefined
  const { url, wanted: _, ...tokens } = openSecret<StoredTokens>(needs, secret)
  return url === server.url ? { projectId: secret.projectId, id: secret.id, issuer: secret.issuer, tokens } : undefined
}

/** Stores the tokens of a user for the current URL of a server. */
export const storeTokens = (
  needs: SecretServices,
  sql: Queryable,
  { projectId, id, url }: Server,
  userId: string,
  tokens: StoredOAuthTokens,
  issuer = '',
): Promise<void> =>
  storeSecret(needs, sql, { projectId, serverId: id, kind: 'tokens', userId, issuer: truncateIssuer(issuer) }, {
    ...tokens,
    url,
  } satisfies StoredTokens)

/** Runs a transaction with the server row locked. Throws `not_found` when the server was deleted meanwhile. */
export const withLockedServer = (sql: Sql, server: ServerKey, work: (tx: Tx) => Promise<unknown>): Promise<void> =>
  transaction(sql, async (tx) => {
    if (!(await lockServer(tx, server))) throw notFound('The MCP server')
    await work(tx)
  })

/**
 * OAuth provider of the MCP library for one user at one server. Stores clients and tokens sealed, each by its issuer. Without a pending
 * sign-in it neither registers a client nor redirects; it only uses and renews existing tokens.
 */
export class McpOAuthProvider implements OAuthClientProvider {
  /** Row of the tokens that were read last. Only this row is deleted on invalidation, not tokens that another process has renewed. */
  #readFrom: SecretKey | null = null
  readonly saveClientInformation?: (client: StoredOAuthClientInformation, of?: { issuer: string }) => Promise<void>
  readonly clientMetadataUrl?: string

  constructor(
    readonly needs: SecretServices,
    readonly server: Server,
    readonly userId: string,
    readonly pendingSignIn: PendingSignIn | null,
    readonly refusal: () => Error,
  ) {
    if (!pendingSignIn) return
    if (pendingSignIn.origin.startsWith('https:')) this.clientMetadataUrl = metadataUrl(pendingSignIn.origin)
    this.saveClientInformation = (client, of) => this.#store('client', of?.issuer, client)
  }

  get redirectUrl() {
    return redirectUri(this.pendingSignIn?.origin ?? 'https://nowhere.invalid')
  }

  get clientMetadata() {
    return clientMetadata(this.pendingSignIn?.origin ?? 'https://nowhere.invalid')
  }

  state() {
    return this.pendingSignIn?.state ?? ''
  }

  async clientInformation(of?: { issuer: string }): Promise<StoredOAuthClientInformation | undefined> {
    const clients = (await this.#secrets()).filter(({ kind }) => kind === 'client')
    const own = clients.find(({ issuer }) => issuer !== '' && issuer === truncateIssuer(of?.issuer ?? ''))
    if (own) return openSecret<StoredOAuthClientInformation>(this.needs, own)
    const manual = clients.find(({ issuer }) => issuer === '')
    return manual && this.#bindManualClient(openSecret<ManualClient>(this.needs, manual), of?.issuer)
  }

  /** Binds the client to the first issuer that it is used with. A server that later names another issuer does not get it. */
  async #bindManualClient(client: ManualClient, issuer: string | undefined): Promise<StoredOAuthClientInformation | undefined> {
    if (issuer === undefined || (client.issuer !== undefined && client.issuer !== issuer)) return undefined
    if (client.issuer === undefined) await this.#store('client', '', { ...client, issuer })
    return { client_id: client.clientId, ...(client.clientSecret !== undefined && { client_secret: client.clientSecret }), issuer }
  }

  async tokens(of?: { issuer: string }): Promise<StoredOAuthTokens | undefined> {
    const found = await findTokens(this.needs, this.server, this.userId, of)
    this.#readFrom = found ?? null
    return found?.tokens
  }

  async saveTokens(tokens: StoredOAuthTokens, of?: { issuer: string }): Promise<void> {
    const { needs, server, userId } = this
    await this.#withLockedServer(async (tx) => {
      await deleteSecrets(tx, server, 'tokens', userId)
      await storeTokens(needs, tx, server, userId, tokens, of?.issuer)
    })
  }

  redirectToAuthorization(address: URL): void {
    if (!this.pendingSignIn) throw this.refusal()
    this.pendingSignIn.address = address.href
  }

  saveCodeVerifier(verifier: string): void {
    if (this.pendingSignIn) this.pendingSignIn.verifier = verifier
  }

  codeVerifier(): string {
    if (this.pendingSignIn?.verifier === undefined) throw this.refusal()
    return this.pendingSignIn.verifier
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    if (this.pendingSignIn) this.pendingSignIn.discovery = discovery
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.pendingSignIn?.discovery
  }

  async invalidateCredentials(what: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    const { sql } = this.needs
    if (what === 'tokens' && this.#readFrom !== null) await deleteSecret(sql, this.#readFrom)
    // A client entered by hand stays: only the user can replace it.
    if (what === 'client' && this.pendingSignIn) await deleteSecrets(sql, this.server, 'client', null, 'registered')
  }

  #secrets = () => listSecrets(this.needs.sql, this.server.projectId, [this.server.id], this.userId)

  #store(kind: SecretRow['kind'], issuer: string | undefined, value: object) {
    const { projectId, id } = this.server
    const place = { projectId, serverId: id, kind, userId: null, issuer: truncateIssuer(issuer ?? '') }
    return this.#withLockedServer((tx) => storeSecret(this.needs, tx, place, value))
  }

  #withLockedServer = (work: (tx: Tx) => Promise<void>): Promise<void> => withLockedServer(this.needs.sql, this.server, work)
}

import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import type { Context } from '../../../context.ts'
import { type Queryable, type Sql, type Tx, transaction } from '../../../data/sql.ts'
import { notFound } from '../../../http/errors/errors.ts'
import { deleteSecret, deleteSecrets, listSecrets, lockServer, type McpServerRow, type SecretRow } from '../mcp.queries.ts'
import { ISSUER_MAX, keepSecret, opened } from './secrets.ts'

export type SealsSecrets = Pick<Context, 'sql' | 'vault'>

/** Where authorization servers send browsers back to, and where they read who we are. */
export const returnAddress = (origin: string) => `${origin}/v1/chat/mcp-servers/oauth/meta-callback`
export const metadataAddress = (origin: string) => `${origin}/v1/chat/mcp-servers/oauth/client-metadata`

export const clientMetadata = (origin: string) =>
  ({
    client_name: 'Serai',
    client_uri: origin,
    redirect_uris: [returnAddress(origin)],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'web',
  }) satisfies OAuthClientMetadata

/** A client that somebody pasted; once it was used, who gives its tokens, and nobody else is shown it. */
export interface Pasted {
  readonly clientId: string
  readonly clientSecret?: string | undefined
  readonly issuer?: string | undefined
}

/** Tokens as they are kept: for one address alone, and with what a server said that they lack. */
export type KeptTokens = StoredOAuthTokens & { readonly url: string; readonly wanted?: string }

/** What a sign-in has to know again when the browser comes back. */
export interface Underway {
  readonly url: string
  origin: string
  state: string
  address?: string
  verifier?: string
  discovery?: OAuthDiscoveryState
}

export const cutIssuer = (issuer: string) => issuer.slice(0, ISSUER_MAX)

type Server = Pick<McpServerRow, 'storeId' | 'id' | 'url'>

/** Tokens that may be used where the server stands now, and the row that holds them. */
export interface FoundTokens {
  readonly id: string
  readonly issuer: string
  readonly tokens: StoredOAuthTokens
}

/** What a person has signed in with; undefined where he has not, or the server was changed since: there it may not be shown. */
export async function findTokens(
  needs: SealsSecrets,
  server: Server,
  userId: string,
  of?: { issuer: string },
): Promise<FoundTokens | undefined> {
  const kept = (await listSecrets(needs.sql, [server.id], userId)).find(
    ({ kind, issuer }) => kind === 'tokens' && (!of || issuer === cutIssuer(of.issuer)),
  )
  if (!kept) return undefined
  const { url, wanted: _, ...tokens } = opened<KeptTokens>(needs, kept)
  return url === server.url ? { id: kept.id, issuer: kept.issuer, tokens } : undefined
}

export const keepTokens = (
  needs: SealsSecrets,
  sql: Queryable,
  { storeId, id, url }: Server,
  userId: string,
  tokens: StoredOAuthTokens,
  issuer = '',
): Promise<void> =>
  keepSecret(needs, sql, { storeId, serverId: id, kind: 'tokens', userId, issuer: cutIssuer(issuer) }, {
    ...tokens,
    url,
  } satisfies KeptTokens)

/** Writes what belongs to a server. Throws `not_found` where it was taken away while others were being asked. */
export const whileThere = (sql: Sql, id: string, work: (tx: Tx) => Promise<unknown>): Promise<void> =>
  transaction(sql, async (tx) => {
    if (!(await lockServer(tx, id))) throw notFound('The MCP server')
    await work(tx)
  })

/**
 * A person at a server that asks for OAuth, as the library wants him: clients and tokens are kept sealed, each by who gave it. Without a
 * sign-in that is under way nobody is sent anywhere and nothing is registered: then it can only use, and renew, what there is.
 */
export class Person implements OAuthClientProvider {
  /** The row whose tokens were read last: what is given up is that, and not what somebody else has renewed meanwhile. */
  #readFrom: string | null = null
  readonly saveClientInformation?: (client: StoredOAuthClientInformation, of?: { issuer: string }) => Promise<void>
  readonly clientMetadataUrl?: string

  constructor(
    readonly needs: SealsSecrets,
    readonly server: Server,
    readonly userId: string,
    readonly underway: Underway | null,
    readonly refuse: () => Error,
  ) {
    if (!underway) return
    if (underway.origin.startsWith('https:')) this.clientMetadataUrl = metadataAddress(underway.origin)
    this.saveClientInformation = (client, of) => this.#keep('client', of?.issuer, client)
  }

  get redirectUrl() {
    return returnAddress(this.underway?.origin ?? 'https://nowhere.invalid')
  }

  get clientMetadata() {
    return clientMetadata(this.underway?.origin ?? 'https://nowhere.invalid')
  }

  state() {
    return this.underway?.state ?? ''
  }

  async clientInformation(of?: { issuer: string }): Promise<StoredOAuthClientInformation | undefined> {
    const clients = (await this.#secrets()).filter(({ kind }) => kind === 'client')
    const own = clients.find(({ issuer }) => issuer !== '' && issuer === cutIssuer(of?.issuer ?? ''))
    if (own) return opened<StoredOAuthClientInformation>(this.needs, own)
    const pasted = clients.find(({ issuer }) => issuer === '')
    return pasted && this.#pasted(opened<Pasted>(this.needs, pasted), of?.issuer)
  }

  /** Bound to whom it is shown first: a server that names another authorization server later learns nothing of it. */
  async #pasted(pasted: Pasted, issuer: string | undefined): Promise<StoredOAuthClientInformation | undefined> {
    if (issuer === undefined || (pasted.issuer !== undefined && pasted.issuer !== issuer)) return undefined
    if (pasted.issuer === undefined) await this.#keep('client', '', { ...pasted, issuer })
    return { client_id: pasted.clientId, ...(pasted.clientSecret !== undefined && { client_secret: pasted.clientSecret }), issuer }
  }

  async tokens(of?: { issuer: string }): Promise<StoredOAuthTokens | undefined> {
    const found = await findTokens(this.needs, this.server, this.userId, of)
    this.#readFrom = found?.id ?? null
    return found?.tokens
  }

  async saveTokens(tokens: StoredOAuthTokens, of?: { issuer: string }): Promise<void> {
    const { needs, server, userId } = this
    await this.#whileThere(async (tx) => {
      await deleteSecrets(tx, server.id, 'tokens', userId)
      await keepTokens(needs, tx, server, userId, tokens, of?.issuer)
    })
  }

  redirectToAuthorization(address: URL): void {
    if (!this.underway) throw this.refuse()
    this.underway.address = address.href
  }

  saveCodeVerifier(verifier: string): void {
    if (this.underway) this.underway.verifier = verifier
  }

  codeVerifier(): string {
    if (this.underway?.verifier === undefined) throw this.refuse()
    return this.underway.verifier
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    if (this.underway) this.underway.discovery = discovery
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.underway?.discovery
  }

  async invalidateCredentials(what: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    const { sql } = this.needs
    if (what === 'tokens' && this.#readFrom !== null) await deleteSecret(sql, this.#readFrom)
    // One that was pasted stays: whoever pasted it has to say another.
    if (what === 'client' && this.underway) await deleteSecrets(sql, this.server.id, 'client', null, 'registered')
  }

  #secrets = () => listSecrets(this.needs.sql, [this.server.id], this.userId)

  #keep(kind: SecretRow['kind'], issuer: string | undefined, value: object) {
    const { storeId, id } = this.server
    const place = { storeId, serverId: id, kind, userId: null, issuer: cutIssuer(issuer ?? '') }
    return this.#whileThere((tx) => keepSecret(this.needs, tx, place, value))
  }

  #whileThere = (work: (tx: Tx) => Promise<void>): Promise<void> => whileThere(this.needs.sql, this.server.id, work)
}

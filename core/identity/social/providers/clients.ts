import type { TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../../../../plugins/adapter.ts'
import type { SocialAdapter } from '../../../../plugins/social/members.ts'
import type { Context } from '../../../context.ts'
import { shareRunning } from '../../../lib/async/memoize.ts'
import { DomainError, notFound } from '../../../lib/errors/domain-error.ts'

/** Tokens that a provider returned for a code. */
export interface ProviderTokens {
  readonly accessToken: string
  readonly idToken?: string
  /** Only of providers that must be notified when the sign-in is removed. */
  readonly refreshToken?: string
}

/** Authorization code of a provider. */
export interface ProviderCode {
  readonly code: string
  readonly redirectUri?: string | undefined
  readonly verifier?: string | undefined
}

/** The platform's OAuth client at a provider. */
export interface SocialClient {
  readonly adapter: SocialAdapter
  readonly clientId: string
  /** Authorization endpoint, with the settings filled in. */
  readonly authorizeUrl: string
  /** Settings of the connection, with defaults. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Exchanges a code for tokens. Throws `invalid_credentials` when the provider rejects it. */
  exchange(code: ProviderCode): Promise<ProviderTokens>
  /** Revokes a token at the provider. Throws when the provider rejects the call. */
  revoke(token: string): Promise<void>
  /** Calls the adapter, with a timeout of seconds. Throws `invalid_credentials` when the provider rejects the call. */
  callAdapter<V>(operation: string, work: (adapter: SocialAdapter, own: AdapterContext) => Promise<V> | V, schema?: TSchema): Promise<V>
}

/**
 * Finds the platform's client. Returns undefined for an unknown provider. Throws `adapter_not_enabled` when the provider is not connected.
 */
export type SocialClientFinder = (context: Context, slug: string) => Promise<SocialClient | undefined>

declare module '../../../context.ts' {
  interface Provided {
    /** Provided by the feature that owns connections, which is above identity. */
    readonly socialClient: SocialClientFinder
  }
}

/** Finds the client of the provider in a path. Throws `not_found` for an unknown provider. */
export async function requireSocialClient(context: Context, slug: string): Promise<SocialClient> {
  const client = await context.socialClient(context, slug)
  if (!client) throw notFound(`A provider "${slug}"`)
  return client
}

/** Provider with which users can sign in. */
export interface SocialProvider {
  readonly slug: string
  readonly label: string
}

/** Lists the providers with which users can sign in. */
export type SocialProviderList = () => Promise<readonly SocialProvider[]>

/**
 * Creates the function that lists the providers with which users can sign in, because the platform is connected to them. Anybody may open
 * the pages that show the list, so those who ask at the same time share one reading.
 */
export const socialProviderList = (context: Context): SocialProviderList => shareRunning(() => findProviders(context))

async function findProviders(context: Context): Promise<readonly SocialProvider[]> {
  const slugs = context.plugins.all().flatMap(({ kind, adapter: { slug } }) => (kind.name === 'social' ? [slug] : []))
  const clients = await Promise.all(slugs.map((slug) => context.socialClient(context, slug).catch(ignoreRefusal)))
  return clients.flatMap((client) => (client ? [{ slug: client.adapter.slug, label: client.adapter.label }] : []))
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof DomainError)) throw error
}

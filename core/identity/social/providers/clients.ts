import type { TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../../../../plugins/adapter.ts'
import type { SocialAdapter } from '../../../../plugins/social/members.ts'
import type { Context } from '../../../context.ts'
import { ApiError, notFound } from '../../../http/errors/errors.ts'

/** What a provider gave for a code. */
export interface Tokens {
  readonly accessToken: string
  readonly idToken?: string
  /** Of a provider that wants to hear when it is not needed any more. */
  readonly refreshToken?: string
}

export interface Code {
  readonly code: string
  readonly redirectUri?: string | undefined
  readonly verifier?: string | undefined
}

/** A provider at which the platform has a client. */
export interface SocialClient {
  readonly adapter: SocialAdapter
  readonly clientId: string
  /** Where the person's browser goes, with the settings that it names in their place. */
  readonly authorizeUrl: string
  /** What is set of the connection, with the defaults. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Exchanges a code. Throws `invalid_credentials` where the provider does not take it. */
  exchange(code: Code): Promise<Tokens>
  /** Tells the provider that what it gave is not needed any more. Throws where it did not take that. */
  giveUp(token: string): Promise<void>
  /** Asks the adapter, within seconds. Throws `invalid_credentials` where the provider refuses. */
  ask<V>(operation: string, work: (adapter: SocialAdapter, own: AdapterContext) => Promise<V> | V, schema?: TSchema): Promise<V>
}

/** Finds the platform's client; undefined where there is no such provider. Throws `adapter_not_enabled` where it is not connected. */
export type FindSocialClient = (context: Context, slug: string) => Promise<SocialClient | undefined>

declare module '../../../context.ts' {
  interface Services {
    /** Opened by whoever keeps connections, above: identity knows none of them. */
    readonly socialClient: FindSocialClient
  }
}

/** The provider that a path names. */
export async function clientFor(context: Context, slug: string): Promise<SocialClient> {
  const client = await context.socialClient(context, slug)
  if (!client) throw notFound(`A provider "${slug}"`)
  return client
}

/** Providers that people can sign in with now: those that the platform is connected to. */
export async function listProviders(context: Context): Promise<readonly { readonly slug: string; readonly label: string }[]> {
  const slugs = context.plugins.all().flatMap(({ kind, adapter: { slug } }) => (kind.name === 'social' ? [slug] : []))
  const clients = await Promise.all(slugs.map((slug) => context.socialClient(context, slug).catch(unlessRefused)))
  return clients.flatMap((client) => (client ? [{ slug: client.adapter.slug, label: client.adapter.label }] : []))
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error
}

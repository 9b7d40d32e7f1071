import type { Context } from '../../context.ts'
import { ApiError, invalid } from '../../http/errors/errors.ts'
import { sha256 } from '../../lib/crypto/crypto.ts'
import { hasRedirectUri, problemOfRedirectUri } from '../apps/redirect-uris.ts'
import type { Session } from '../auth/sign-in/sign-in.ts'
import { addressFor, newState } from './providers/arctic.ts'
import type { SocialClient } from './providers/clients.ts'
import { listIn } from './providers/verify.ts'
import { insertState, type Purpose } from './social.queries.ts'

export const MINUTES = 10

export interface Beginning {
  readonly purpose: Purpose
  /** Of a sign-in: the digest of what the browser has. */
  readonly browser: string | null
  /** Of a link: whose it is to be, as long as his session works. */
  readonly session: Session | null
  readonly origin: string
  readonly returnTo?: string | undefined
  readonly challenge?: string | undefined
  /** Path of our own page that the browser goes on to, signed in. */
  readonly goOnTo?: string | undefined
}

/** Begins at a provider. Gives the address that the person's browser goes to. */
export async function begin(context: Context, client: SocialClient, beginning: Beginning): Promise<string> {
  const { purpose, browser, session, origin, returnTo = null, challenge = null, goOnTo = null } = beginning
  if (returnTo !== null) assertReturn(client, returnTo, challenge)
  const { adapter, clientId, authorizeUrl, settings } = client
  const redirectUri = `${origin}/v1/social/${adapter.slug}/${purpose === 'link' ? 'link/callback' : 'callback'}`
  const state = newState()
  const whose = { userId: session?.userId ?? null, sessionId: session?.id ?? null }
  const kept = { digest: sha256(state), provider: adapter.slug, purpose, browser, ...whose, redirectUri, returnTo, challenge, goOnTo }
  await insertState(context.sql, kept, MINUTES)
  const [verifier, nonce] = [verifierOf(context, state), nonceOf(context, state)]
  return addressFor(adapter, { authorizeUrl, clientId, redirectUri, state, verifier, nonce, hexChallenge: settings.challenge === 'hex' })
}

/** What proves that the code is ours, and what a token has to name: nobody who sees the state can tell them, and they are kept nowhere. */
export const verifierOf = ({ vault }: Pick<Context, 'vault'>, state: string): string => vault.fingerprint(`social verifier ${state}`)
export const nonceOf = ({ vault }: Pick<Context, 'vault'>, state: string): string => vault.fingerprint(`social nonce ${state}`)

/** Nobody is sent anywhere that was not entered for it, and nothing is given there to whoever did not begin. */
function assertReturn(client: SocialClient, returnTo: string, challenge: string | null): void {
  if (!isRegistered(client, returnTo))
    throw invalid('/query/returnTo', `This address is none of the returnAddresses that are entered for ${client.adapter.label}.`)
  if (challenge === null)
    throw invalid('/query/challenge', 'With returnTo, send the SHA-256 of a verifier in base64url: the verifier is sent with the ticket.')
}

const isRegistered = ({ settings }: SocialClient, address: string) =>
  hasRedirectUri(
    listIn(settings.returnAddresses).filter((each) => problemOfRedirectUri(each) === null),
    address,
  )

/** Where an app was sent back to by the provider itself: it has to be entered as well. */
export function assertOwnRedirect(client: SocialClient, redirectUri: string): void {
  if (!isRegistered(client, redirectUri))
    throw new ApiError('invalid_request', `redirectUri is none of the returnAddresses that are entered for ${client.adapter.label}.`)
}

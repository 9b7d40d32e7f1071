import type { Context } from '../../context.ts'
import { sha256 } from '../../lib/crypto/crypto.ts'
import { hasRedirectUri, problemOfRedirectUri } from '../apps/redirect-uris.ts'
import type { Session } from '../auth/sign-in/sign-in.ts'
import { buildAuthorizationUrl, newState } from './providers/arctic.ts'
import type { SocialClient } from './providers/clients.ts'
import { splitList } from './providers/verify.ts'
import { socialErrors } from './social.errors.ts'
import { insertSocialState, type SocialPurpose } from './social.queries.ts'

/** Lifetime in minutes of a sign-in that was started, and of its ticket. */
export const FLOW_MINUTES = 10

/** Page of the console to which a sign-in may always return; it needs no registration, because it is our own. */
const CONSOLE_RETURN = '/console/social-return'

/** Options of a sign-in or link that starts at a provider. */
export interface FlowStart {
  readonly purpose: SocialPurpose
  /** Digest of the cookie of the browser, for a sign-in. */
  readonly browser: string | null
  /** Session that links the account at the provider, for a link. */
  readonly session: Session | null
  readonly origin: string
  readonly returnTo?: string | undefined
  readonly challenge?: string | undefined
  /** Path of this server to which the browser continues, signed in. */
  readonly goOnTo?: string | undefined
}

/**
 * Starts a sign-in or link at a provider. Returns the authorization URL to which the browser goes. Throws `invalid_request` when `returnTo`
 * is not registered or has no challenge.
 */
export async function startSocialFlow(context: Context, client: SocialClient, flow: FlowStart): Promise<string> {
  const { purpose, browser, session, origin, returnTo = null, challenge = null, goOnTo = null } = flow
  const ours = context.config.console ? `${origin}${CONSOLE_RETURN}` : null
  if (returnTo !== null) assertReturnAllowed(client, { returnTo, challenge, ours })
  const { adapter, clientId, authorizeUrl, settings } = client
  const redirectUri = `${origin}/v1/social/${adapter.slug}/${purpose === 'link' ? 'link/callback' : 'callback'}`
  const state = newState()
  const owner = { userId: session?.userId ?? null, sessionId: session?.id ?? null }
  const row = { digest: sha256(state), provider: adapter.slug, purpose, browser, ...owner, redirectUri, returnTo, challenge, goOnTo }
  await insertSocialState(context.sql, row, FLOW_MINUTES)
  const [verifier, nonce] = [pkceVerifierFor(context, state), nonceFor(context, state)]
  return buildAuthorizationUrl(adapter, {
    authorizeUrl,
    clientId,
    redirectUri,
    state,
    verifier,
    nonce,
    hexChallenge: settings.challenge === 'hex',
  })
}

/** Derives the PKCE verifier of a sign-in from its state and the key of the vault. It is stored nowhere. */
export const pkceVerifierFor = ({ vault }: Pick<Context, 'vault'>, state: string): string => vault.fingerprint(`social verifier ${state}`)
/** Derives the nonce of a sign-in from its state and the key of the vault. The identity token must contain it. */
export const nonceFor = ({ vault }: Pick<Context, 'vault'>, state: string): string => vault.fingerprint(`social nonce ${state}`)

/** Throws `invalid_request` when the address is not registered for the provider, or when the challenge is missing that binds the ticket. */
function assertReturnAllowed(
  client: SocialClient,
  { returnTo, challenge, ours }: { readonly returnTo: string; readonly challenge: string | null; readonly ours: string | null },
): void {
  if (returnTo !== ours && !isRegistered(client, returnTo))
    throw socialErrors.returnAddressUnknown({ label: client.adapter.label }, { field: ['returnTo'] })
  if (challenge === null) throw socialErrors.verifierMissing({ field: ['challenge'] })
}

const isRegistered = ({ settings }: SocialClient, address: string) =>
  hasRedirectUri(
    splitList(settings.returnAddresses).filter((each) => problemOfRedirectUri(each) === null),
    address,
  )

/** Throws `invalid_request` when the redirect URI of an app is not registered for the provider. */
export function assertRegisteredRedirect(client: SocialClient, redirectUri: string): void {
  if (!isRegistered(client, redirectUri)) throw socialErrors.redirectUriUnknown({ label: client.adapter.label })
}

import { openSession } from './console-session.ts'

const STARTED = 'serai.social'
/** Path to which a provider's sign-in returns. */
const RETURN_PATH = '/console/social-return'

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replace(/[+]/g, '-')
    .replace(/[/]/g, '_')
    .replace(/=+$/, '')

/** Sends the browser to a provider. The verifier stays in this tab: without it, the ticket that comes back is worth nothing. */
export async function beginSocialSignIn(provider: string, { isOwnDevice }: { readonly isOwnDevice: boolean }): Promise<void> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  sessionStorage.setItem(STARTED, JSON.stringify({ verifier, isOwnDevice }))
  const query = new URLSearchParams({ returnTo: location.origin + RETURN_PATH, challenge: base64url(new Uint8Array(digest)) })
  location.assign(`/v1/social/${encodeURIComponent(provider)}/redirect?${query}`)
}

/** Signs in with what a provider sent back in the fragment of the address. Throws when the sign-in was not started in this tab. */
export async function finishSocialSignIn(fragment: string, secondFactor?: string): Promise<void> {
  const values = new URLSearchParams(fragment)
  const [provider, ticket] = [values.get('provider'), values.get('ticket')]
  const started = sessionStorage.getItem(STARTED)
  if (!provider || !ticket || !started) throw new Error('The sign-in was not started here.')
  const { verifier, isOwnDevice } = JSON.parse(started) as { readonly verifier: string; readonly isOwnDevice: boolean }
  await openSession({ social: { provider, ticket, verifier, ...(secondFactor && { secondFactor }) } }, { isOwnDevice })
  sessionStorage.removeItem(STARTED)
}

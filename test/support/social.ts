import { startApple } from '../adapters/social/apple/simulator.ts'
import { client as facebookClient, startFacebook } from '../adapters/social/facebook/simulator.ts'
import { client as googleClient, startGoogle } from '../adapters/social/google/simulator.ts'
import { startTikTok, client as tiktokClient } from '../adapters/social/tiktok/simulator.ts'
import type { Person, TestApp } from './app.ts'
import { type Browser, newVerifier, type Page } from './oauth.ts'

export const RETURN = 'https://app.example/signed-in'
export const DEEP = 'com.example.app:/signed-in'

/** All providers, each with its other side. */
export async function openProviders() {
  const [google, apple, facebook, tiktok] = [await startGoogle(), await startApple(), await startFacebook(), startTikTok()]
  const at = (url: string, hosts: readonly string[]) => hosts.map((host) => [host, url] as const)
  const simulators = Object.fromEntries([
    ...at(google.url, ['accounts.google.com', 'oauth2.googleapis.com', 'www.googleapis.com']),
    ...at(apple.url, ['appleid.apple.com']),
    ...at(facebook.url, ['www.facebook.com', 'graph.facebook.com', 'limited.facebook.com']),
    ...at(tiktok.url, ['www.tiktok.com', 'open.tiktokapis.com']),
  ])
  const credentials = { google: googleClient, apple: apple.client, facebook: facebookClient, tiktok: tiktokClient }
  const all = { google, apple, facebook, tiktok }
  return {
    ...all,
    simulators,
    /** Enters the platform's clients, as an administrator does. */
    async connect({ ok }: Pick<TestApp, 'ok'>, admin: Person, settings: Record<string, unknown> = {}) {
      for (const [slug, given] of Object.entries(credentials))
        await ok('PUT', `/v1/platform/integrations/${slug}`, {
          as: admin.token,
          body: { enabled: true, credentials: given, settings: { returnAddresses: `${RETURN}, ${DEEP}`, ...settings } },
        })
    },
    stop: () => Promise.all(Object.values(all).map((one) => one.stop())),
  }
}

export type Providers = Awaited<ReturnType<typeof openProviders>>
export type Slug = keyof Pick<Providers, 'google' | 'apple' | 'facebook' | 'tiktok'>

/** What a browser does at a provider, as far as to the request that leads back: an address, or a form that its page sends. */
export async function atProvider(providers: Providers, slug: Slug, location: string): Promise<{ address: string; init: RequestInit }> {
  const { pathname, search } = new URL(location)
  const answer = await fetch(providers[slug].url + pathname + search, { redirect: 'manual' })
  const back = answer.headers.get('location')
  if (back) return { address: belowHost(back), init: {} }
  const page = await answer.text()
  const [, action] = /<form method="post" action="([^"]+)">/.exec(page) ?? []
  if (!action) throw new Error(`${slug} answered ${answer.status}: ${page}`)
  const fields = [...page.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!.replaceAll('&quot;', '"')])
  return { address: belowHost(action), init: { method: 'POST', body: new URLSearchParams(fields as [string, string][]) } }
}

/** Whatever the world calls us by; no browser sends a fragment. */
function belowHost(address: string) {
  const { pathname, search } = new URL(address)
  return pathname + search
}

/** From our door to the provider and back to us: what the browser is answered then. */
export async function throughProvider(providers: Providers, browser: Browser, slug: Slug, query = ''): Promise<Page> {
  const { location, text, status } = await browser.ask(`/v1/social/${slug}/redirect${query}`)
  if (!location) throw new Error(`Not sent to ${slug}: ${status} ${text}`)
  const { address, init } = await atProvider(providers, slug, location)
  return browser.ask(address, init)
}

/** The same for an app: what it is told at its own address, and the verifier that it kept. */
export async function ticketFrom(providers: Providers, browser: Browser, slug: Slug, returnTo = RETURN) {
  const { verifier, challenge } = newVerifier()
  const page = await throughProvider(providers, browser, slug, `?${new URLSearchParams({ returnTo, challenge })}`)
  return { ...saidIn(page), verifier }
}

export function saidIn({ location, status, text }: Page) {
  if (!location) throw new Error(`Nobody was sent on: ${status} ${text}`)
  const [address = '', fragment = ''] = location.split('#')
  const said = new URLSearchParams(fragment)
  return { address, ticket: said.get('ticket') ?? '', error: said.get('error') }
}

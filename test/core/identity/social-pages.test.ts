import { afterAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { chromium, elsewhere, openChromium } from '../../support/chromium.ts'
import { newVerifier } from '../../support/oauth.ts'
import { openProviders, RETURN, type Slug } from '../../support/social.ts'

const HOST = 'shop.example'
const WAIT_MS = 60_000

/** In a real browser, with its rules on cookies, forms of others' pages and what leads where; the run says so where there is none. */
describe('signing in with a provider, in Chromium', async () => {
  if (chromium === null) return test.skip('there is none here', () => {})
  const providers = await openProviders()
  const app = await startApp({ publicUrl: `https://${HOST}`, simulators: providers.simulators }, { socket: true })
  const { call, ok, person, context } = app
  const admin = await person('The administrator')
  await providers.connect(app, admin)
  const browser = await openChromium({
    ...Object.fromEntries(Object.entries(providers.simulators).map(([host, url]) => [host, elsewhere(url)])),
    [HOST]: elsewhere(app.origin),
    [new URL(RETURN).host]: () => new Response('<!doctype html><p>Back in the shop.</p>', { headers: { 'content-type': 'text/html' } }),
  })
  const { view, reads } = browser
  afterAll(async () => {
    await browser.close()
    await providers.stop()
  })

  const leave = (slug: Slug, query: Record<string, string> = {}) =>
    view.navigate(`https://${HOST}/v1/social/${slug}/redirect?${new URLSearchParams(query)}`)
  let people = 0
  async function sits(slug: Slug, change: object = {}) {
    people += 1
    await browser.forget()
    await browser.speaks('en')
    const account = {
      subject: `c-${people}`,
      email: `chromium${people}@example.dz`,
      emailVerified: true,
      name: `Amel ${people}`,
      ...change,
    }
    providers[slug].books.state.account = account
    return account
  }
  const emails = async () => (await context.sql<{ email: string }[]>`select email from users`).map(({ email }) => email)

  test.each(['google', 'apple', 'facebook'] as const)(
    '%s',
    async (slug) => {
      const account = await sits(slug)
      await leave(slug)
      await reads(/You are signed in/)
      expect(await browser.fits()).toBe(true)
      expect(await view.evaluate('location.href')).not.toMatch(/token|ticket|st_/)
      expect(await emails()).toContain(account.email)
      // No script of a page reads what it is signed in by.
      expect(await view.evaluate('document.cookie')).toBe('')
    },
    WAIT_MS,
  )

  test(
    'TikTok, which tells no address: it is typed into our page',
    async () => {
      const account = await sits('tiktok')
      await leave('tiktok')
      await reads(/sent no e-mail address/)
      expect(await browser.fits()).toBe(true)
      await view.click('input[name=email]')
      await view.type(account.email)
      await view.click('button')
      await reads(/You are signed in/)
      expect(await emails()).toContain(account.email)
    },
    WAIT_MS,
  )

  test.each(['google', 'apple', 'facebook', 'tiktok'] as const)(
    '%s, for a shop that asked: the ticket comes behind the fragment, and is worth nothing without its verifier',
    async (slug) => {
      const account = await sits(slug)
      const { verifier, challenge } = newVerifier()
      await leave(slug, { returnTo: RETURN, challenge })
      await reads(/Back in the shop/)
      const [address, fragment] = String(await view.evaluate('location.href')).split('#')
      expect(address).toBe(RETURN)
      const ticket = new URLSearchParams(fragment).get('ticket')
      const redeem = (body: object) => call('POST', `/v1/users/auth/social/${slug}/callback`, { body })
      expect((await redeem({ ticket, verifier: newVerifier().verifier })).status).toBeGreaterThanOrEqual(400)
      const { verifier: again, challenge: other } = newVerifier()
      await leave(slug, { returnTo: RETURN, challenge: other })
      await reads(/Back in the shop/)
      const told = new URLSearchParams(String(await view.evaluate('location.hash')).slice(1)).get('ticket')
      const email = slug === 'tiktok' ? { email: account.email } : {}
      expect((await redeem({ ticket: told, verifier: again, ...email })).body.data).toMatchObject({ user: { email: account.email } })
      expect(verifier).not.toBe(again)
    },
    WAIT_MS,
  )

  test.each(['google', 'apple'] as const)(
    '%s, linked to an account that is there, once its person says so',
    async (slug) => {
      await sits(slug, { email: `elsewhere${people}@example.dz` })
      const mine = await person('Mine')
      const { data } = await ok('GET', `/v1/social/${slug}/link`, { as: mine.token })
      await view.navigate(data.url)
      const asked = await reads(/Do you want/)
      expect(asked).toContain(mine.email)
      await view.click('button[value=link]')
      await reads(/It is linked/)
      await browser.forget()
      await leave(slug)
      await reads(/You are signed in/)
      const linked = await context.sql<
        { userId: string }[]
      >`select user_id from social_identities where provider = ${slug} and user_id = ${mine.id}`
      expect(linked.length).toBe(1)
    },
    WAIT_MS,
  )

  test(
    'shows a refusal on a page in the language of the browser',
    async () => {
      await sits('apple')
      providers.apple.books.state.denies = true
      await browser.speaks('ar-DZ,ar')
      await leave('apple')
      await reads(/لقد ألغيت العملية/)
      expect(await view.evaluate('document.documentElement.dir')).toBe('rtl')
      expect(await browser.fits()).toBe(true)
      providers.apple.books.state.denies = false
      await browser.speaks('fr')
      await leave('apple')
      await reads(/Vous êtes connecté/)
    },
    WAIT_MS,
  )

  test(
    'begun in one browser and ended in another leads nowhere',
    async () => {
      await sits('google')
      const begun = await fetch(`${app.origin}/v1/social/google/redirect`, { redirect: 'manual' })
      await view.navigate(begun.headers.get('location') ?? '')
      await reads(/was started in another browser/)
    },
    WAIT_MS,
  )
})

import { afterAll, describe, expect, test } from 'bun:test'
import { authorizeMessages } from '../../../core/identity/oauth/authorize/messages.ts'
import { startApp } from '../../support/app.ts'
import { chromium, elsewhere, openChromium } from '../../support/chromium.ts'
import { CALLBACK, newApp, newVerifier } from '../../support/oauth.ts'

const HOST = 'shop.example'
const WAIT_MS = 60_000
const html = (text: string) => new Response(`<!doctype html><p>${text}</p>`, { headers: { 'content-type': 'text/html' } })

/** In a real browser, with its rules on where a form may lead; the run says so where there is none. */
describe('letting an app in, in Chromium', async () => {
  if (chromium === null) return test.skip('there is none here', () => {})
  const app = await startApp({ publicUrl: `https://${HOST}` }, { socket: true })
  await app.person('The administrator')
  const maker = await app.person('Maker')
  const { owner } = await app.shop({ name: 'Boutique' })
  const made = await newApp(app, maker)
  const browser = await openChromium({
    [HOST]: elsewhere(app.origin),
    // As many do: what the code is for is done here, and the person is sent on, to another site.
    [new URL(CALLBACK).host]: ({ url }) => Response.redirect(`https://desk.example/${new URL(url).search}`, 302),
    'desk.example': () => html('Back at the desk.'),
  })
  const { view, reads } = browser
  afterAll(() => browser.close())

  const ask = async (locales = 'en') => {
    const { challenge } = newVerifier()
    const query = { client_id: made.id, redirect_uri: CALLBACK, response_type: 'code', scope: 'stores:read', state: 's' }
    const more = { code_challenge: challenge, code_challenge_method: 'S256', ui_locales: locales }
    await view.navigate(`https://${HOST}/oauth/authorize?${new URLSearchParams({ ...query, ...more })}`)
  }
  // One word, as names and addresses are.
  await app.ok('PUT', '/v1/users/auth', { as: owner.token, body: { name: 'Benabderrahmane'.repeat(6) } })
  async function signIn() {
    await view.click('input[name=email]')
    await view.type(owner.email)
    await view.click('input[name=password]')
    await view.type('correct horse')
    await view.click('button[value=sign-in]')
  }
  const landed = async () => {
    await reads(/Back at the desk/)
    return Object.fromEntries(new URL(String(await view.evaluate('location.href'))).searchParams)
  }

  test(
    "a user signs in, agrees, and is redirected to the app's address",
    async () => {
      await browser.forget()
      await ask()
      await reads(/Shelf Manager/)
      expect(await browser.fits()).toBe(true)
      await signIn()
      expect(await reads(/Boutique/)).toContain(owner.email)
      expect(await browser.fits()).toBe(true)
      await view.click('button[value=allow]')
      const { code, state, iss } = await landed()
      expect([code?.slice(0, 3), state, iss]).toEqual(['ac_', 's', `https://${HOST}`])
    },
    WAIT_MS,
  )

  test(
    'a user refuses, switches to another account, and reads the page in Arabic',
    async () => {
      await ask()
      await reads(/Boutique/)
      await view.click('button[value=deny]')
      expect(await landed()).toMatchObject({ error: 'access_denied', state: 's' })
      await ask('ar')
      await reads(/Shelf Manager/)
      expect(await view.evaluate('getComputedStyle(document.body).direction')).toBe('rtl')
      expect(await browser.fits()).toBe(true)
      await view.click('button[value=switch]')
      await reads(new RegExp(authorizeMessages.ar.password))
      expect(await view.evaluate('document.cookie')).toBe('')
    },
    WAIT_MS,
  )
})

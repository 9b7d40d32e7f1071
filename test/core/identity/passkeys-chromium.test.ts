import { afterAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { chromium, openChromium } from '../../support/chromium.ts'

const WAIT_MS = 60_000
const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
}

const ASK = `async (path, body, token) => {
  const headers = { ...(body && { 'content-type': 'application/json' }), ...(token && { authorization: 'Bearer ' + token }) }
  const answer = await fetch('/v1/passkeys/' + path, { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) })
  return answer.json()
}`
/** What a page does to make a passkey, and what to sign in with one. */
const register = (token: string) => `(async () => {
  const [ask, token] = [${ASK}, ${JSON.stringify(token)}]
  const { data } = await ask('register/start', null, token)
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(data.options)
  return ask('register/finish', { id: data.id, response: (await navigator.credentials.create({ publicKey })).toJSON() }, token)
})()`
const SIGN_IN = `(async () => {
  const ask = ${ASK}
  const { data } = await ask('authenticate/start')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(data.options)
  return ask('authenticate/finish', { id: data.id, response: (await navigator.credentials.get({ publicKey })).toJSON() })
})()`

/** By a real browser and its virtual authenticator, on a page of the server's own origin; the run says so where there is none. */
describe('a passkey, in Chromium', async () => {
  if (chromium === null) return test.skip('there is none here', () => {})
  const app = await startApp({}, { socket: true })
  const mine = await app.person()
  const browser = await openChromium({})
  const { view } = browser
  afterAll(() => browser.close())
  // biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
  const run = (script: string) => view.evaluate(script) as Promise<any>

  test(
    'is made, and signs in without saying who, as long as its person unlocks it',
    async () => {
      await view.navigate(`http://localhost:${new URL(app.origin).port}/health/live`)
      await view.cdp('WebAuthn.enable')
      const { authenticatorId } = await view.cdp<{ authenticatorId: string }>('WebAuthn.addVirtualAuthenticator', {
        options: AUTHENTICATOR,
      })
      expect((await run(register(mine.token))).data).toMatchObject({ synced: false, lastUsedAt: null })
      expect(await view.cdp('WebAuthn.getCredentials', { authenticatorId })).toMatchObject({
        credentials: [{ isResidentCredential: true, rpId: 'localhost' }],
      })
      const { data } = await run(SIGN_IN)
      expect(data.user.id).toBe(mine.id)
      const { data: sessions } = await app.ok('GET', '/v1/users/auth/tokens', { as: data.token })
      expect(sessions[0]).toMatchObject({ current: true, means: 'passkey' })
      await view.cdp('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
      const refused = await run(SIGN_IN).then(
        () => 'signed in',
        (error: Error) => error.message,
      )
      expect(refused).toMatch(/not allowed|NotAllowed/)
    },
    WAIT_MS,
  )
})

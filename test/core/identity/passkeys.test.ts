import { describe, expect, test } from 'bun:test'
import { type Answer, type Person, startApp } from '../../support/app.ts'
import { newAuthenticator } from '../../support/authenticator.ts'
import { letterTo, tokenIn } from '../../support/letters.ts'

const ORIGIN = 'https://shop.example'
const app = await startApp({ publicUrl: ORIGIN, corsOrigins: ['https://admin.shop.example', 'https://evil.example'] })
const { call, ok, person } = app
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()

const begin = async (as: string) => (await ok('POST', '/v1/passkeys/register/start', { as })).data
const beginSignIn = async () => (await ok('POST', '/v1/passkeys/authenticate/start')).data
const finish = (as: string, body: object) => call('POST', '/v1/passkeys/register/finish', { as, body })
const signIn = (body: object) => call('POST', '/v1/passkeys/authenticate/finish', { body })

async function registered(mine: Person) {
  const authenticator = newAuthenticator(ORIGIN)
  const { id, options } = await begin(mine.token)
  const { body } = await finish(mine.token, { id, name: 'My phone', response: authenticator.create(options) })
  return { authenticator, passkey: body.data }
}

describe('a passkey', () => {
  test('is registered, listed, signs in without saying who, and is removed', async () => {
    const mine = await person()
    const { authenticator, passkey } = await registered(mine)
    expect(passkey).toMatchObject({ name: 'My phone', synced: false, lastUsedAt: null })
    expect((await letterTo(app, mine.email, 'new way to sign in')).text).toContain('Passkey')
    const { id, options } = await beginSignIn()
    expect([options.rpId, options.allowCredentials ?? []]).toEqual(['shop.example', []])
    const answer = await signIn({ id, response: authenticator.get(options) })
    expect([answer.status, answer.body.data.user.id]).toEqual([200, mine.id])
    const as = answer.body.data.token
    expect((await ok('GET', '/v1/users/auth/tokens', { as })).data[0]).toMatchObject({ current: true, means: 'passkey' })
    const { data } = await ok('GET', '/v1/passkeys', { as })
    expect(data).toMatchObject([{ id: passkey.id, lastUsedAt: expect.any(String) }])
    expect((await call('DELETE', `/v1/passkeys/${passkey.id}`, { as: (await person()).token })).status).toBe(404)
    expect((await call('DELETE', `/v1/passkeys/${passkey.id}`, { as })).status).toBe(204)
    const again = await beginSignIn()
    expect(outcome(await signIn({ id: again.id, response: authenticator.get(again.options) }))).toBe('401 invalid_credentials')
  })

  test('a challenge is answered once, by whom it was for', async () => {
    const [mine, theirs] = [await person(), await person()]
    const { authenticator } = await registered(mine)
    const { id, options } = await beginSignIn()
    const body = { id, response: authenticator.get(options) }
    const answers = await Promise.all([signIn(body), signIn(body), signIn(body)])
    expect(answers.map(outcome).sort()).toEqual(['200', '401 invalid_credentials', '401 invalid_credentials'])
    const begun = await begin(mine.token)
    const response = newAuthenticator(ORIGIN).create(begun.options)
    expect(outcome(await finish(theirs.token, { id: begun.id, response }))).toBe('422 passkey_refused')
    expect(outcome(await finish(mine.token, { id: begun.id, response }))).toBe('201')
    expect(outcome(await finish(mine.token, { id: begun.id, response }))).toBe('422 passkey_refused')
  })

  test('is registered once by who asks again under the same Idempotency-Key, because no answer came', async () => {
    const mine = await person()
    const { id, options } = await begin(mine.token)
    const body = { id, response: newAuthenticator(ORIGIN).create(options) }
    const again = () => call('POST', '/v1/passkeys/register/finish', { as: mine.token, body, headers: { 'idempotency-key': 'mine' } })
    const [first, second] = [await again(), await again()]
    expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true'])
    expect(second.body).toEqual(first.body)
    expect((await ok('GET', '/v1/passkeys', { as: mine.token })).data).toEqual([first.body.data])
  })

  test('of another page, another host, without its person, or of a copy that counts less is refused', async () => {
    const mine = await person()
    const { authenticator } = await registered(mine)
    for (const faults of [{ origin: 'https://evil.example' }, { host: 'evil.example' }, { unverified: true }]) {
      const { id, options } = await beginSignIn()
      expect(outcome(await signIn({ id, response: authenticator.get(options, faults) }))).toBe('401 invalid_credentials')
      const begun = await begin(mine.token)
      expect(outcome(await finish(mine.token, { id: begun.id, response: newAuthenticator(ORIGIN).create(begun.options, faults) }))).toBe(
        '422 passkey_refused',
      )
    }
    const sub = await beginSignIn()
    expect(outcome(await signIn({ id: sub.id, response: authenticator.get(sub.options, { origin: 'https://admin.shop.example' }) }))).toBe(
      '200',
    )
    const copy = await beginSignIn()
    expect(outcome(await signIn({ id: copy.id, response: authenticator.get(copy.options, { counter: 1 }) }))).toBe(
      '401 invalid_credentials',
    )
    // Signed by a key that is another's.
    const other = await beginSignIn()
    const forged = { ...newAuthenticator(ORIGIN).get(other.options), id: authenticator.get(other.options).id }
    expect(outcome(await signIn({ id: other.id, response: { ...forged, rawId: forged.id } }))).toBe('401 invalid_credentials')
  })

  test('is registered once, whichever account claims it', async () => {
    const [mine, theirs] = [await person(), await person()]
    const { authenticator } = await registered(mine)
    const { id, options } = await begin(theirs.token)
    expect(outcome(await finish(theirs.token, { id, response: authenticator.create(options) }))).toBe('409 conflict')
  })

  test('that somebody made in an account with an address of another is lost once that one reads its mail', async () => {
    const [thief, known] = [await person(), await person()]
    await app.context.sql`update users set email_verified = true where id = ${known.id}`
    for (const [{ email }, mine, left] of [
      [thief, await registered(thief), 0],
      [known, await registered(known), 1],
    ] as const) {
      await ok('POST', '/v1/users/auth/code', { body: { email, purpose: 'reset_password' } })
      const token = tokenIn(await letterTo(app, email, 'assword'))
      const raw = new URLSearchParams({ token, password: 'an entirely new one' }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      expect((await call('POST', '/v1/auth/web/reset-password-confirm', { raw, headers })).body).toContain('changed')
      expect((await app.context.sql`select 1 from passkeys where id = ${mine.passkey.id}`).length).toBe(left)
    }
  })

  test('ends at a page that says how it went', async () => {
    const page = await call('GET', '/v1/passkeys/auth-callback?result=failed&ui_locales=fr')
    expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'no-referrer'])
    expect(page.body).toContain('n’a pas fonctionné')
  })
})

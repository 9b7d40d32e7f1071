import { afterAll, describe, expect, test } from 'bun:test'
import { createSignInLink } from '../../../core/identity/codes/sign-in-link.ts'
import { startApp } from '../../support/app.ts'
import { newAuthenticator } from '../../support/authenticator.ts'
import { openBrowser } from '../../support/oauth.ts'
import { openProviders, ticketFrom } from '../../support/social.ts'
import { bytesOf, codeFromNow } from '../../support/totp.ts'

const ORIGIN = 'https://shop.example'
const PASSWORD = 'correct horse'
const providers = await openProviders()
afterAll(() => providers.stop())
const app = await startApp({ publicUrl: ORIGIN, simulators: providers.simulators })
const { call, ok, person } = app
await providers.connect(app, await person('The administrator'))

const signIn = (means: object) =>
  call('POST', '/console/session', { headers: { origin: ORIGIN, 'x-serai-console': '1' }, body: { isOwnDevice: true, ...means } })

/** The user whom the cookie of an answer signs in. */
async function userOf({ headers }: { headers: Headers }) {
  const cookie = (headers.get('set-cookie') ?? '').split(';')[0]!
  return (await call('GET', '/v1/me', { headers: { cookie } })).body.data?.user
}

test('console session: a second factor is asked for, and its code opens the session', async () => {
  const mine = await person()
  const path = '/v1/users/auth/second-factor'
  const { data } = await ok('POST', path, { as: mine.token, body: { currentPassword: PASSWORD } })
  const secret = bytesOf(data.secret)
  await ok('POST', `${path}/confirm`, { as: mine.token, body: { secondFactor: codeFromNow(secret) } })
  const password = { email: mine.email, password: PASSWORD }
  const without = await signIn({ password })
  expect([without.status, without.body.error.code, without.headers.get('set-cookie')]).toEqual([401, 'second_factor_required', null])
  const answer = await signIn({ password: { ...password, secondFactor: codeFromNow(secret, 1) } })
  expect([answer.status, (await userOf(answer))?.id]).toEqual([200, mine.id])
})

test('console session: a passkey opens it without a word about who signs in', async () => {
  const mine = await person()
  const authenticator = newAuthenticator(ORIGIN)
  const begun = (await ok('POST', '/v1/passkeys/register/start', { as: mine.token })).data
  await ok('POST', '/v1/passkeys/register/finish', {
    as: mine.token,
    body: { id: begun.id, name: 'My phone', response: authenticator.create(begun.options) },
  })
  const { id, options } = (await ok('POST', '/v1/passkeys/authenticate/start')).data
  const answer = await signIn({ passkey: { id, response: authenticator.get(options) } })
  expect([answer.status, (await userOf(answer))?.id]).toEqual([200, mine.id])
})

test('console session: the ticket of a social provider opens it once', async () => {
  providers.apple.books.state.account = { subject: 'c-1', email: 'console@example.dz', emailVerified: true, name: 'Lina' }
  const { ticket, verifier } = await ticketFrom(providers, openBrowser(app), 'apple')
  const social = { provider: 'apple', ticket, verifier }
  const answer = await signIn({ social })
  expect([answer.status, (await userOf(answer))?.email]).toEqual([200, 'console@example.dz'])
  expect(JSON.stringify(answer.body)).not.toMatch(/st_|token/i)
  const again = await signIn({ social })
  expect([again.status >= 400, again.headers.get('set-cookie')]).toEqual([true, null])
})

describe('a link that signs in', () => {
  const linkFor = async (email: string) => (await createSignInLink(app.context.sql, email)) ?? 'none'

  test('console session: a link opens one session, and of two at once one opens it', async () => {
    const mine = await person()
    const token = await linkFor(mine.email)
    const answers = await Promise.all([signIn({ link: { token } }), signIn({ link: { token } })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    const opened = answers.find(({ status }) => status === 200)!
    expect((await userOf(opened))?.id).toBe(mine.id)
    expect((await call('GET', '/v1/me', { as: mine.token })).status).toBe(200)
    const again = await signIn({ link: { token } })
    expect([again.status, again.body.error.code, again.headers.get('set-cookie')]).toEqual([422, 'invalid_code', null])
  })

  test('console session: a link asks for the second factor, and stays good until it comes', async () => {
    const mine = await person()
    const path = '/v1/users/auth/second-factor'
    const { data } = await ok('POST', path, { as: mine.token, body: { currentPassword: PASSWORD } })
    const secret = bytesOf(data.secret)
    await ok('POST', `${path}/confirm`, { as: mine.token, body: { secondFactor: codeFromNow(secret) } })
    const link = { token: await linkFor(mine.email) }
    expect((await signIn({ link })).body.error.code).toBe('second_factor_required')
    const answer = await signIn({ link: { ...link, secondFactor: codeFromNow(secret, 1) } })
    expect((await userOf(answer))?.id).toBe(mine.id)
  })

  test('console session: there is none for an unknown account, and an invented one opens nothing', async () => {
    expect(await createSignInLink(app.context.sql, 'nobody@example.dz')).toBeNull()
    const answer = await signIn({ link: { token: 'ml_invented' } })
    expect([answer.status, answer.body.error.code]).toEqual([422, 'invalid_code'])
  })
})

import { describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { codeIn, letterTo } from '../../support/letters.ts'
import { readOutbox } from '../../support/outbox.ts'

const app = await startApp({ trustedProxies: 1 })
const { ok, call, person } = app
const admin = await person('The administrator')
const password = 'correct horse'
let people = 0

/** Somebody whose program wants these languages. */
async function speaker(accepted: string) {
  const email = `speaker-${++people}@example.dz`
  const { data } = await ok('POST', '/v1/users/auth/signup', {
    body: { name: 'Speaker', email, password },
    headers: { 'accept-language': accepted },
  })
  return { email, id: data.user.id as string, token: data.token as string, language: data.user.language as string | null }
}

describe("a person's language", () => {
  test('is taken from the program that the user signed up with, among the languages that mails exist in', async () => {
    const arab = await speaker('ar-DZ,ar;q=0.9,fr;q=0.5')
    expect(arab.language).toBe('ar')
    expect((await letterTo(app, arab.email, 'أكّد بريدك')).html).toContain('dir="rtl"')
    expect((await speaker('kab, fr-DZ')).language).toBe('fr')
    const unknown = await speaker('de')
    expect(unknown.language).toBeNull()
    await letterTo(app, unknown.email, 'Confirm your e-mail')
  })

  test('decides on all mails that name no language of their own, and the user can change it', async () => {
    const { email, id, token } = await speaker('fr')
    const signIn = (address: string) =>
      ok('POST', '/v1/users/auth/signin', { body: { email, password }, headers: { 'x-forwarded-for': address, 'user-agent': address } })
    await signIn('41.200.1.5')
    await letterTo(app, email, 'Nouvelle connexion')
    await ok('POST', '/v1/admins/login-as', { as: admin.token, body: { userId: id, reason: 'Aide' } })
    await letterTo(app, email, 'Un administrateur')
    expect((await ok('GET', '/v1/me/notifications', { as: token })).data[0].title).toContain('Un administrateur')
    const { data } = await ok('PUT', '/v1/users/auth', { as: token, body: { language: 'ar' } })
    expect(data.language).toBe('ar')
    expect((await ok('GET', `/v1/users/${id}`, { as: admin.token })).data.language).toBe('ar')
    await signIn('41.201.1.5')
    await letterTo(app, email, 'تسجيل دخول جديد')
    await ok('POST', '/v1/users/auth/code', { body: { email } })
    await letterTo(app, email, 'رمز الدخول')
    await ok('POST', '/v1/users/auth/code', { body: { email, language: 'en' } })
    await letterTo(app, email, 'sign-in code')
    expect((await call('PUT', '/v1/users/auth', { as: token, body: { language: 'de' } })).status).toBe(400)
  })
})

describe('notices to the owner of an account', () => {
  const about = async (email: string, words: string) =>
    (await readOutbox(app.context.config.dataDir)).filter(({ to, subject }) => to === email && subject.includes(words))

  test('a change of the address is told to the old address, and the new one is asked to confirm', async () => {
    const { email, token } = await speaker('fr')
    const next = `next-${email}`
    await ok('PUT', '/v1/users/auth', { as: token, body: { email: next, currentPassword: password } })
    expect((await letterTo(app, email, 'adresse e-mail de votre compte')).text).toContain(next)
    await letterTo(app, next, 'Confirmez votre adresse')
    await ok('PUT', '/v1/users/auth', { as: token, body: { email: next.toUpperCase(), name: 'S' } })
    expect(await about(next, 'adresse e-mail de votre compte')).toEqual([])
  })

  test('every way to change the password is told', async () => {
    const { email, token } = await speaker('en')
    await ok('PUT', '/v1/users/auth', { as: token, body: { password: 'battery staple', currentPassword: password } })
    await letterTo(app, email, 'password was changed')
    const asked = await ok('POST', '/v1/users/auth/code', { body: { email, purpose: 'reset_password' } })
    const code = codeIn(await letterTo(app, email, 'new password'))
    await ok('POST', '/v1/users/auth/code/consume', { body: { id: asked.data.id, code, password: 'battery staple two' } })
    await letterTo(app, email, 'password was changed', 1)
  })

  test("a new account's mail says how to sign in; an account with a password only confirms its address", async () => {
    const make = (body: object) => ok('POST', '/v1/users', { as: admin.token, body: { name: 'Made', ...body } })
    await make({ email: 'made@example.dz' })
    expect((await letterTo(app, 'made@example.dz', 'Your account at')).text).toContain('reset-password?token=')
    expect(await about('made@example.dz', 'Confirm')).toEqual([])
    await make({ email: 'given@example.dz', password: 'battery staple' })
    await letterTo(app, 'given@example.dz', 'Confirm your e-mail')
    expect(await about('given@example.dz', 'Your account')).toEqual([])
  })
})

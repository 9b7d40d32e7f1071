import { describe, expect, test } from 'bun:test'
import { type Answer, startApp } from '../../support/app.ts'
import { letterTo, pathIn, tokenIn } from '../../support/letters.ts'

const app = await startApp()
const { call, ok, person, shop } = app
const admin = await person('The administrator')
const as = admin.token
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()

describe('people', () => {
  test('are listed, searched, made, changed and read by administrators alone', async () => {
    const { data: made } = await ok('POST', '/v1/users', { as, body: { name: 'Zoulikha Amrani', email: 'zoulikha@example.dz' } })
    expect(made).toMatchObject({ emailVerified: false, isAdmin: false })
    const welcome = await letterTo(app, 'zoulikha@example.dz', 'Your account at')
    expect((await call('GET', pathIn(welcome))).status).toBe(200)
    const fields = { token: tokenIn(welcome), password: 'battery staple one' }
    const chosen = await call('POST', '/v1/auth/web/reset-password-confirm', {
      raw: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(chosen.status).toBe(200)
    const { data: entered } = await ok('POST', '/v1/users/auth/signin', { body: { email: made.email, password: fields.password } })
    expect(entered.user).toMatchObject({ id: made.id, emailVerified: true })
    expect((await ok('GET', '/v1/users?q=amrani', { as })).data.map(({ id }: { id: string }) => id)).toEqual([made.id])
    expect((await ok('GET', '/v1/users?isAdmin=true&sort=name', { as })).data.map(({ id }: { id: string }) => id)).toEqual([admin.id])
    const changed = await ok('PATCH', `/v1/users/${made.id}`, { as, body: { email: 'z.amrani@example.dz' } })
    expect(changed.data).toMatchObject({ name: 'Zoulikha Amrani', email: 'z.amrani@example.dz' })
    expect((await letterTo(app, 'zoulikha@example.dz', 'was changed')).text).toContain('z.amrani@example.dz')
    await letterTo(app, 'z.amrani@example.dz', 'Confirm your e-mail')
    await ok('PUT', `/v1/users/${made.id}`, { as, body: { name: 'Z', email: 'z.amrani@example.dz' } })
    expect((await ok('GET', `/v1/users/${made.id}`, { as })).data.name).toBe('Z')
    const taken = { name: 'Another', email: 'Z.Amrani@example.dz' }
    expect(outcome(await call('POST', '/v1/users', { as, body: taken }))).toBe('409 email_taken')
    expect(outcome(await call('PATCH', `/v1/users/${admin.id}`, { as, body: { email: taken.email } }))).toBe('409 email_taken')
    expect(outcome(await call('GET', '/v1/users', { as: (await person()).token }))).toBe('403 forbidden')
    expect(outcome(await call('GET', '/v1/users/usr_nobody', { as }))).toBe('404 not_found')
  })

  test('who own something stay; others go, and what they did stays without their name', async () => {
    const { owner, storeId } = await shop()
    const clerk = await person('Clerk')
    await ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: clerk.email, role: 'agent' } })
    expect(outcome(await call('DELETE', `/v1/users/${owner.id}`, { as }))).toBe('409 person_owns_things')
    expect(outcome(await call('DELETE', `/v1/users/${clerk.id}`, { as }))).toBe('204')
    expect((await call('GET', '/v1/users/auth', { as: clerk.token })).status).toBe(401)
    expect(outcome(await call('POST', '/v1/users/auth/signin', { body: { email: clerk.email, password: 'correct horse' } }))).toBe(
      '401 invalid_credentials',
    )
    const { data: members } = await ok('GET', `/v1/stores/${storeId}/members`, { as: owner.token })
    expect(members.map(({ userId }: { userId: string }) => userId)).toEqual([owner.id])
    const gone = `${clerk.id}@deleted.invalid`
    for (const password of ['', 'correct horse'])
      expect(outcome(await call('POST', '/v1/users/auth/signin', { body: { email: gone, password } }))).toBe('401 invalid_credentials')
    expect(outcome(await call('GET', `/v1/users/${clerk.id}`, { as }))).toBe('404 not_found')
    expect(
      outcome(await call('POST', '/v1/users/auth/signup', { body: { name: 'B', email: clerk.email, password: 'correct horse' } })),
    ).toBe('201')
  })
})

describe('administrators', () => {
  test('are appointed and dismissed, but never the last one', async () => {
    const second = await person('Second')
    expect((await ok('GET', '/v1/admins/check', { as: second.token })).data.isAdmin).toBe(false)
    expect(outcome(await call('DELETE', `/v1/admins/${admin.id}`, { as }))).toBe('409 last_admin')
    expect(outcome(await call('DELETE', `/v1/users/${admin.id}`, { as }))).toBe('409 last_admin')
    const appoint = () => call('POST', '/v1/admins', { as, body: { email: second.email } })
    expect(outcome(await appoint())).toBe('422 unknown_person')
    expect((await ok('GET', '/v1/admins/check', { as: second.token })).data.isAdmin).toBe(false)
    await ok('POST', '/v1/users/auth/verify-email/confirm', { body: { token: tokenIn(await letterTo(app, second.email, 'Confirm your')) } })
    expect(outcome(await appoint())).toBe('201')
    expect((await ok('GET', '/v1/admins/check', { as: second.token })).data.isAdmin).toBe(true)
    expect((await ok('GET', '/v1/admins', { as })).data.length).toBe(2)
    expect((await ok('PATCH', `/v1/admins/${second.id}`, { as, body: { name: 'Deputy' } })).data.name).toBe('Deputy')
    const both = await Promise.all([
      call('DELETE', `/v1/admins/${second.id}`, { as }),
      call('DELETE', `/v1/admins/${admin.id}`, { as: second.token }),
    ])
    expect(both.map(({ status }) => status).filter((status) => status === 204).length).toBe(1)
    await app.context.sql`update users set is_admin = id = ${admin.id}`
    expect((await ok('GET', `/v1/admins/${admin.id}`, { as })).data.id).toBe(admin.id)
    expect(outcome(await call('GET', `/v1/admins/${second.id}`, { as }))).toBe('404 not_found')
  })

  test('sign in as a user for a while; the user is notified and sees it, and their own sign-in is not touched', async () => {
    const { owner } = await shop()
    const body = { userId: owner.id, reason: 'The owner asked for help with prices' }
    expect(outcome(await call('POST', '/v1/admins/login-as', { as: owner.token, body }))).toBe('403 forbidden')
    const { data } = await ok('POST', '/v1/admins/login-as', { as, body })
    expect(Date.parse(data.expiresAt) - Date.now()).toBeLessThan(31 * 60_000)
    expect((await ok('GET', '/v1/users/auth', { as: data.token })).data.id).toBe(owner.id)
    const { data: sessions } = await ok('GET', '/v1/users/auth/tokens', { as: owner.token })
    expect(sessions.map(({ means }: { means: string }) => means)).toEqual(['admin', 'password'])
    expect((await letterTo(app, owner.email, 'administrator signed in')).text).toContain('help with prices')
    const { data: told } = await ok('GET', '/v1/me/notifications', { as: owner.token })
    expect(told[0].message).toContain('help with prices')
    expect(outcome(await call('POST', '/v1/passkeys/register/start', { as: data.token }))).toBe('403 forbidden')
    expect(outcome(await call('POST', '/v1/admins/login-as', { as, body: { ...body, userId: admin.id } }))).toBe('403 forbidden')
    const { data: actions } = await ok('GET', '/v1/admins/actions?limit=1', { as })
    expect(actions[0]).toMatchObject({ what: 'login_as', adminId: admin.id, userId: owner.id, reason: body.reason })
    expect(outcome(await call('DELETE', `/v1/users/auth/tokens/${sessions[0].id}`, { as: owner.token }))).toBe('204')
    expect((await call('GET', '/v1/users/auth', { as: data.token })).status).toBe(401)
  })

  test('write to people by mail and within', async () => {
    const [one, two] = [await person(), await person()]
    const userIds = [one.id, two.id, 'usr_nobody']
    const mailed = await ok('POST', '/v1/admins/send-email', { as, body: { userIds, subject: 'Works on Friday', message: 'From 2 to 3.' } })
    expect(mailed.data).toEqual({ reached: 2, withheld: 0, unknown: ['usr_nobody'] })
    expect((await letterTo(app, two.email, 'Works on Friday')).text).toContain('From 2 to 3.')
    await ok('POST', '/v1/admins/send-notification', { as, body: { userIds, title: 'Works', message: 'On Friday' } })
    const { data } = await ok('GET', '/v1/me/notifications', { as: one.token })
    expect(data).toMatchObject([{ title: 'Works', message: 'On Friday', readAt: null }])
    const read = `/v1/me/notifications/${data[0].id}/read`
    expect((await call('POST', read, { as: two.token })).status).toBe(404)
    expect((await ok('POST', read, { as: one.token })).data.readAt).toBeString()
  })
})

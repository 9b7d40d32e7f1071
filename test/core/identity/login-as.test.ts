import { describe, expect, test } from 'bun:test'
import { type Answer, startApp } from '../../support/app.ts'
import { letterTo, tokenIn } from '../../support/letters.ts'
import { CALLBACK, newApp, openBrowser } from '../../support/oauth.ts'

const app = await startApp()
const { call, ok, person, shop, context } = app
const admin = await person('The administrator')
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()

async function inNameOf(userId: string) {
  const { data } = await ok('POST', '/v1/admins/login-as', { as: admin.token, body: { userId, reason: 'The user asked for help' } })
  return data.token as string
}

describe('an administrator in the name of a person', () => {
  test("is named beside the user in the store's audit log; what the user did names the user alone", async () => {
    const { owner, storeId } = await shop()
    const as = await inNameOf(owner.id)
    const { data: product } = await ok('POST', '/v1/products', { as: owner.token, body: { storeId, name: 'Shoe', price: 100 } })
    const reprice = (price: number, token: string) => ok('PATCH', `/v1/products/${product.id}`, { as: token, body: { price } })
    await reprice(120, as)
    await reprice(130, owner.token)
    const { data } = await ok('GET', `/v1/stores/${storeId}/audit?what=product.price_changed`, { as: owner.token })
    const { name } = (await ok('GET', '/v1/users/auth', { as: owner.token })).data
    const person = { kind: 'person', id: owner.id, name, appId: null, appName: null }
    expect(data.map(({ by }: { by: object }) => by)).toEqual([
      { ...person, administrator: null },
      { ...person, administrator: { id: admin.id, name: 'The administrator' } },
    ])
  })

  test('is named beside the user in the history of an order', async () => {
    const { owner, storeId } = await shop()
    const { data: product } = await ok('POST', '/v1/products', { as: owner.token, body: { storeId, name: 'Shoe', price: 100 } })
    const destination = { country: 'DZ', stateCode: '16', cityName: 'Alger Centre', address: '1 rue Didouche', deliveryType: 'home' }
    const customer = { name: 'Amina', phone: '0550123456' }
    const body = { storeId, customer, destination, items: [{ productId: product.id, quantity: 1 }] }
    const { data: order } = await ok('POST', '/v1/orders', { as: owner.token, body })
    await ok('PATCH', `/v1/orders/${order.id}`, { as: await inNameOf(owner.id), body: { status: 'confirmed' } })
    const { history } = (await ok('GET', `/v1/orders/${order.id}`, { as: owner.token })).data
    expect(history.map(({ by }: { by: { administrator: object | null } }) => by.administrator)).toEqual([
      null,
      { id: admin.id, name: 'The administrator' },
    ])
  })

  test('cannot make or change anything that outlives the half hour or belongs to the user alone', async () => {
    const { owner, storeId, projectId } = await shop()
    const { tenantId } = (await ok('GET', `/v1/projects/${projectId}`, { as: owner.token })).data
    const heir = await person('Heir')
    await ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: heir.email, role: 'admin' } })
    const program = { name: 'App', kind: 'confidential', redirectUris: ['https://app.example.dz/back'] }
    const { data: own } = await ok('POST', '/v1/apps', { as: owner.token, body: program })
    const keys = `/v1/projects/${projectId}/api-keys`
    const { data: key } = await ok('POST', keys, { as: owner.token, body: { name: 'mine', scopes: ['parcels:read'] } })
    const { data: told } = await ok('GET', '/v1/me/notifications', { as: owner.token })
    expect(told).toEqual([])
    const as = await inNameOf(owner.id)
    const [note] = (await ok('GET', '/v1/me/notifications', { as })).data
    const people = [
      { userId: owner.id, role: 'admin' },
      { email: heir.email, role: 'owner' },
    ]
    const refused = [
      ['POST', keys, { name: 'theirs', scopes: ['parcels:read'] }],
      ['DELETE', `${keys}/${key.id}`],
      ['POST', '/v1/apps', program],
      ['PUT', `/v1/apps/${own.id}`, { name: 'Another' }],
      ['DELETE', `/v1/apps/${own.id}`],
      ['POST', `/v1/apps/${own.id}/regenerate-secret`],
      ['PUT', `/v1/apps/${own.id}/private-data`, {}],
      ['PUT', '/v1/users/auth', { name: 'Zed' }],
      ['PUT', '/v1/users/auth', { email: 'zed@example.dz', currentPassword: 'correct horse' }],
      ['POST', '/v1/users/auth/transfer', { email: heir.email, currentPassword: 'correct horse' }],
      ['POST', '/v1/users/auth/second-factor', { currentPassword: 'correct horse' }],
      ['PUT', `/v1/stores/${storeId}/members/${heir.id}`, { role: 'owner' }],
      ['PATCH', `/v1/tenants/${tenantId}`, { people }],
      ['POST', `/v1/me/notifications/${note.id}/read`],
      ['POST', '/v1/passkeys/register/start'],
    ] as const
    for (const [method, path, body] of refused)
      expect(`${method} ${path} ${outcome(await call(method, path, { as, ...(body && { body }) }))}`).toBe(
        `${method} ${path} 403 forbidden`,
      )
    expect((await ok('GET', keys, { as })).data.length).toBe(2)
    expect((await ok('GET', `/v1/apps/${own.id}`, { as })).data.name).toBe('App')
    expect((await ok('GET', '/v1/me/notifications', { as: owner.token })).data[0].readAt).toBeNull()
    // The user may do all of it.
    await ok('POST', `/v1/me/notifications/${note.id}/read`, { as: owner.token })
    await ok('PUT', `/v1/stores/${storeId}/members/${heir.id}`, { as: owner.token, body: { role: 'owner' } })
  })

  test('can end only this session, and cannot authorize an app in a browser', async () => {
    const { id, token, email } = await person('Victim')
    const as = await inNameOf(id)
    const { data: sessions } = await ok('GET', '/v1/users/auth/tokens', { as })
    const ownSession = sessions.find(({ means }: { means: string }) => means === 'password')
    expect(outcome(await call('DELETE', `/v1/users/auth/tokens/${ownSession.id}`, { as }))).toBe('403 forbidden')
    const { id: client_id } = await newApp(app, { id, token, email })
    const asked = `/oauth/authorize?${new URLSearchParams({ client_id, redirect_uri: CALLBACK, response_type: 'code', scope: 'stores:read' })}`
    const pageWith = async (session: string) => {
      const browser = openBrowser(app)
      browser.cookies.set('serai_session', session)
      return (await browser.ask(asked)).text
    }
    expect(await pageWith(token)).toContain('value="allow"')
    expect(await pageWith(as)).not.toContain('value="allow"')
    const decided = await call('POST', asked, { as, body: { action: 'allow' } })
    expect([decided.status, decided.body.error]).toEqual([403, 'access_denied'])
    expect((await call('POST', asked, { as: token, body: { action: 'allow' } })).status).toBe(200)
    expect((await ok('POST', '/v1/users/auth/tokens/revoke-all', { as })).data.revoked).toBe(1)
    expect((await call('GET', '/v1/users/auth', { as })).status).toBe(401)
    expect((await call('GET', '/v1/users/auth', { as: token })).status).toBe(200)
  })

  test('loses the session at once when they stop being a platform administrator', async () => {
    const [deputy, victim] = [await person('Deputy'), await person('Victim')]
    await ok('POST', '/v1/users/auth/verify-email/confirm', { body: { token: tokenIn(await letterTo(app, deputy.email, 'Confirm your')) } })
    await ok('POST', '/v1/admins', { as: admin.token, body: { email: deputy.email } })
    const body = { userId: victim.id, reason: 'The user asked for help' }
    const { data } = await ok('POST', '/v1/admins/login-as', { as: deputy.token, body })
    expect((await call('GET', '/v1/users/auth', { as: data.token })).status).toBe(200)
    await ok('DELETE', `/v1/admins/${deputy.id}`, { as: admin.token })
    await Bun.sleep(50)
    expect((await call('GET', '/v1/users/auth', { as: data.token })).status).toBe(401)
    expect((await context.sql`select 1 from session_tokens where admin_id = ${deputy.id}`).length).toBe(1)
  })

  test('loses the session at once when the user becomes a platform administrator, and never acts as one', async () => {
    const [deputy, victim] = [await person('Deputy'), await person('Rising')]
    const as = await inNameOf(victim.id)
    expect((await call('GET', '/v1/users/auth', { as })).status).toBe(200)
    await ok('POST', '/v1/users/auth/verify-email/confirm', { body: { token: tokenIn(await letterTo(app, victim.email, 'Confirm your')) } })
    await ok('POST', '/v1/admins', { as: admin.token, body: { email: victim.email } })
    await Bun.sleep(50)
    const body = { userId: deputy.id, reason: 'The user asked for help' }
    expect(outcome(await call('POST', '/v1/admins/login-as', { as, body }))).toBe('401 invalid_token')
    await ok('DELETE', `/v1/admins/${victim.id}`, { as: admin.token })
  })

  test('cannot do what administrators do, and is told to stop acting first', async () => {
    const { id } = await person('Plain')
    const answer = await call('GET', '/v1/admins', { as: await inNameOf(id) })
    expect(outcome(answer)).toBe('403 forbidden')
    expect(answer.body.error.message).toContain('Stop acting as them first.')
  })
})

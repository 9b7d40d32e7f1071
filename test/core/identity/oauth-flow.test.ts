import { describe, expect, test } from 'bun:test'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { sharedInMemory } from '../../../core/data/shared/shared.ts'
import { openAuthenticator } from '../../../core/identity/auth/credentials/authenticate.ts'
import { lastUsedRecorder } from '../../../core/identity/auth/credentials/last-used.ts'
import { startApp } from '../../support/app.ts'
import { CALLBACK, letIn, newApp, newVerifier, openBrowser } from '../../support/oauth.ts'

const app = await startApp({}, { socket: true })
const { call, ok, origin } = app
await app.person('The administrator')
const maker = await app.person('Maker')
const shop = await app.shop()
const insecure = { [oauth.allowInsecureRequests]: true }
const server = await oauth
  .discoveryRequest(new URL(origin), { ...insecure, algorithm: 'oauth2' })
  .then((response) => oauth.processDiscoveryResponse(new URL(origin), response))

test('the metadata say what is there (RFC 8414)', () => {
  expect(server).toMatchObject({
    issuer: origin,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    response_types_supported: ['code'],
  })
})

describe('an app and its person, with oauth4webapi', () => {
  const methods = [
    ['client_secret_basic', 'confidential', (secret: string) => oauth.ClientSecretBasic(secret)],
    ['client_secret_post', 'confidential', (secret: string) => oauth.ClientSecretPost(secret)],
    ['none', 'public', () => oauth.None()],
  ] as const

  test.each(methods)('%s', async (_, kind, authOf) => {
    const made = await newApp(app, maker, { kind })
    const client: oauth.Client = { client_id: made.id }
    const auth = authOf(made.secret)
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const address = new URL(server.authorization_endpoint!)
    address.search = new URLSearchParams({
      client_id: made.id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'parcels:read parcels:write',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString()
    const browser = openBrowser(app)
    await browser.ask(address.href)
    await browser.signIn(shop.owner)
    const { location, status } = await browser.press('allow')
    expect(status).toBe(303)
    const parameters = oauth.validateAuthResponse(server, client, new URL(location!), state)
    const given = await oauth.authorizationCodeGrantRequest(server, client, auth, parameters, CALLBACK, verifier, insecure)
    expect([given.headers.get('cache-control'), given.headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, given)
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 90 * 86_400, scope: 'parcels:read parcels:write' })
    expect(tokens.access_token).toMatch(/^at_[0-9A-Za-z]{43}$/)
    expect(tokens.refresh_token).toMatch(/^rt_[0-9A-Za-z]{43}$/)
    expect((await call('GET', '/v1/parcels', { as: tokens.access_token })).status).toBe(200)

    const next = await oauth
      .refreshTokenGrantRequest(server, client, auth, tokens.refresh_token!, insecure)
      .then((response) => oauth.processRefreshTokenResponse(server, client, response))
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    expect((await call('GET', '/v1/parcels', { as: next.access_token })).status).toBe(200)

    if (kind === 'confidential') {
      const told = await oauth
        .introspectionRequest(server, client, auth, next.access_token, insecure)
        .then((response) => oauth.processIntrospectionResponse(server, client, response))
      expect(told).toMatchObject({ active: true, client_id: made.id, sub: shop.owner.id, scope: 'parcels:read parcels:write', iss: origin })
      expect(told.exp! - told.iat!).toBe(90 * 86_400)
    }
    await oauth.revocationRequest(server, client, auth, next.refresh_token!, insecure).then(oauth.processRevocationResponse)
    for (const as of [tokens.access_token, next.access_token])
      expect((await call('GET', '/v1/parcels', { as })).body.error.code).toBe('invalid_token')
  })
})

test('openid-client goes the whole way', async () => {
  const made = await newApp(app, maker)
  const config = await openid.discovery(new URL(origin), made.id, made.secret, undefined, {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  })
  const verifier = openid.randomPKCECodeVerifier()
  const state = openid.randomState()
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'orders:read',
    state,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const browser = openBrowser(app)
  await browser.ask(address.href)
  await browser.signIn(shop.owner)
  const { location } = await browser.press('allow')
  const tokens = await openid.authorizationCodeGrant(config, new URL(location!), { pkceCodeVerifier: verifier, expectedState: state })
  expect((await openid.tokenIntrospection(config, tokens.access_token)).active).toBe(true)
  const next = await openid.refreshTokenGrant(config, tokens.refresh_token!)
  await openid.tokenRevocation(config, next.access_token)
  expect((await openid.tokenIntrospection(config, next.access_token)).active).toBe(false)
  expect((await openid.tokenIntrospection(config, tokens.access_token)).active).toBe(true)
})

describe('a token acts as its person', () => {
  const scopesOf = (answer: { status: number; body: { error?: { code: string } } }) =>
    `${answer.status} ${answer.body?.error?.code ?? ''}`.trim()

  test('within its scopes, in the chosen project and its stores', async () => {
    const made = await newApp(app, maker)
    const other = await app.shop()
    const { access_token: as } = await letIn(app, made, shop.owner, 'stores:read parcels:read orders:write')
    const { data } = await ok('GET', '/v1/stores', { as })
    expect(data.map(({ id }: { id: string }) => id)).toEqual([shop.storeId])
    expect(scopesOf(await call('GET', '/v1/parcels', { as }))).toBe('200')
    const lacking = await call('GET', '/v1/inventory/balances', { as })
    expect(scopesOf(lacking)).toBe('403 insufficient_scope')
    expect(lacking.headers.get('www-authenticate')).toContain('scope="inventory:read"')
    expect(scopesOf(await call('PATCH', `/v1/stores/${shop.storeId}`, { as, body: { name: 'Other' } }))).toBe('403 insufficient_scope')
    expect(scopesOf(await call('GET', `/v1/stores/${other.storeId}`, { as }))).toBe('404 not_found')
    expect(scopesOf(await call('GET', '/v1/users/auth', { as }))).toBe('403 forbidden')
    expect(scopesOf(await call('POST', '/v1/apps', { as, body: { name: 'x', redirectUris: [CALLBACK] } }))).toBe('403 forbidden')
  })

  test("with the user's role: an admin of a store is no owner, and a member who leaves loses access at once", async () => {
    const made = await newApp(app, maker)
    const boss = await app.person('Boss')
    const member = { as: shop.owner.token, body: { email: boss.email, role: 'admin' } }
    await ok('POST', `/v1/stores/${shop.storeId}/members`, member)
    const { access_token: as } = await letIn(app, made, boss, 'stores:read stores:write parcels:read')
    expect(scopesOf(await call('GET', '/v1/parcels', { as }))).toBe('200')
    expect(scopesOf(await call('DELETE', `/v1/stores/${shop.storeId}`, { as }))).toBe('403 forbidden')
    await ok('DELETE', `/v1/stores/${shop.storeId}/members/${boss.id}`, { as: shop.owner.token })
    await Bun.sleep(1_050)
    expect(scopesOf(await call('GET', `/v1/stores/${shop.storeId}`, { as }))).toBe('404 not_found')
    expect(scopesOf(await call('GET', '/v1/parcels', { as }))).toBe('403 forbidden')
  })

  test('who has a small role somewhere and no project is not more than the public where anybody may come', async () => {
    const made = await newApp(app, maker)
    const agent = await app.person('Agent')
    await ok('POST', `/v1/stores/${shop.storeId}/members`, { as: shop.owner.token, body: { email: agent.email, role: 'agent' } })
    const { access_token: as } = await letIn(app, made, agent, 'geo:read')
    const body = {
      storeId: shop.storeId,
      customer: { name: 'Amina', phone: '0550123456' },
      destination: { country: 'DZ', stateCode: '16', cityName: 'Alger', address: '', deliveryType: 'home' },
      items: [{ productId: 'prd_nothing', quantity: 1 }],
    }
    const product = await ok('POST', '/v1/products', {
      as: shop.key,
      body: { storeId: shop.storeId, name: 'Basket', price: 100, stockKeeping: false },
    })
    const order = await ok('POST', '/v1/orders', { as, body: { ...body, items: [{ productId: product.data.id, quantity: 1 }] } })
    expect(order.data.source).toBe('storefront')
  })

  test('an administrator’s app administers nothing', async () => {
    const made = await newApp(app, maker)
    const [admin] = await app.context.sql<{ id: string; email: string }[]>`select id, email from users where is_admin`
    const { access_token: as } = await letIn(app, made, { ...admin!, token: '' }, 'stores:read')
    expect(scopesOf(await call('GET', `/v1/stores/${shop.storeId}`, { as }))).toBe('404 not_found')
  })

  test('until that is revoked, in every process within a second, be it that the word of it was lost', async () => {
    const made = await newApp(app, maker)
    const [near, far] = [
      await openAuthenticator(
        app.context.sql,
        app.context.database.pool(1),
        app.context.shared,
        app.context.vault,
        lastUsedRecorder(app.context.sql),
      ),
      await openAuthenticator(
        app.context.sql,
        app.context.database.pool(1),
        sharedInMemory(),
        app.context.vault,
        lastUsedRecorder(app.context.sql),
      ),
    ]
    const { access_token } = await letIn(app, made, shop.owner)
    const known = async () =>
      [await near.authenticate.find(access_token), await far.authenticate.find(access_token)].map((found) => found !== null)
    expect(await known()).toEqual([true, true])
    await ok('DELETE', `/v1/users/auth/connected-apps/${made.id}`, { as: shop.owner.token })
    expect((await known())[0]).toBe(false)
    await Bun.sleep(1_050)
    expect(await known()).toEqual([false, false])
    await Promise.all([near.stop(), far.stop()])
  })

  test('ends when the user removes the app from their connected apps', async () => {
    const made = await newApp(app, maker)
    const person = await app.person('Somebody')
    const first = await letIn(app, made, person, 'stores:read')
    const second = await letIn(app, made, person, 'orders:read')
    const list = () => ok('GET', '/v1/users/auth/connected-apps', { as: person.token })
    expect((await list()).data).toMatchObject([{ id: made.id, name: 'Shelf Manager', scopes: ['orders:read', 'stores:read'] }])
    expect((await call('GET', '/v1/stores', { as: first.access_token })).status).toBe(200)
    const end = () => call('DELETE', `/v1/users/auth/connected-apps/${made.id}`, { as: person.token })
    expect((await end()).status).toBe(204)
    expect((await end()).status).toBe(404)
    expect((await list()).data).toEqual([])
    for (const { access_token: as } of [first, second])
      expect((await call('GET', '/v1/stores', { as })).body.error.code).toBe('invalid_token')
  })
})

test("the consent API takes a user's decision as JSON from a program that holds the user's session", async () => {
  const made = await newApp(app, maker)
  const { verifier, challenge } = newVerifier()
  const query = { client_id: made.id, redirect_uri: CALLBACK, response_type: 'code', scope: 'parcels:read', state: 's' }
  const address = `/oauth/authorize?${new URLSearchParams({ ...query, code_challenge: challenge, code_challenge_method: 'S256' })}`
  const decide = (body: object, as = shop.owner.token, at = address) => call('POST', at, { as, body })
  const client = { client_id: made.id }
  const { location } = (await decide({ action: 'allow', project: shop.projectId })).body.data
  const answer = oauth.validateAuthResponse(server, client, new URL(location), 's')
  const tokens = await oauth
    .authorizationCodeGrantRequest(server, client, oauth.ClientSecretBasic(made.secret), answer, CALLBACK, verifier, insecure)
    .then((response) => oauth.processAuthorizationCodeResponse(server, client, response))
  expect((await call('GET', '/v1/parcels', { as: tokens.access_token })).status).toBe(200)
  expect((await decide({ action: 'deny' })).body.data.location).toContain('error=access_denied')

  const raw = async (body: string, as: string, at = address) => {
    const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/json' }
    const refused = await fetch(origin + at, { method: 'POST', headers, body })
    return [refused.status, refused.headers.get('content-type')?.includes('json') && ((await refused.json()) as { error: string }).error]
  }
  const other = await app.shop()
  expect(await raw(JSON.stringify({ action: 'allow', project: other.projectId }), shop.owner.token)).toEqual([400, 'invalid_request'])
  expect(await raw('{"action":"perhaps"}', shop.owner.token)).toEqual([400, 'invalid_request'])
  expect(await raw('{"action":"allow"}', shop.owner.token, address.replace('parcels', 'all'))).toEqual([400, 'invalid_scope'])
  // An app lets no other in, and a key nobody.
  for (const as of [tokens.access_token, shop.key]) expect(await raw('{"action":"allow"}', as)).toEqual([400, false])
})

import { describe, expect, test } from 'bun:test'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { startApp } from '../../support/app.ts'
import { CALLBACK, newApp, newVerifier, openBrowser } from '../../support/oauth.ts'

const app = await startApp({}, { socket: true })
const { call, origin } = app
await app.person('The administrator')
const maker = await app.person('Maker')
const person = await app.person('Person')
const insecure = { [oauth.allowInsecureRequests]: true }
const server = await oauth
  .discoveryRequest(new URL(origin), { ...insecure, algorithm: 'oauth2' })
  .then((response) => oauth.processDiscoveryResponse(new URL(origin), response))

describe('a pushed authorization request (RFC 9126)', () => {
  test('is what the person is asked, once', async () => {
    const made = await newApp(app, maker, { pushedRequestsOnly: true })
    const [client, auth] = [{ client_id: made.id }, oauth.ClientSecretBasic(made.secret)]
    const { verifier, challenge } = newVerifier()
    const parameters = new URLSearchParams({
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'stores:read',
      state: 's',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    const pushed = await oauth.pushedAuthorizationRequest(server, client, auth, parameters, insecure)
    expect([pushed.status, pushed.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const { request_uri, expires_in } = await oauth.processPushedAuthorizationResponse(server, client, pushed)
    expect(expires_in).toBe(600)
    const address = `/oauth/authorize?${new URLSearchParams({ client_id: made.id, request_uri, scope: 'tenants:manage' })}`
    const browser = openBrowser(app)
    await browser.ask(address)
    expect((await browser.signIn(person)).text).not.toContain('manage your account')
    const { location } = await browser.press('allow')
    const answer = oauth.validateAuthResponse(server, client, new URL(location!), 's')
    const tokens = await oauth
      .authorizationCodeGrantRequest(server, client, auth, answer, CALLBACK, verifier, insecure)
      .then((response) => oauth.processAuthorizationCodeResponse(server, client, response))
    expect(tokens.scope).toBe('stores:read')
    expect((await browser.ask(address)).status).toBe(400)
  })

  test('is no other app’s, and over after a while', async () => {
    const [made, other] = [await newApp(app, maker), await newApp(app, maker)]
    const config = await openid.discovery(new URL(origin), made.id, made.secret, undefined, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    })
    const address = await openid.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: CALLBACK,
      scope: 'stores:read',
      response_type: 'code',
    })
    const theirs = new URL(address)
    theirs.searchParams.set('client_id', other.id)
    expect((await openBrowser(app).ask(theirs.href)).status).toBe(400)
    expect((await openBrowser(app).ask(address.href)).status).toBe(200)
    expect(JSON.stringify(await app.context.sql`select * from oauth_requests`)).not.toContain(made.secret)
    await app.context.sql`update oauth_requests set expires_at = now()`
    expect((await openBrowser(app).ask(address.href)).status).toBe(400)
    // Nobody has to wait for the night, in which millions of them would be swept.
    const push = () => openid.buildAuthorizationUrlWithPAR(config, { redirect_uri: CALLBACK, scope: 'stores:read', response_type: 'code' })
    for (let at = 0; at < 4; at += 1) await push()
    const kept = await app.context.sql`select expires_at > now() as is_good from oauth_requests`
    expect(kept.map(({ isGood }) => isGood)).toEqual([true, true, true, true])
  })
})

test('a push that proves a key binds its code to that key, and contradicts no other (RFC 9449, 10.1)', async () => {
  const made = await newApp(app, maker)
  const [client, auth]: [oauth.Client, oauth.ClientAuth] = [{ client_id: made.id }, oauth.ClientSecretBasic(made.secret)]
  const [DPoP, other] = [oauth.DPoP(client, await oauth.generateKeyPair('ES256')), oauth.DPoP(client, await oauth.generateKeyPair('ES256'))]
  const { verifier, challenge } = newVerifier()
  const asked = {
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'stores:read',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  const push = (more: Record<string, string> = {}) =>
    oauth.pushedAuthorizationRequest(server, client, auth, new URLSearchParams({ ...asked, ...more, ui_locales: 'ar' }), {
      ...insecure,
      DPoP,
    })
  const contradicting = await push({ dpop_jkt: await other.calculateThumbprint() })
  expect([contradicting.status, await contradicting.json()]).toMatchObject([400, { error: 'invalid_request' }])
  const { request_uri } = await oauth.processPushedAuthorizationResponse(server, client, await push())
  const browser = openBrowser(app)
  const page = await browser.ask(`/oauth/authorize?${new URLSearchParams({ client_id: made.id, request_uri })}`)
  // In the language that was pushed with it.
  expect(page.text).toContain('<html lang="ar" dir="rtl">')
  await browser.signIn(person)
  const { location } = await browser.press('allow')
  const answer = oauth.validateAuthResponse(server, client, new URL(location!))
  const exchange = (by: oauth.DPoPHandle | undefined) =>
    oauth.authorizationCodeGrantRequest(server, client, auth, answer, CALLBACK, verifier, { ...insecure, ...(by && { DPoP: by }) })
  expect(await (await exchange(undefined)).json()).toMatchObject({ error: 'invalid_grant' })
  expect(await (await exchange(other)).json()).toMatchObject({ error: 'invalid_grant' })
  expect((await exchange(DPoP)).status).toBe(200)
})

describe('a token that is bound to a key (RFC 9449)', () => {
  async function bound(kind: 'confidential' | 'public', alg = 'ES256') {
    const made = await newApp(app, maker, { kind, boundTokensOnly: true })
    const client: oauth.Client = { client_id: made.id }
    const auth = kind === 'public' ? oauth.None() : oauth.ClientSecretPost(made.secret)
    const keys = await oauth.generateKeyPair(alg)
    const DPoP = oauth.DPoP(client, keys)
    const { verifier, challenge } = newVerifier()
    const query = { client_id: made.id, redirect_uri: CALLBACK, response_type: 'code', scope: 'stores:read', state: 's' }
    const more = { code_challenge: challenge, code_challenge_method: 'S256', dpop_jkt: await DPoP.calculateThumbprint() }
    const browser = openBrowser(app)
    await browser.ask(`/oauth/authorize?${new URLSearchParams({ ...query, ...more })}`)
    await browser.signIn(person)
    const { location } = await browser.press('allow')
    const answer = oauth.validateAuthResponse(server, client, new URL(location!), 's')
    const exchange = (by: oauth.DPoPHandle | undefined) =>
      oauth.authorizationCodeGrantRequest(server, client, auth, answer, CALLBACK, verifier, { ...insecure, ...(by && { DPoP: by }) })
    return { client, auth, DPoP, exchange }
  }
  const read = (token: string, DPoP: oauth.DPoPHandle) =>
    oauth.protectedResourceRequest(token, 'GET', new URL(`${origin}/v1/stores?limit=2`), undefined, undefined, { ...insecure, DPoP })
  const othersKey = async (client: oauth.Client) => oauth.DPoP(client, await oauth.generateKeyPair('ES256'))
  const statusOf = (work: Promise<Response>) =>
    work.then(
      ({ status }) => status,
      (error: { status: number }) => error.status,
    )

  test.each(['ES256', 'Ed25519', 'PS256', 'RS256'])('is given to who proves %s, and is good for nobody else', async (alg) => {
    const { client, DPoP, exchange } = await bound('confidential', alg)
    expect(await (await exchange(undefined)).json()).toMatchObject({ error: 'invalid_dpop_proof' })
    expect(await (await exchange(await othersKey(client))).json()).toMatchObject({ error: 'invalid_grant' })
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, await exchange(DPoP))
    expect(tokens.token_type).toBe('dpop')
    expect((await read(tokens.access_token, DPoP)).status).toBe(200)
    expect(await statusOf(read(tokens.access_token, await othersKey(client)))).toBe(401)
    const asBearer = await call('GET', '/v1/stores', { as: tokens.access_token })
    expect([asBearer.status, asBearer.body.error.code]).toEqual([401, 'invalid_token'])
    expect(asBearer.headers.get('www-authenticate')).toStartWith('DPoP error="invalid_token"')
    const made = { headers: { authorization: `DPoP ${tokens.access_token}`, dpop: 'a.b.c' } }
    expect((await call('GET', '/v1/stores', made)).headers.get('www-authenticate')).toContain('invalid_dpop_proof')
  })

  test('DPoP: each request needs a proof of its own, and a wrong claim is named', async () => {
    const { client, DPoP, exchange } = await bound('public')
    const { access_token } = await oauth.processAuthorizationCodeResponse(server, client, await exchange(DPoP))
    let proof = ''
    const keep = {
      [oauth.customFetch]: async (_: string, init: { headers: Record<string, string> }) => {
        proof = init.headers.dpop!
        return new Response()
      },
    }
    const proofOf = async (method: string, path: string, token = access_token) => {
      await oauth.protectedResourceRequest(token, method, new URL(origin + path), undefined, undefined, {
        ...insecure,
        DPoP,
        ...keep,
      } as never)
      return proof
    }
    const send = async (dpop: string, method = 'GET', path = '/v1/stores') => {
      const { status, body } = await call(method, path, { headers: { authorization: `DPoP ${access_token}`, dpop } })
      return status === 200 ? status : `${status} ${body.error.message}`
    }
    const good = await proofOf('GET', '/v1/stores')
    expect([await send(good), await send(good)]).toEqual([200, '401 This DPoP proof was used before. Make a new one for each request.'])
    expect(await send(await proofOf('POST', '/v1/stores'))).toBe('401 DPoP `htm` does not match the request method.')
    expect(await send(await proofOf('GET', '/v1/orders'))).toBe('401 DPoP `htu` does not match the request address.')
    expect(await send(await proofOf('GET', '/v1/stores', `at_${'x'.repeat(43)}`))).toBe('401 DPoP `ath` does not match the access token.')
    const [head, claims, signature] = (await proofOf('GET', '/v1/stores')).split('.')
    const changed = (part: string, change: object) =>
      Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(part, 'base64url').toString()), ...change })).toString('base64url')
    expect(await send([head, changed(claims!, { jti: 'other' }), signature].join('.'))).toBe(
      '401 The signature of the DPoP proof does not match its key.',
    )
    expect(await send([changed(head!, { alg: 'none' }), claims, ''].join('.'))).toStartWith('401 A DPoP proof is signed with one of')
    expect(await send('a.b.c')).toStartWith('401 The header DPoP must hold a signed JWT')
    expect(await send('x'.repeat(4_001))).toBe('401 A DPoP proof has at most 4000 characters.')
    const unknown = await call('GET', '/v1/stores', { headers: { authorization: `DPoP at_${'x'.repeat(43)}` } })
    expect([unknown.status, unknown.headers.get('www-authenticate')?.startsWith('DPoP error="invalid_token"')]).toEqual([401, true])
    expect(await send([head, claims, signature].join('.'))).toBe(200)
  })

  test('DPoP: a proof of another type, an old one and one without an id are named as such', async () => {
    const { exchange, DPoP, client } = await bound('public')
    const { access_token } = await oauth.processAuthorizationCodeResponse(server, client, await exchange(DPoP))
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = await exportJWK(publicKey)
    const now = Math.floor(Date.now() / 1000)
    const send = async (claims: JWTPayload, head: object = {}) => {
      const all = { jti: crypto.randomUUID(), htm: 'GET', htu: `${origin}/v1/stores`, iat: now, ...claims }
      const dpop = await new SignJWT(all).setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...head }).sign(privateKey)
      const answer = await call('GET', '/v1/stores', { headers: { authorization: `DPoP ${access_token}`, dpop } })
      return `${answer.status} ${answer.body.error.message}`
    }
    expect(await send({}, { typ: 'jwt' })).toBe('401 DPoP `typ` must be dpop+jwt.')
    expect(await send({ iat: now - 600 })).toBe('401 DPoP `iat` must be within 60 seconds of now.')
    expect(await send({ iat: now + 600 })).toBe('401 DPoP `iat` must be within 60 seconds of now.')
    expect(await send({ jti: '' })).toBe('401 DPoP `jti` must be a text of at most 200 characters.')
    expect(await send({ htu: undefined })).toBe('401 DPoP `htu` is missing or wrong.')
    expect(await send({}, { jwk: await exportJWK(privateKey) })).toBe('401 The header DPoP must hold a signed JWT with its public key.')
  })

  test('is renewed by its key alone, where no secret guards it', async () => {
    const { client, auth, DPoP, exchange } = await bound('public')
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, await exchange(DPoP))
    const renew = (by: oauth.DPoPHandle) =>
      oauth.refreshTokenGrantRequest(server, client, auth, tokens.refresh_token!, { ...insecure, DPoP: by })
    expect(await (await renew(await othersKey(client))).json()).toMatchObject({ error: 'invalid_grant' })
    const next = await oauth.processRefreshTokenResponse(server, client, await renew(DPoP))
    expect((await read(next.access_token, DPoP)).status).toBe(200)
  })

  test('is the only kind that is sent so', async () => {
    const { client, DPoP } = await bound('public')
    const answer = await statusOf(read(person.token, DPoP))
    expect([client.client_id.slice(0, 4), answer]).toEqual(['app_', 401])
  })
})

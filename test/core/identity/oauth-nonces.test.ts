import { expect, test } from 'bun:test'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { startApp } from '../../support/app.ts'
import { CALLBACK, newApp, newVerifier, openBrowser } from '../../support/oauth.ts'

const app = await startApp({}, { socket: true })
const { call, ok, origin } = app
await app.person('The administrator')
const maker = await app.person('Maker')
const person = await app.person('Person')
const insecure = { [oauth.allowInsecureRequests]: true }
const server = await oauth
  .discoveryRequest(new URL(origin), { ...insecure, algorithm: 'oauth2' })
  .then((response) => oauth.processDiscoveryResponse(new URL(origin), response))
const stores = new URL(`${origin}/v1/stores?limit=2`)

/** What an app asks its person, who lets it in. */
async function allowedBy(client: { id: string }) {
  const { verifier, challenge } = newVerifier()
  const query = { client_id: client.id, redirect_uri: CALLBACK, response_type: 'code', scope: 'stores:read' }
  const browser = openBrowser(app)
  await browser.ask(`/oauth/authorize?${new URLSearchParams({ ...query, code_challenge: challenge, code_challenge_method: 'S256' })}`)
  await browser.signIn(person)
  const { location } = await browser.press('allow')
  return { verifier, address: new URL(location!) }
}

test('a proof carries a nonce of minutes ago at most, where the app asks for it (RFC 9449, 8 and 9)', async () => {
  const made = await newApp(app, maker, { boundTokensOnly: true, dpopNonces: true })
  const [client, auth]: [oauth.Client, oauth.ClientAuth] = [{ client_id: made.id }, oauth.ClientSecretBasic(made.secret)]
  const keys = await oauth.generateKeyPair('ES256')
  const DPoP = oauth.DPoP(client, keys)
  const { verifier, address } = await allowedBy(made)
  const answer = oauth.validateAuthResponse(server, client, address)
  const exchange = () => oauth.authorizationCodeGrantRequest(server, client, auth, answer, CALLBACK, verifier, { ...insecure, DPoP })
  const first = await exchange()
  expect([first.status, first.headers.get('cache-control'), ((await first.clone().json()) as { error: string }).error]).toEqual([
    400,
    'no-store',
    'use_dpop_nonce',
  ])
  const refused = await oauth.processAuthorizationCodeResponse(server, client, first).catch((error) => error)
  expect(oauth.isDPoPNonceError(refused)).toBe(true)
  // The code is not used up by it.
  const second = await exchange()
  const nonce = second.headers.get('dpop-nonce')!
  expect(nonce).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/)
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, second)

  // At the resources too, of a handle that was told nothing yet.
  const other = oauth.DPoP(client, keys)
  const read = () => oauth.protectedResourceRequest(tokens.access_token, 'GET', stores, undefined, undefined, { ...insecure, DPoP: other })
  const error = await read().catch((caught) => caught)
  expect([error.status, oauth.isDPoPNonceError(error)]).toEqual([401, true])
  expect(error.response.headers.get('www-authenticate')).toStartWith('DPoP error="use_dpop_nonce"')
  const good = await read()
  expect([good.status, good.headers.get('dpop-nonce')]).toEqual([200, nonce])

  // One that is made up, or that was good a while ago, is none.
  const realNow = Date.now
  try {
    Date.now = () => realNow() - 11 * 60_000
    const { headers } = await call('POST', '/oauth/revoke', {
      raw: new URLSearchParams({ client_id: made.id, client_secret: made.secret, token: 'x' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(headers.get('dpop-nonce')).not.toBe(nonce)
    Date.now = realNow
    for (const old of [headers.get('dpop-nonce')!, 'made-up']) {
      expect(await statusWith(old)).toEqual([401, 'use_dpop_nonce'])
    }
    expect(await statusWith(nonce)).toEqual([200, undefined])
  } finally {
    Date.now = realNow
  }

  async function statusWith(said: string) {
    const proof = await proofOf(keys, { htm: 'GET', htu: `${origin}/v1/stores`, nonce: said }, tokens.access_token)
    const { status, headers } = await call('GET', '/v1/stores', {
      headers: { authorization: `DPoP ${tokens.access_token}`, dpop: proof },
    })
    return [status, /error="(\w+)"/.exec(headers.get('www-authenticate') ?? '')?.[1]]
  }
})

test('programs find their way by themselves, also with what they push, and the app may ask for it no more', async () => {
  const made = await newApp(app, maker, { boundTokensOnly: true, dpopNonces: true, pushedRequestsOnly: true })
  const config = await openid.discovery(new URL(origin), made.id, made.secret, undefined, {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  })
  const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256'))
  const { verifier, challenge } = newVerifier()
  const asked = { redirect_uri: CALLBACK, scope: 'stores:read', code_challenge: challenge, code_challenge_method: 'S256' }
  const address = await openid.buildAuthorizationUrlWithPAR(config, asked, { DPoP })
  const browser = openBrowser(app)
  await browser.ask(address.href)
  await browser.signIn(person)
  const { location } = await browser.press('allow')
  const tokens = await openid.authorizationCodeGrant(config, new URL(location!), { pkceCodeVerifier: verifier }, undefined, { DPoP })
  const next = await openid.refreshTokenGrant(config, tokens.refresh_token!, undefined, { DPoP })
  const read = () => openid.fetchProtectedResource(config, next.access_token, stores, 'GET', undefined, undefined, { DPoP })
  expect((await read()).headers.get('dpop-nonce')).toBeString()
  await ok('PUT', `/v1/apps/${made.id}`, { as: maker.token, body: { dpopNonces: false } })
  expect((await read()).headers.get('dpop-nonce')).toBeNull()
})

/** A proof as a program makes it that keeps no nonces. */
async function proofOf(keys: CryptoKeyPair, claims: object, token: string): Promise<string> {
  const { crv, kty, x, y } = await crypto.subtle.exportKey('jwk', keys.publicKey)
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const ath = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(token))).toString('base64url')
  const body = { jti: crypto.randomUUID(), iat: Math.floor(Date.now() / 1000), ath, ...claims }
  const text = `${encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk: { crv, kty, x, y } })}.${encoded(body)}`
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, keys.privateKey, Buffer.from(text))
  return `${text}.${Buffer.from(signature).toString('base64url')}`
}

import { describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { CALLBACK, newApp, newVerifier, openBrowser } from '../../support/oauth.ts'

const app = await startApp({ trustedProxies: 1, publicRateLimitPerMinute: 200, rateLimitPerMinute: 1_000 }, { socket: true })
const { origin } = app
await app.person('The administrator')
const maker = await app.person('Maker')
const secretive = await newApp(app, maker, { scopes: ['stores:read', 'orders:read'] })
const open = await newApp(app, maker, { kind: 'public', redirectUris: ['http://127.0.0.1/cb', 'http://[::1]/cb', 'com.example.app:/cb'] })
const pushing = await newApp(app, maker, { pushedRequestsOnly: true })
const FORM = 'application/x-www-form-urlencoded'
const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` })
const mine = basic(secretive.id, secretive.secret)
let addresses = 0
const somewhere = () => ({ 'x-forwarded-for': `203.0.113.${++addresses}` })

const post = async (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) => {
  const answer = await fetch(origin + path, { method: 'POST', headers: { 'content-type': FORM, ...headers }, body })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any }
}

describe('wrong requests are refused as RFC 6749 says', () => {
  const code = 'grant_type=authorization_code&code=ac_x'
  const cases: [string, string, string, Record<string, string>, number, string][] = [
    ['without a grant_type', 'token', '', mine, 400, 'invalid_request'],
    ['with a grant_type that is none of ours', 'token', 'grant_type=password&username=a&password=b', mine, 400, 'unsupported_grant_type'],
    ['with an empty grant_type', 'token', 'grant_type=', mine, 400, 'invalid_request'],
    ['with a parameter twice', 'token', `${code}&code=ac_y`, mine, 400, 'invalid_request'],
    ['with a NUL', 'token', `${code}%00`, mine, 400, 'invalid_request'],
    ['without a code', 'token', 'grant_type=authorization_code', mine, 400, 'invalid_request'],
    ['with a code that is none', 'token', code, mine, 400, 'invalid_grant'],
    ['without a refresh token', 'token', 'grant_type=refresh_token', mine, 400, 'invalid_request'],
    ['with a refresh token that is none', 'token', 'grant_type=refresh_token&refresh_token=rt_x', mine, 400, 'invalid_grant'],
    ['by nobody', 'token', code, {}, 401, 'invalid_client'],
    ['by an app that is none', 'token', `${code}&client_id=app_x`, {}, 401, 'invalid_client'],
    ['with a wrong secret', 'token', code, basic(secretive.id, 'cs_wrong'), 401, 'invalid_client'],
    ['with a wrong secret in the form', 'token', `${code}&client_id=${secretive.id}&client_secret=x`, {}, 401, 'invalid_client'],
    ['without the secret that it has', 'token', `${code}&client_id=${secretive.id}`, {}, 401, 'invalid_client'],
    ['with a secret where there is none', 'token', `${code}&client_id=${open.id}&client_secret=x`, {}, 401, 'invalid_client'],
    ['with the secret at both places', 'token', `${code}&client_secret=${secretive.secret}`, mine, 400, 'invalid_request'],
    ['as two apps', 'token', `${code}&client_id=${open.id}`, mine, 400, 'invalid_request'],
    ['with another kind of credential', 'token', code, { authorization: `Bearer ${maker.token}` }, 401, 'invalid_client'],
    ['with Basic that is none', 'token', code, { authorization: 'Basic %%%' }, 401, 'invalid_client'],
    ['with Basic that cannot be read', 'token', code, basic('%E0%A4%A', 'x'), 401, 'invalid_client'],
    ['as JSON', 'token', '{"grant_type":"refresh_token"}', { ...mine, 'content-type': 'application/json' }, 400, 'invalid_request'],
    ['at length', 'token', `x=${'x'.repeat(20_000)}`, mine, 413, 'invalid_request'],
    ['without a token to revoke', 'revoke', '', mine, 400, 'invalid_request'],
    ['by nobody who revokes', 'revoke', 'token=x', {}, 401, 'invalid_client'],
    ['without a token to look into', 'introspect', '', mine, 400, 'invalid_request'],
    ['by nobody who looks', 'introspect', 'token=x', {}, 401, 'invalid_client'],
    ['by an app without a secret that looks', 'introspect', `token=x&client_id=${open.id}`, {}, 401, 'invalid_client'],
    ['with a push of nothing', 'par', '', mine, 400, 'invalid_request'],
    ['with a push of a push', 'par', 'request_uri=urn:x', mine, 400, 'invalid_request'],
    ['with a push to an address of nobody', 'par', 'response_type=code&redirect_uri=https://evil.example/', mine, 400, 'invalid_request'],
    ['with a push for too much', 'par', `response_type=code&redirect_uri=${CALLBACK}&scope=geo:read`, mine, 400, 'invalid_scope'],
    ['with a push of a name that is no text', 'par', `response_type=code&redirect_uri=${CALLBACK}&a%00b=1`, mine, 400, 'invalid_request'],
    [
      'with a push of a key that nobody proves',
      'par',
      `response_type=code&redirect_uri=${CALLBACK}`,
      { ...mine, dpop: 'a.b.c' },
      400,
      'invalid_dpop_proof',
    ],
    ['with a push for a token', 'par', `response_type=token&redirect_uri=${CALLBACK}`, mine, 400, 'unsupported_response_type'],
  ]
  test.each(cases)('%s', async (_, path, body, headers, status, error) => {
    for (const prefix of ['/oauth', '/v1/oauth']) {
      const answer = await post(`${prefix}/${path}`, body, { ...somewhere(), ...headers })
      expect([answer.status, answer.body.error]).toEqual([status, error])
      expect(Object.keys(answer.body).sort()).toEqual(['error', 'error_description'])
      // RFC 6749, 5.2: no quotes, no backslashes, nothing beyond ASCII.
      expect(answer.body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('x-request-id')).toBeTruthy()
      if (status === 401) expect(answer.headers.get('www-authenticate')).toStartWith('Basic')
    }
  })
})

describe('guessing at a client secret is throttled', () => {
  test('blocks one app from one network, also with the right secret, and blocks nobody else', async () => {
    const [attacker, other] = [somewhere(), somewhere()]
    const guess = (secret: string, headers: object) => post('/oauth/introspect', 'token=x', { ...headers, ...basic(secretive.id, secret) })
    const answers = []
    for (let at = 0; at < 24; at += 1) answers.push((await guess(`cs_${at}`, attacker)).status)
    expect(answers).toEqual([...Array(20).fill(401), 429, 429, 429, 429])
    const refused = await guess(secretive.secret, attacker)
    expect([refused.status, refused.body.error, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, 'slow_down', true])
    expect((await guess(secretive.secret, other)).status).toBe(200)
  })

  test('counts wrong authorization codes of an app without a secret', async () => {
    const attacker = somewhere()
    const answers = []
    for (let at = 0; at < 203; at += 1)
      answers.push((await post('/oauth/token', `grant_type=authorization_code&code=ac_${at}&client_id=${open.id}`, attacker)).status)
    expect(answers.slice(199)).toEqual([400, 429, 429, 429])
  })

  test('counts requests that name no app', async () => {
    const attacker = somewhere()
    const answers = []
    for (let at = 0; at < 203; at += 1) answers.push(await post('/oauth/token', 'grant_type=refresh_token', attacker))
    expect(answers.slice(199).map(({ status }) => status)).toEqual([401, 429, 429, 429])
    expect(answers[0]?.headers.get('ratelimit-limit')).toBe('200')
  })

  test('does not count an app with the right secret: its expired tokens block nobody in its network', async () => {
    const backend = somewhere()
    const answers = []
    for (let at = 0; at < 210; at += 1)
      answers.push((await post('/oauth/token', `grant_type=refresh_token&refresh_token=rt_${at}`, { ...backend, ...mine })).status)
    expect(new Set(answers)).toEqual(new Set([400]))
    expect((await post('/oauth/introspect', 'token=x', { ...backend, ...mine })).status).toBe(200)
  })
})

describe('an endpoint of apps', () => {
  test('is posted to, at both places', async () => {
    for (const path of ['/oauth/token', '/v1/oauth/token', '/oauth/par', '/oauth/revoke', '/oauth/introspect'])
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await fetch(origin + path, { method, headers: somewhere() })
        expect([answer.status, answer.headers.get('allow'), answer.headers.get('cache-control')]).toEqual([405, 'POST', 'no-store'])
        expect(await answer.json()).toMatchObject({ error: 'invalid_request' })
      }
    const asking = { origin: 'https://app.example', 'access-control-request-method': 'POST', ...somewhere() }
    expect((await fetch(`${origin}/oauth/token`, { method: 'OPTIONS', headers: asking })).status).toBe(204)
  })

  test('says how much may still be asked', async () => {
    const left = async () => {
      const { headers } = await post('/oauth/introspect', 'token=x', { ...somewhere(), ...mine })
      expect([headers.get('ratelimit-limit'), Number(headers.get('ratelimit-reset')) > 0]).toEqual(['1000', true])
      return Number(headers.get('ratelimit-remaining'))
    }
    const before = await left()
    expect(await left()).toBe(before - 1)
  })
})

describe('an app asks in an address', () => {
  const { challenge } = newVerifier()
  const good = { client_id: secretive.id, redirect_uri: CALLBACK, response_type: 'code', scope: 'stores:read', state: 'é & "1"' }
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
  const ask = (query: Record<string, string> | string) =>
    openBrowser(app, somewhere()).ask(`/oauth/authorize?${typeof query === 'string' ? query : new URLSearchParams(query)}`)
  const whole = `${new URLSearchParams(good)}`

  const nowhere: [string, Record<string, string> | string][] = [
    ['of no app', { ...good, client_id: 'app_x' }],
    ['without an app', { redirect_uri: CALLBACK, response_type: 'code' }],
    ['that is not the app’s', { ...good, redirect_uri: 'https://evil.example/callback' }],
    ['that is nearly the app’s', { ...good, redirect_uri: `${CALLBACK}/` }],
    ['that is the app’s and more', { ...good, redirect_uri: `${CALLBACK}?x=1` }],
    ['that is twice there', `${whole}&redirect_uri=https://evil.example/`],
    ['of an app that is twice there', `${whole}&client_id=${open.id}`],
    ['of a program with another path', { ...good, client_id: open.id, redirect_uri: 'http://127.0.0.1:5000/other' }],
    ['of a program elsewhere', { ...good, client_id: open.id, redirect_uri: 'http://127.0.0.2/cb' }],
    ['of a program by another name', { ...good, client_id: open.id, redirect_uri: 'http://localhost/cb' }],
    ['of a program that hides a host', { ...good, client_id: open.id, redirect_uri: 'http://127.0.0.1:1@evil.example/cb' }],
    ['that is missing where there are several', { client_id: open.id, response_type: 'code' }],
    ['of a push that is none', { client_id: secretive.id, request_uri: 'urn:ietf:params:oauth:request_uri:x' }],
  ]
  test.each(nowhere)('%s: the person is sent nowhere', async (_, query) => {
    const { status, location, text, headers } = await ask(query)
    expect([status, location]).toEqual([400, null])
    expect(headers.get('content-type')).toContain('text/html')
    expect(text).toContain('This link does not work')
    // But in another language.
    expect([...text.matchAll(/(?:href|action|src|url)="?(.)/g)].map(([, first]) => first)).toEqual(['/', '/'])
  })

  const back: [string, Record<string, string>, string][] = [
    ['for a token', { ...good, response_type: 'token' }, 'unsupported_response_type'],
    ['for nothing', { ...good, response_type: '' }, 'invalid_request'],
    ['for more than it may', { ...good, scope: 'stores:read geo:read' }, 'invalid_scope'],
    ['for what there is not', { ...good, scope: 'everything' }, 'invalid_scope'],
    ['with plain PKCE', { ...good, code_challenge: challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    ['with PKCE of no method', { ...good, code_challenge: challenge }, 'invalid_request'],
    ['with PKCE of no challenge', { ...good, code_challenge_method: 'S256' }, 'invalid_request'],
    ['with a challenge that is none', { ...good, code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
    ['in a fragment', { ...good, response_mode: 'fragment' }, 'invalid_request'],
    ['in a signed object', { ...good, request: 'x.y.z' }, 'request_not_supported'],
  ]
  test.each(back)('%s: it is told so', async (_, query, error) => {
    const { status, location } = await ask(query)
    const at = new URL(location!)
    expect([status, at.origin + at.pathname, at.searchParams.get('error')]).toEqual([303, CALLBACK, error])
    expect([at.searchParams.get('state'), at.searchParams.get('iss'), at.searchParams.get('code')]).toEqual(['é & "1"', origin, null])
  })

  test.each(['state=other', 'scope=orders:read', 'response_type=token', 'x%00y=1'])('with %s beside it: it is told so', async (twice) => {
    const { status, location } = await ask(`${whole}&${twice}`)
    const at = new URL(location!)
    expect([status, at.origin + at.pathname, at.searchParams.get('error')]).toEqual([303, CALLBACK, 'invalid_request'])
    expect([at.searchParams.get('state'), at.searchParams.get('iss')]).toEqual(['é & "1"', origin])
  })

  test('too often: the person reads so on a page, a program as RFC 6749 says', async () => {
    const from = somewhere()
    const path = `/oauth/authorize?${whole}`
    for (let at = 0; at < 201; at += 1) await fetch(`${origin}/v1/stores`, { headers: from })
    const page = await fetch(origin + path, { headers: { ...from, 'accept-language': 'fr' } })
    expect([page.status, page.headers.get('content-type'), Number(page.headers.get('retry-after')) > 0]).toEqual([
      429,
      'text/html; charset=utf-8',
      true,
    ])
    expect(await page.text()).toContain('<html lang="fr"')
    const told = await fetch(origin + path, { method: 'POST', headers: { ...from, 'content-type': 'application/json' }, body: '{}' })
    expect([told.status, Object.keys((await told.json()) as object).sort()]).toEqual([429, ['error', 'error_description']])
  })

  test('a public app needs PKCE; one that pushes needs to push', async () => {
    const errorOf = async (query: Record<string, string>) => new URL((await ask(query)).location!).searchParams.get('error')
    expect(await errorOf({ client_id: open.id, redirect_uri: 'http://127.0.0.1:4000/cb', response_type: 'code' })).toBe('invalid_request')
    expect(await errorOf({ ...good, ...pkce, client_id: pushing.id })).toBe('invalid_request')
  })

  const loopbacks = ['http://127.0.0.1/cb', 'http://127.0.0.1:52719/cb', 'http://[::1]:52719/cb', 'com.example.app:/cb']
  test.each(loopbacks)('a program on the person’s device may listen at %s (RFC 8252)', async (redirect_uri) => {
    expect((await ask({ ...good, ...pkce, client_id: open.id, redirect_uri })).status).toBe(200)
  })

  test('scopes are separated by spaces or plus signs', async () => {
    for (const scope of ['stores:read orders:read', 'stores:read+orders:read']) expect((await ask({ ...good, scope })).status).toBe(200)
    expect((await ask(`${whole.replace('stores%3Aread', 'stores:read+orders:read')}`)).status).toBe(200)
    const { scope: _, ...all } = good
    const browser = openBrowser(app, somewhere())
    await browser.ask(`/oauth/authorize?${new URLSearchParams(all)}`)
    expect((await browser.signIn(maker)).text).toMatch(/read your stores.*read your orders/s)
  })

  test('whatever cookie it comes with', async () => {
    for (const cookie of ['serai_session=%E0%A4%A', 'serai_visit=%00; serai_session=', '=;;;', 'serai_session=st_nothing'])
      expect((await fetch(`${origin}/oauth/authorize?${whole}`, { headers: { cookie, ...somewhere() } })).status).toBe(200)
  })
})

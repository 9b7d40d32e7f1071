import { describe, expect, test } from 'bun:test'
import net from 'node:net'
import { type CallOptions, startApp } from '../../support/app.ts'
import { letterTo } from '../../support/letters.ts'
import { paymentShop } from '../money/payment-shop.ts'

const STRANGE = 'evil-host.example'

describe('a server without PUBLIC_URL', async () => {
  const app = await startApp({}, { socket: true })
  const { origin, context, person } = app
  await person('The administrator')
  /** Every request of this shop comes with the name of somebody else's host. */
  const strangely = {
    ...app,
    call: (method: string, path: string, { headers, ...options }: CallOptions = {}) =>
      app.call(method, path, { ...options, headers: { ...headers, host: STRANGE } }),
    async ok(method: string, path: string, options: CallOptions = {}) {
      const { status, body } = await strangely.call(method, path, options)
      if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`)
      return body
    },
  }
  const shop = await paymentShop(strangely)
  const { storeId, owner } = shop
  const as = owner.token

  test('mails invitations with the address that it listens on, whatever Host the request has', async () => {
    await strangely.ok('POST', `/v1/stores/${storeId}/invites`, { as, body: { email: 'guest@example.dz', role: 'agent', language: 'en' } })
    const { text } = await letterTo(app, 'guest@example.dz', 'Boutique')
    expect(text).toContain(`${origin}/v1/stores/${storeId}/invites/`)
    expect(text).not.toContain(STRANGE)
  })

  test('gives payment pages and webhooks by its own address, whatever Host the request has', async () => {
    const { id } = await shop.order()
    const { status, body } = await shop.initiate(id, { as: shop.key })
    expect(status).toBe(201)
    expect(body.data.checkoutUrl).toStartWith(`${origin}/`)
    const answers = [
      body,
      await strangely.ok('GET', `/v1/stores/${storeId}/integrations/sandbox/webhookUrl`, { as }),
      await strangely.ok('POST', '/v1/actions/generateCatalogCsv', {
        as,
        body: { storeId, productUrl: 'https://shop.example/{slug}', platform: 'meta' },
      }),
      await strangely
        .ok('POST', `/v1/stores/${storeId}/integrations/connectors`, {
          as,
          body: {
            platform: 'sandbox-shop',
            credentials: { apiKey: 'shop-key', webhookSecret: 'rehearsal' },
            settings: { shop: 'demo.example' },
          },
        })
        .catch((error: Error) => error.message),
    ]
    expect(JSON.stringify(answers)).not.toContain(STRANGE)
  })

  test.each([
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/mcp',
    '/llms.txt',
    '/v1/chat/mcp-servers/oauth/client-metadata',
    '/openapi.json',
  ])('%s names no strange host', async (path) => {
    const { status, body } = await strangely.call('GET', path)
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toContain(STRANGE)
  })

  test('answers a caller on this machine by the name that the caller used', async () => {
    const { body } = await app.call('GET', '/.well-known/oauth-authorization-server', { headers: { host: 'localhost:8080' } })
    expect(body.issuer).toBe('http://localhost:8080')
  })

  test('begins a passkey for its own host and no strange one', async () => {
    const { data } = await strangely.ok('POST', '/v1/passkeys/authenticate/start')
    expect(data.options.rpId).toBe('127.0.0.1')
  })

  test('writes the strange host into no table', async () => {
    await strangely.call('GET', '/v1/social/google/redirect')
    const tables = await context.sql<{ name: string }[]>`
      select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`
    const found: string[] = []
    for (const { name } of tables) {
      const [row] = await context.sql.unsafe<{ text: string }[]>(
        `select t::text as text from ${name} t where t::text like '%${STRANGE}%' limit 1`,
      )
      if (row) found.push(`${name}: ${row.text}`)
    }
    expect(found).toEqual([])
  })

  test('refuses a request with two Host headers', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = net.connect(Number(new URL(origin).port), '127.0.0.1', () =>
        socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nHost: other.example\r\nConnection: close\r\n\r\n'),
      )
      let heard = ''
      socket.on('data', (chunk) => {
        heard += chunk
      })
      socket.on('close', () => resolve(heard))
      socket.on('error', reject)
    })
    expect(answer).toStartWith('HTTP/1.1 400')
    expect(answer).toContain('more than one Host header')
  })
})

describe('a server with PUBLIC_URL', async () => {
  const { call, context, shop } = await startApp(
    { publicUrl: 'https://serai.example', domainTarget: 'shops.serai.example', allowedHosts: ['serai'] },
    { socket: true },
  )
  const asked = async (host: string, path = '/v1/stores') => (await call('GET', path, { headers: { host } })).status

  test('refuses a host that is not its own with 421, also with a credential', async () => {
    const { key } = await shop()
    for (const host of [STRANGE, 'serai.example.evil.example', 'xserai.example', '10.255.255.1', 'localhost.evil.example']) {
      expect([host, await asked(host)]).toEqual([host, 421])
      const { status, body, headers } = await call('GET', '/v1/orders', { as: key, headers: { host } })
      expect([status, body.error.code]).toEqual([421, 'unknown_host'])
      expect(JSON.stringify([body, ...headers])).not.toContain(host)
    }
  })

  test('answers for its own names, for this machine, and for probes by any name', async () => {
    for (const host of [
      'serai.example',
      'SERAI.example:8443',
      'serai.example.',
      'shops.serai.example',
      'serai:3000',
      'localhost:1',
      '127.0.0.1',
      '[::1]:3000',
    ])
      expect([host, await asked(host)]).toEqual([host, 401])
    expect(await asked('10.255.255.1:3000', '/health/live')).toBe(200)
  })

  test('answers for the domain of a store once the store has proven it', async () => {
    const { storeId } = await shop()
    const insert = (host: string, state: string) =>
      context.sql`insert into store_domains (store_id, id, host, proof, state) values (${storeId}, ${`dom_${state}`}, ${host}, 'proof', ${state})`
    await insert('proven.example.dz', 'verified')
    expect([await asked('proven.example.dz'), await asked('claimed.example.dz')]).toEqual([401, 421])
  })
})

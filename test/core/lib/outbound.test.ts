import { afterAll, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { isPublicAddress } from '../../../core/lib/net/addresses.ts'
import { openOutbound } from '../../../core/lib/net/outbound.ts'
import type { OutboundError } from '../../../core/lib/net/outbound-error.ts'
import type { OutboundRequest, OutboundRules } from '../../../core/lib/net/outbound-request.ts'
import { certificates } from '../../support/certificates.ts'
import { scratchFolder } from '../../support/scratch.ts'

const stopped = <S extends { stop(force: boolean): unknown }>(server: S) => {
  afterAll(() => server.stop(true))
  return server
}
const web = (fetch: (request: Request) => Response | Promise<Response>) => stopped(Bun.serve({ port: 0, hostname: '127.0.0.1', fetch }))
const failure = async (rules: OutboundRules, request: OutboundRequest | string) => {
  const error = await openOutbound(rules)(typeof request === 'string' ? { url: request } : request).then(
    () => null,
    (reason: OutboundError) => reason,
  )
  return error && { reason: error.reason, wasSent: error.wasSent, message: error.message }
}
const local = openOutbound({ allowPrivate: true })
const text = (body: Uint8Array) => new TextDecoder().decode(body)

test('public addresses are told from others', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4007::1'])
    expect([address, isPublicAddress(address)]).toEqual([address, true])
  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '::1',
    '::',
    '::ffff:8.8.8.8',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '::ffff:0:7f00:1',
    '::ffff:0:0:0',
    '4000::1',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    'ff02::1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '2001:db8::1',
    '',
    'localhost',
    '127.1',
  ]) {
    expect([address, isPublicAddress(address)]).toEqual([address, false])
  }
})

test('a name that leads inside is refused at the moment of the call, also when only one of its addresses does', async () => {
  const resolvesTo = (...addresses: string[]) => ({ allowPrivate: false, resolve: async () => addresses })
  for (const rules of [
    resolvesTo('127.0.0.1'),
    resolvesTo('93.184.216.34', '10.0.0.1'),
    resolvesTo('::1'),
    resolvesTo('::ffff:169.254.169.254'),
  ]) {
    expect(await failure(rules, 'https://innocent.example.com/')).toMatchObject({ reason: 'refused', wasSent: false })
  }
  expect(await failure(resolvesTo(), 'https://innocent.example.com/')).toMatchObject({
    reason: 'unresolved',
    wasSent: false,
  })
  for (const url of [
    'http://example.com/',
    'https://u:p@example.com/',
    'https://localhost/',
    'https://0x7f.1/',
    'https://[::ffff:7f00:1]/',
    'https://example.com:25/',
    'gopher://example.com/',
    'nonsense',
  ]) {
    expect([
      url,
      (
        await failure(
          {
            allowPrivate: false,
            resolve: async () => {
              throw new Error('must not be looked up')
            },
          },
          url,
        )
      )?.reason,
    ]).toEqual([url, 'refused'])
  }
})

test('egress: https goes to the checked address with the name in SNI and Host, checks the certificate, and shares no connection between names', async () => {
  const { ca, of } = await certificates(await scratchFolder(), ['a', 'b'])
  const server = stopped(
    Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      tls: [
        { serverName: 'a.test', ...of.a! },
        { serverName: 'b.test', ...of.b! },
      ],
      fetch: (request, self) =>
        Response.json({
          host: request.headers.get('host'),
          path: new URL(request.url).pathname,
          from: self.requestIP(request)?.port,
        }),
    }),
  )
  let lookups = 0
  const resolve = async () => {
    lookups += 1
    return ['127.0.0.1']
  }
  const outbound = openOutbound({ allowPrivate: true, resolve, ca })
  const ask = async (name: string) => JSON.parse(text((await outbound({ url: `https://${name}:${server.port}/p#part` })).body))
  const first = await ask('a.test')
  expect(first).toMatchObject({ host: `a.test:${server.port}`, path: '/p' })
  const other = await ask('b.test')
  const again = await ask('a.test')
  expect(again.from).toBe(first.from)
  expect(other.from).not.toBe(first.from)
  expect(lookups).toBe(2)
  expect((await ask('A.TEST.')).host).toBe(`a.test.:${server.port}`)
  const wrong = await failure({ allowPrivate: true, resolve, ca }, `https://c.test:${server.port}/`)
  expect(wrong).toMatchObject({ reason: 'connection', wasSent: false, message: expect.stringContaining('certificate') })
  expect(await failure({ allowPrivate: true, resolve }, `https://a.test:${server.port}/`)).toMatchObject({
    reason: 'connection',
    wasSent: false,
  })
})

test('the next address is tried where a connection is refused', async () => {
  const server = web(() => new Response('here'))
  const outbound = openOutbound({ allowPrivate: true, resolve: async () => ['::1', '127.0.0.1'] })
  expect(text((await outbound({ url: `http://two.test:${server.port}/` })).body)).toBe('here')
})

test('method, headers, body and answer pass unchanged', async () => {
  const server = web(async (request) =>
    Response.json(
      {
        method: request.method,
        type: request.headers.get('content-type'),
        host: request.headers.get('host'),
        body: await request.text(),
      },
      { status: 418, headers: { 'x-back': 'yes' } },
    ),
  )
  const answer = await local({
    url: `http://127.0.0.1:${server.port}/`,
    method: 'POST',
    headers: { 'Content-Type': 'text/x', Host: 'evil.example' },
    body: 'é',
  })
  expect([answer.status, answer.headers.get('x-back')]).toEqual([418, 'yes'])
  expect(JSON.parse(text(answer.body))).toEqual({
    method: 'POST',
    type: 'text/x',
    host: `127.0.0.1:${server.port}`,
    body: 'é',
  })
})

test('only declared hosts are reached, redirects included', async () => {
  const inner = web(() => new Response('secret'))
  const outer = web(() => Response.redirect(`http://other.test:${inner.port}/`, 302))
  const outbound = openOutbound({ allowPrivate: true, resolve: async () => ['127.0.0.1'] })
  const url = `http://shop.test:${outer.port}/`
  expect((await outbound({ url, allowedHosts: ['shop.test'] })).status).toBe(302)
  expect(text((await outbound({ url, allowedHosts: ['shop.test', 'other.test'], followRedirects: true })).body)).toBe('secret')
  expect(text((await outbound({ url, allowedHosts: ['*.test'], followRedirects: true })).body)).toBe('secret')
  for (const allowedHosts of [['shop.test'], ['shop.test', '*.other.test'], ['shop.test', 'her.test']]) {
    expect(await outbound({ url, allowedHosts, followRedirects: true }).catch((error: OutboundError) => error.reason)).toBe('refused')
  }
  expect(
    await failure({ allowPrivate: false, resolve: async () => ['8.8.8.8'] }, { url: 'https://shop.test/', allowedHosts: [] }),
  ).toMatchObject({ reason: 'refused', wasSent: false })
})

test('a redirect keeps credentials with their host, and ends', async () => {
  const seen: Record<string, string | null>[] = []
  const target = web(async (request) => {
    seen.push({
      method: request.method,
      token: request.headers.get('x-token'),
      type: request.headers.get('content-type'),
      body: await request.text(),
    })
    return new Response()
  })
  const source = web(
    (request) =>
      new Response(null, {
        status: Number(new URL(request.url).searchParams.get('status')),
        headers: { location: `http://127.0.0.1:${target.port}/` },
      }),
  )
  for (const status of [303, 307]) {
    await local({
      url: `http://127.0.0.1:${source.port}/?status=${status}`,
      method: 'POST',
      body: 'x',
      headers: { 'X-Token': 't', 'content-type': 'text/x' },
      followRedirects: true,
    })
  }
  expect(seen).toEqual([
    { method: 'GET', token: null, type: null, body: '' },
    { method: 'POST', token: null, type: 'text/x', body: 'x' },
  ])
  const loop = web((request) => Response.redirect(request.url, 302))
  expect(await failure({ allowPrivate: true }, { url: `http://127.0.0.1:${loop.port}/`, followRedirects: true })).toMatchObject({
    reason: 'refused',
    message: 'More than 3 redirects.',
  })
})

test('a stand-in gets what is meant for a real host, and nothing else changes', async () => {
  const simulator = web(
    (request) => new Response(`${request.headers.get('host')} ${new URL(request.url).pathname}${new URL(request.url).search}`),
  )
  const outbound = openOutbound({
    allowPrivate: false,
    simulators: { 'api.carrier.dz': `http://127.0.0.1:${simulator.port}/` },
  })
  expect(text((await outbound({ url: 'https://api.carrier.dz/v1/parcels?a=1', allowedHosts: ['api.carrier.dz'] })).body)).toBe(
    'api.carrier.dz /v1/parcels?a=1',
  )
  expect(await outbound({ url: `http://127.0.0.1:${simulator.port}/` }).catch((error: OutboundError) => error.reason)).toBe('refused')
  expect(await outbound({ url: 'https://api.carrier.dz/', allowedHosts: [] }).catch((error: OutboundError) => error.reason)).toBe('refused')
})

test('size, deadline, abort, refusal and a broken answer have their names', async () => {
  const rules = { allowPrivate: true }
  const big = web(() => new Response('x'.repeat(10_000)))
  const streamed = web(() => new Response(new ReadableStream({ pull: (sink) => sink.enqueue(new Uint8Array(1_000)) })))
  for (const { port } of [big, streamed])
    expect(await failure(rules, { url: `http://127.0.0.1:${port}/`, maxBytes: 5_000 })).toMatchObject({
      reason: 'too_large',
      wasSent: true,
    })
  expect((await local({ url: `http://127.0.0.1:${streamed.port}/`, headBytes: 10 })).body).toHaveLength(10)

  const silent = web(() => new Promise<Response>(() => {}))
  const stalled = web(() => new Response(new ReadableStream({ start: (sink) => sink.enqueue(new Uint8Array(10)) })))
  for (const { port } of [silent, stalled])
    expect(await failure(rules, { url: `http://127.0.0.1:${port}/`, timeoutMs: 100 })).toMatchObject({
      reason: 'timeout',
      wasSent: true,
    })
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 50)
  expect(await failure(rules, { url: `http://127.0.0.1:${silent.port}/`, signal: controller.signal })).toMatchObject({
    reason: 'timeout',
  })
  expect(
    await failure({ allowPrivate: true, resolve: () => new Promise(() => {}) }, { url: 'http://slow.test/', timeoutMs: 50 }),
  ).toMatchObject({ reason: 'timeout', wasSent: false })

  expect(await failure(rules, 'http://127.0.0.1:9/')).toMatchObject({ reason: 'connection', wasSent: false })
  const rude = createServer((socket) => socket.on('data', () => socket.destroy())).listen(0, '127.0.0.1')
  afterAll(() => void rude.close())
  await new Promise((done) => rude.once('listening', done))
  expect(
    await failure(rules, {
      url: `http://127.0.0.1:${(rude.address() as { port: number }).port}/`,
      method: 'POST',
      body: 'x',
    }),
  ).toMatchObject({ reason: 'connection', wasSent: true })
})

test('egress: connections are reused, DNS answers are cached, and a request is never repeated by itself', async () => {
  const ports = new Set<number | undefined>()
  let lookups = 0
  const server = stopped(
    Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request, self) => {
        ports.add(self.requestIP(request)?.port)
        return new Response()
      },
    }),
  )
  const outbound = openOutbound({
    allowPrivate: true,
    resolve: async () => {
      lookups += 1
      return ['127.0.0.1']
    },
  })
  for (let at = 0; at < 20; at += 1) await outbound({ url: `http://keep.test:${server.port}/`, method: 'POST', body: 'x' })
  expect([ports.size, lookups]).toEqual([1, 1])

  let requests = 0
  const dropping = createServer((socket) =>
    socket.on('data', () => {
      requests += 1
      if (requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
      else socket.destroy()
    }),
  ).listen(0, '127.0.0.1')
  afterAll(() => void dropping.close())
  await new Promise((done) => dropping.once('listening', done))
  const url = `http://127.0.0.1:${(dropping.address() as { port: number }).port}/`
  await local({ url, method: 'POST', body: 'x' })
  expect(await failure({ allowPrivate: true }, { url, method: 'POST', body: 'x' })).toMatchObject({
    reason: 'connection',
    wasSent: true,
  })
  await Bun.sleep(50)
  expect(requests).toBe(2)
})

import { describe, expect, test } from 'bun:test'
import { scopes } from '../../../core/http/auth/scopes.ts'
import { acceptsGzip } from '../../../core/http/compression.ts'
import { startApp } from '../../support/app.ts'

const app = await startApp({ corsOrigins: ['https://shop.example'] }, { socket: true })
const { owner, storeId, projectId, key } = await app.shop()

interface Sent {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Calls with the given request headers and returns the bytes as they were sent. */
async function send(path: string, headers: Record<string, string> = {}, init: RequestInit = {}): Promise<Sent> {
  const response = await fetch(app.origin + path, {
    ...init,
    decompress: false,
    headers: { authorization: `Bearer ${owner.token}`, 'accept-encoding': 'identity', ...headers },
  } as RequestInit)
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
}

const textOf = ({ headers, bytes }: Sent) =>
  new TextDecoder().decode(headers.get('content-encoding') === 'gzip' ? Bun.gunzipSync(bytes) : bytes)
interface Document {
  readonly paths: Record<string, Record<string, { readonly responses?: object }>>
  readonly components: { readonly schemas: Record<string, object> }
}

const GZIP = { 'accept-encoding': 'gzip, deflate, br' }

describe('compression: JSON above 1 KB', () => {
  test.each(['/v1/adapters', '/v1/geo/catalog?country=DZ', '/openapi.json'])(
    '%s is compressed for callers that accept gzip',
    async (path) => {
      const as = path.includes('geo') ? { authorization: `Bearer ${key}` } : {}
      const [plain, zipped] = [await send(path, as), await send(path, { ...GZIP, ...as })]
      expect([plain.status, plain.headers.get('content-encoding'), zipped.headers.get('content-encoding')]).toEqual([200, null, 'gzip'])
      expect(zipped.bytes.length).toBeLessThan(plain.bytes.length / 3)
      expect(zipped.headers.get('content-length')).toBe(String(zipped.bytes.length))
      expect(textOf(zipped)).toBe(textOf(plain))
      for (const { headers } of [plain, zipped]) {
        expect(headers.get('vary')?.split(', ')).toContain('accept-encoding')
        expect(headers.get('content-type')).toStartWith('application/json')
      }
    },
  )

  test('a HEAD has the headers of its GET and no body', async () => {
    const [get, head] = [await send('/v1/adapters', GZIP), await send('/v1/adapters', GZIP, { method: 'HEAD' })]
    expect(head.bytes.length).toBe(0)
    for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary'])
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)])
  })

  test('a short response is not compressed and has no Vary', async () => {
    const { headers, bytes } = await send(`/v1/stores/${storeId}/members`, GZIP)
    expect(bytes.length).toBeLessThan(1024)
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([null, null])
  })

  test('Vary keeps the origin', async () => {
    const { headers } = await send('/v1/adapters', { ...GZIP, origin: 'https://shop.example' })
    expect(headers.get('vary')?.split(', ').toSorted()).toEqual(['accept-encoding', 'authorization', 'cookie', 'origin'])
  })

  test('many long responses at once are all answered, also those that are not compressed', async () => {
    const plain = textOf(await send('/v1/adapters'))
    const all = await Promise.all(Array.from({ length: 30 }, () => send('/v1/adapters', GZIP)))
    for (const one of all) expect(textOf(one) === plain).toBe(true)
    expect(all.some(({ headers }) => headers.get('content-encoding') === 'gzip')).toBe(true)
  })
})

describe('compression: secrets', () => {
  test('a created API key is never compressed, however long the response is', async () => {
    const body = { name: 'long', scopes }
    const { status, headers, bytes } = await send(
      `/v1/projects/${projectId}/api-keys`,
      { ...GZIP, 'content-type': 'application/json' },
      { method: 'POST', body: JSON.stringify(body) },
    )
    expect([status, headers.get('content-encoding')]).toEqual([201, null])
    expect(new TextDecoder().decode(bytes)).toContain('sk_')
  })

  test('a long response to a write is not compressed', async () => {
    const { headers, bytes } = await send(
      '/v1/geo/resolve/batch',
      { ...GZIP, 'content-type': 'application/json', authorization: `Bearer ${key}` },
      { method: 'POST', body: JSON.stringify({ items: Array.from({ length: 50 }, () => ({ country: 'DZ', state: '16' })) }) },
    )
    expect([bytes.length > 1024, headers.get('content-encoding')]).toEqual([true, null])
  })

  test('only responses to writes document a secret that is shown once', async () => {
    const { paths, components } = (await app.ok('GET', '/openapi.json')) as Document
    /** JSON of a part of the document, with the schemas that it names. */
    const whole = (part: unknown, seen = new Set<string>()): string => {
      const text = JSON.stringify(part)
      const names = [...text.matchAll(/#\/components\/schemas\/([^"]+)/g)].map(([, name = '']) => name).filter((name) => !seen.has(name))
      for (const name of names) seen.add(name)
      return text + names.map((name) => whole(components.schemas[name], seen)).join('')
    }
    const showing = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        /shown (only |this )?once|only in this response/.test(whole(responses ?? {})) ? [`${method} ${path}`] : [],
      ),
    )
    expect(showing).toContain('post /v1/projects/{id}/api-keys')
    expect(showing.filter((operation) => operation.startsWith('get'))).toEqual([])
  })
})

describe('etag: adapters and places', () => {
  test.each(['/v1/adapters', '/v1/adapters?kind=carrier', '/v1/geo/catalog?country=DZ'])('%s answers 304 for its ETag', async (path) => {
    const as = path.includes('geo') ? { authorization: `Bearer ${key}` } : {}
    const first = await send(path, { ...GZIP, ...as })
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toStartWith('W/"')
    const again = await send(path, { ...GZIP, ...as, 'if-none-match': etag })
    expect([again.status, again.bytes.length, again.headers.get('etag')]).toEqual([304, 0, etag])
    expect(again.headers.get('vary')?.split(', ')).toContain('accept-encoding')
    expect((await send(path, { ...as, 'if-none-match': 'W/"other"' })).status).toBe(200)
  })

  test('adapters are listed by kind, and an unknown kind is refused', async () => {
    const { data } = await app.ok('GET', '/v1/adapters?kind=payment', { as: owner.token })
    expect(new Set((data as { kind: string }[]).map(({ kind }) => kind))).toEqual(new Set(['payment']))
    const all = (await app.ok('GET', '/v1/adapters', { as: owner.token })).data as { kind: string }[]
    expect(all.filter(({ kind }) => kind === 'payment')).toEqual(data)
    expect((await app.call('GET', '/v1/adapters?kind=shoe', { as: owner.token })).status).toBe(400)
  })
})

test.each([
  [null, false],
  ['', false],
  ['gzip', true],
  ['br, GZIP;q=0.5', true],
  ['x-gzip', true],
  ['*', true],
  ['br', false],
  ['gzip;q=0', false],
  ['gzip; q=0.000, *', false],
  ['*;q=0', false],
  ['gzip;q=none', false],
  ['gzippy', false],
])('accept-encoding: %p allows gzip: %p', (header, isAllowed) => {
  expect(acceptsGzip(header)).toBe(isAllowed)
})

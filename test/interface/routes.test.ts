import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Elysia } from 'elysia'
import { assertUniqueRoutes, buildApp } from '../../core/app.ts'
import { errorStatuses } from '../../core/http/errors/statuses.ts'
import { startApp } from '../support/app.ts'
import { describedBy, readDocument } from '../support/openapi.ts'

interface Mounted {
  readonly method: string
  readonly path: string
  readonly hooks?: { readonly detail?: { readonly hide?: boolean; readonly security?: readonly object[]; readonly 'x-callback'?: boolean } }
}

const root = join(import.meta.dir, '../..')
const app = await startApp()
const mounted = buildApp(app.context).routes as unknown as Mounted[]
const visible = mounted.filter((route) => !route.hooks?.detail?.hide)

const ANY = ['OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const lines = readFileSync(join(import.meta.dir, 'routes.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .flatMap((line) => {
    const [method, path] = line.split(' ') as [string, string]
    return (method === 'ANY' ? ANY : [method]).map((each) => ({ line, method: each, path }))
  })

/** The same text for the same route, whatever its parameters are called. */
const shape = (method: string, path: string) => `${method} ${path.replace(/:(\w+)(\??)/g, '{$1$2}').replace(/\{\w+(\??)\}/g, '{$1}')}`

test('every route of the interface is served', () => {
  const served = new Set(visible.map(({ method, path }) => shape(method, path)))
  const missing = lines.filter((route) => !served.has(shape(route.method, route.path)))
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

test('no route is declared twice, by two features or by one', () => {
  const [one, other] = [new Elysia({ name: 'one' }).get('/v1/x/:id', () => 1), new Elysia({ name: 'other' }).get('/v1/x/:key', () => 2)]
  expect(() => assertUniqueRoutes([one, other])).toThrow('GET /v1/x/:key is mounted twice, by one and by other')

  // Within one feature Elysia drops the first itself, so what is declared is counted as it is declared.
  const declared = new Map<object, string[]>()
  const prototype = Elysia.prototype as unknown as { add(method: string, path: string, ...rest: unknown[]): unknown }
  const add = prototype.add
  prototype.add = function (method, path, ...rest) {
    declared.set(this, [...(declared.get(this) ?? []), shape(method, path)])
    return add.call(this, method, path, ...rest)
  }
  try {
    buildApp(app.context)
  } finally {
    prototype.add = add
  }
  const all = [...declared.values()]
  expect(Math.max(...all.map((routes) => routes.length))).toBeGreaterThan(100)
  expect(all.flatMap((routes) => routes.filter((route, at) => routes.indexOf(route) !== at))).toEqual([])
})

test('every route that is served is in the interface', () => {
  const known = new Set(lines.map(({ method, path }) => shape(method, path)))
  expect(visible.map(({ method, path }) => shape(method, path)).filter((each) => !known.has(each))).toEqual([])
})

test('no route is served twice, and no two operations share an id', async () => {
  const shapes = mounted.map(({ method, path }) => shape(method, path))
  expect(shapes.filter((each, at) => shapes.indexOf(each) !== at)).toEqual([])
  const ids = describedBy(await readDocument(app)).map(({ operation }) => operation.operationId)
  expect(ids.filter((each, at) => ids.indexOf(each) !== at)).toEqual([])
})

test('every route that is served is described', async () => {
  const described = new Set(describedBy(await readDocument(app)).map(({ method, path }) => shape(method, path)))
  const paths = visible.flatMap(({ method, path }) =>
    (path.endsWith('?') ? [path.replace(/\/:\w+\?$/, ''), path.slice(0, -1)] : [path]).map((each) => shape(method, each)),
  )
  expect(paths.filter((each) => !described.has(each))).toEqual([])
  expect(described.size).toBe(paths.length)
})

/** What each macro of `auth` leaves in a route's description; those that build on it leave the same. Two macros on one route leave a mixture, none leaves nothing. */
const macros = {
  open: [{}, { session: [] }, { apiKey: [] }],
  user: [{ session: [] }],
  project: [{ apiKey: [] }],
  access: [{ session: [] }, { apiKey: [] }],
}

test('every route says with exactly one macro who may ask', () => {
  const known = Object.values(macros).map((security) => JSON.stringify(security))
  const public_ = /^\/(openapi|health)|^\/v1\/files\/:id\/content$/
  const silent = visible.filter(
    ({ path, hooks }) => !public_.test(path) && !hooks?.detail?.['x-callback'] && !known.includes(JSON.stringify(hooks?.detail?.security)),
  )
  expect(silent.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

test('the catalogue of errors is what the code throws, no more and no less', () => {
  const source = [...new Bun.Glob('{core,plugins}/**/*.ts').scanSync(root)]
    .filter((path) => !['core/lib/errors/codes.ts', 'core/http/errors/statuses.ts'].includes(path))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
  const thrown = new Set([...source.matchAll(/(?:ApiError|DomainError)\(\s*'(\w+)'/g)].map((match) => match[1]!))
  // Some are chosen by an expression before they are thrown; any mention of the code counts.
  const unused = Object.keys(errorStatuses).filter((code) => !source.includes(`'${code}'`))
  expect(unused).toEqual([])
  expect([...thrown].filter((code) => !(code in errorStatuses))).toEqual([])
})

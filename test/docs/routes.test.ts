import { expect, test } from 'bun:test'
import { startApp } from '../support/app.ts'
import { describedBy, readDocument } from '../support/openapi.ts'
import { pages, withoutCode } from './pages.ts'

const app = await startApp()
const operations = describedBy(await readDocument(app)).map(({ method, path }) => ({ method, path }))

/** Pages of `docs/` and the README; generated tables of routes are compared with the document elsewhere. */
const written = pages.filter(({ path }) => /^(README\.md|docs\/)/.test(path) && !path.startsWith('docs/roles/'))

/** A path with its parameters, ids and slugs of examples as `{}`. */
const shapeOf = (path: string) => path.replace(/\{[^}]*\}/g, '{}').replace(/\/$/, '')
const segmentsOf = (path: string) => shapeOf(path).split('/')

/** `create{Brand}Token` stands for the name of any brand. */
const isBranded = (said: string, real: string) => /.\{\}|\{\}./.test(said) && new RegExp(`^${said.replaceAll('{}', '\\w+')}$`).test(real)

/** A parameter of the document takes any value; a parameter of a page needs one. */
const matches = (said: readonly string[], real: readonly string[]) =>
  said.length === real.length && real.every((segment, at) => segment === '{}' || segment === said[at] || isBranded(said[at] ?? '', segment))

/** Says whether the server has the route. A path that begins with `…` is the end of one. */
function exists({ method, path }: { method?: string | undefined; path: string }): boolean {
  const isEnding = path.startsWith('…/')
  const said = segmentsOf(isEnding ? path.slice(2) : path)
  return operations.some((one) => {
    const real = segmentsOf(one.path)
    if (method && method !== one.method) return false
    const end = real.slice(-said.length)
    return isEnding ? end.some((segment, at) => segment !== '{}' && segment === said[at]) && matches(said, end) : matches(said, real)
  })
}

/** Routes in the inline code of a text: `POST /v1/orders`, `GET …/history`, `…/receive`. */
const routesIn = (text: string) =>
  [...withoutCode(text).matchAll(/`(?:(GET|POST|PUT|PATCH|DELETE) )?((?:\/v1|…)\/[^`\s?]+)[^`]*`/g)].map(([, method, path = '']) => ({
    method,
    path: path.replace(/[.,;]$/, ''),
  }))

test('every route that a page names is a route of the server', () => {
  const named = written.flatMap(({ path: page, text }) => routesIn(text).map((route) => ({ page, ...route })))
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((route) => !exists(route)).map(({ page, method = '', path }) => `${page}: ${method} ${path}`)).toEqual([])
})

test('a route that there is not is found', () => {
  expect(exists({ method: 'POST', path: '/v1/orders/{orderId}/returns/{returnId}/receive' })).toBe(true)
  expect(exists({ method: 'GET', path: '…/{returnId}/receive' })).toBe(false)
  expect(exists({ path: '…/returns/{returnId}/send' })).toBe(false)
  expect(exists({ path: '…/returns/{returnId}/label' })).toBe(true)
  expect(exists({ method: 'POST', path: '/v1/users/auth/login' })).toBe(false)
})

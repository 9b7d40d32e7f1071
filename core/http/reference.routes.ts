import { dirname, join } from 'node:path'
import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { stringify } from 'yaml'
import type { Context } from '../context.ts'

const SCRIPT = '/openapi/reference.js'
const script = () =>
  Bun.file(join(dirname(Bun.resolveSync('@scalar/api-reference/package.json', import.meta.dir)), 'dist/browser/standalone.js'))

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Serai API</title><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><div id="app"></div><script src="${SCRIPT}"></script>
<script>Scalar.createApiReference('#app', { url: '/openapi.json', withDefaultFonts: false, telemetry: false, showToolbar: 'never', showDeveloperTools: 'never', agent: { disabled: true }, mcp: { disabled: true }, hideClientButton: true, proxyUrl: '' })</script></body></html>`

/** Everything loads from this host, so that the page works without the internet and tells nobody that it is read. */
const policy =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'"

const health = (summary: string, operationId: string) => ({ tags: ['Description and health'], summary, operationId })
const produces = (type: string) => ({
  responses: { 200: { description: 'Success.', content: { [type]: { schema: { type: 'string' as const } } } } },
})

/** The interface's own description, and whether the process is well. `document` is called at each swap of the app, not at each request. */
export function reference({ sql, shared }: Context, version: string, document: () => object) {
  const text = { json: '', yaml: '' }
  const json = () => (text.json ||= JSON.stringify(document()))
  const yaml = () => (text.yaml ||= stringify(document(), { aliasDuplicateObjects: false }))
  const Health = T.Object({ status: T.String(), version: T.String(), checks: T.Record(T.String(), T.String()) })
  return new Elysia({ name: 'reference' })
    .get(
      '/openapi',
      () => new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy } }),
      { detail: { ...health('Reference page', 'openapiPage'), ...produces('text/html') } },
    )
    .get(
      SCRIPT,
      () =>
        new Response(script(), { headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=86400' } }),
      { detail: { hide: true } },
    )
    .get('/openapi.json', () => new Response(json(), { headers: { 'content-type': 'application/json' } }), {
      detail: {
        ...health('This description as JSON', 'openapiJson'),
        responses: { 200: { description: 'OpenAPI 3.0.0', content: { 'application/json': { schema: { type: 'object' as const } } } } },
      },
    })
    .get('/openapi.yaml', () => new Response(yaml(), { headers: { 'content-type': 'application/yaml' } }), {
      detail: { ...health('This description as YAML', 'openapiYaml'), ...produces('application/yaml') },
    })
    .get(
      '/health/check',
      async ({ set }) => {
        const checks = { database: await well(sql`select 1`), shared: await well(shared.check()) }
        const status = checks.database === 'ok' ? 'ok' : 'degraded'
        if (status !== 'ok') set.status = 503
        return { status, version, checks }
      },
      { response: { 200: Health, 503: Health }, detail: health('Whether the server and its database are well', 'healthCheck') },
    )
}

const CHECK_MS = 2_000

async function well(check: PromiseLike<unknown>): Promise<string> {
  const outcome = Promise.resolve(check).then(
    () => 'ok',
    () => 'unreachable',
  )
  return Promise.race([outcome, Bun.sleep(CHECK_MS).then(() => 'unreachable')])
}

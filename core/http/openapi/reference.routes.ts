import { dirname, join } from 'node:path'
import { Elysia } from 'elysia'
import { memoize } from '../../lib/async/memoize.ts'
import { workerQueue } from '../../lib/async/worker-queue.ts'
import { yieldEvery } from '../../lib/async/yield-every.ts'
import { ApiError } from '../errors/errors.ts'
import { tagOperations } from '../route.ts'

/** Path of the reference page. */
const PAGE = '/openapi'
/** Files that the page loads: path, file and content type. */
const FILES: readonly (readonly [path: string, file: string, type: string])[] = [
  ['/openapi/reference.js', 'swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['/openapi/reference.css', 'swagger-ui.css', 'text/css; charset=utf-8'],
]
const START = '/openapi/start.js'
const folder = dirname(Bun.resolveSync('swagger-ui-dist/package.json', import.meta.dir))

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Serai API</title><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/openapi/reference.css"></head>
<body><div id="app"></div><script src="/openapi/reference.js"></script><script src="${START}"></script></body></html>`

/** Start script of the page. Entered credentials are not persisted. */
const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#app', docExpansion: 'none', filter: true, deepLinking: true,
  tryItOutEnabled: true, displayRequestDuration: true, defaultModelsExpandDepth: 0, validatorUrl: null, persistAuthorization: false })`

/** Content security policy. Everything loads from this host, so the page works offline and contacts no third party. */
const policy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'"
const CACHED = 'public, max-age=86400'

const described = tagOperations('Description and health')
const produces = (type: string) => ({
  responses: { 200: { description: 'Success.', content: { [type]: { schema: { type: 'string' as const } } } } },
})

/** Builds the routes of the API description. `document` is called once per swap of the app, not per request. */
export function referenceRoutes(document: () => Promise<object>) {
  const json = memoize(async () => writeJson(await document(), yieldEvery(), PARTS_DEPTH))
  const yaml = memoize(async () => toYaml(await json()))
  const app = new Elysia({ name: 'reference' })
  for (const [path, file, type] of FILES) {
    const send = () => new Response(Bun.file(join(folder, file)), { headers: { 'content-type': type, 'cache-control': CACHED } })
    app.get(path, send, { detail: { hide: true } })
  }
  return app
    .get(PAGE, () => new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy } }), {
      detail: { ...described('Reference page', 'openapiPage'), ...produces('text/html') },
    })
    .get(START, () => new Response(start, { headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': CACHED } }), {
      detail: { hide: true },
    })
    .get(
      '/openapi.json',
      ({ set }) => {
        set.headers['content-type'] = 'application/json'
        return json()
      },
      {
        detail: {
          ...described('This description as JSON', 'openapiJson'),
          responses: { 200: { description: 'OpenAPI 3.0.0', content: { 'application/json': { schema: { type: 'object' as const } } } } },
        },
      },
    )
    .get('/openapi.yaml', async () => new Response(await yaml(), { headers: { 'content-type': 'application/yaml' } }), {
      detail: { ...described('This description as YAML', 'openapiYaml'), ...produces('application/yaml') },
    })
}

/** Depth to which paths and component schemas are serialized one by one. */
const PARTS_DEPTH = 3

/** Serializes JSON as `JSON.stringify` does, but yields between the members down to a depth. The description is megabytes long. */
async function writeJson(value: unknown, yieldSlice: () => Promise<void> | undefined, depth: number): Promise<string> {
  await yieldSlice()
  if (depth === 0 || value === null || typeof value !== 'object' || Array.isArray(value)) return JSON.stringify(value)
  const members: string[] = []
  for (const [key, member] of Object.entries(value))
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${await writeJson(member, yieldSlice, depth - 1)}`)
  return `{${members.join(',')}}`
}

const busy = () =>
  new ApiError('unavailable', 'The description is being written. Try again in a few seconds.', { headers: { 'retry-after': '5' } })
/** Converts JSON to YAML in a worker, off the event loop. */
const toYaml = workerQueue<string, string>(new URL('./yaml.worker.ts', import.meta.url), {
  jobTimeoutMs: 20_000,
  maxJobs: 10,
  idleTimeoutMs: 0,
  timeoutError: busy,
  overloadError: busy,
})

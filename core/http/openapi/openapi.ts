import type { AnyElysia } from 'elysia'
import { yieldEvery } from '../../lib/async/yield-every.ts'
import { errorStatuses } from '../errors/statuses.ts'
import { applyWording } from './apply-wording.ts'
import { componentCollector } from './components.ts'
import { buildOperation, type MountedRoute } from './operation.ts'
import type { Node } from './to-openapi30.ts'
import { emptyWording, type Wording } from './wording.ts'

/** General information of the OpenAPI document. */
export interface ApiInfo {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly license: { readonly name: string; readonly url: string }
}

const METHODS = ['OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Builds the OpenAPI 3.0.0 document from the mounted routes. */
export async function buildOpenApi(app: AnyElysia, info: ApiInfo, servers: readonly string[], wording: Wording = emptyWording) {
  const paths: Record<string, Node> = {}
  const components = componentCollector()
  const yieldSlice = yieldEvery()
  for (const route of app.routes as unknown as MountedRoute[]) {
    if (route.hooks?.detail?.hide || !METHODS.includes(route.method)) continue
    for (const [at, path] of expandOptional(route.path).entries()) {
      const item = paths[template(path)] ?? {}
      paths[template(path)] = item
      item[route.method.toLowerCase()] = components.hoist(buildOperation(route, path, at > 0 ? '.each' : ''))
    }
    await yieldSlice()
  }
  const document = {
    openapi: '3.0.0',
    info,
    servers: servers.map((url) => ({ url })),
    paths,
    components: { securitySchemes, schemas: { Error: errorSchema, ...components.schemas() } },
  }
  return applyWording(document, wording, yieldSlice)
}

const securitySchemes = {
  session: {
    type: 'http',
    scheme: 'bearer',
    description: 'Session token of a signed-in user, `st_…`. `POST /v1/users/auth/signin` returns one.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'API key of a project, `sk_…`, or access token of an app that a user authorized, `at_…`. Each operation shows the scope that it needs.',
  },
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'requestId'],
      properties: {
        code: { type: 'string', enum: Object.keys(errorStatuses) },
        message: { type: 'string' },
        details: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: {
              path: { type: 'string' },
              message: { type: 'string' },
              values: {
                type: 'object',
                additionalProperties: { type: 'string' },
                description: 'values that the message names, for programs',
              },
            },
          },
        },
        requestId: { type: 'string' },
      },
    },
  },
}

/** Expands an optional parameter: '/geo/:kind?' is served at '/geo' and at '/geo/:kind'. */
const expandOptional = (path: string) => (path.endsWith('?') ? [path.slice(0, path.lastIndexOf('/')), path.slice(0, -1)] : [path])
/** Converts a path to OpenAPI. '/:id' is a parameter; ':batchUpdate' after a segment is literal. */
const template = (path: string) => path.replace(/\/:(\w+)/g, '/{$1}').replace(/(?<=.)\/$/, '')

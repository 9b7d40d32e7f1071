import { describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { parse } from 'yaml'
import { toOpenApi30 } from '../../core/http/openapi/to-openapi30.ts'
import { exact, MapOf, Nullable, oneField, oneOf, stated } from '../../core/http/schema.ts'
import { startApp } from '../support/app.ts'
import { describedBy, parametersOf, readDocument } from '../support/openapi.ts'

const app = await startApp()
const document = await readDocument(app)
const operations = describedBy(document)
const named = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

test('the document is OpenAPI 3.0, and the YAML one says the same', async () => {
  const { valid, errors } = await new Validator().validate({ ...structuredClone(document) })
  expect(errors ?? []).toEqual([])
  expect(valid).toBe(true)
  expect(document.openapi).toStartWith('3.0.')
  const yaml = await app.call('GET', '/openapi.yaml')
  expect(yaml.headers.get('content-type')).toContain('yaml')
  expect(parse(yaml.body)).toEqual(document)
}, 120_000)

test('every operation says what it is, what it answers and how it fails', () => {
  const lacking = operations.filter(
    ({ operation: { summary, tags, operationId, responses } }) => !summary || !operationId || tags?.length !== 1 || !responses.default,
  )
  expect(lacking.map(named)).toEqual([])
  // What apps ask of OAuth is refused in the words of RFC 6749.
  const ofOAuth = /^\/(v1\/)?oauth\/(?!authorize)/
  const refusal = { Error: '{"$ref":"#/components/schemas/Error"}', OAuthError: JSON.stringify(document.components.schemas.OAuthError) }
  /** With codes of its own, an answer is the envelope and besides one of these. */
  const envelopeOf = (schema: unknown) => JSON.stringify((schema as { allOf?: unknown[] } | undefined)?.allOf?.[0] ?? schema)
  const failures = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { responses }]) =>
      Object.entries(responses)
        .filter(([status]) => /^4|default/.test(status))
        .map(([, { content }]) => ({ method, path, schema: content?.['application/json']?.schema })),
    ),
  )
  const withoutError = failures.filter(({ path, schema }) => {
    const wanted = ofOAuth.test(path) ? 'OAuthError' : 'Error'
    return envelopeOf(schema) !== refusal[wanted] && envelopeOf(schema) !== `{"$ref":"#/components/schemas/${wanted}"}`
  })
  expect(withoutError.map(named)).toEqual([])
})

test('every success has a schema, but where there is nothing to say', () => {
  const bare = operations
    .filter(({ operation }) => !operation['x-callback'])
    .filter(({ operation: { responses } }) => {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
      return (
        successes.length === 0 || successes.some(([status, { content }]) => status !== '204' && !Object.values(content ?? {})[0]?.schema)
      )
    })
  expect(bare.map(named)).toEqual([])
})

test('path parameters are declared, each once and required', () => {
  const wrong = operations.filter((described) => {
    const inPath = [...described.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    const declared = parametersOf(described, 'path')
    return JSON.stringify(declared.map(({ name }) => name)) !== JSON.stringify(inPath) || declared.some(({ required }) => !required)
  })
  expect(wrong.map(named)).toEqual([])
})

test('what needs a credential says so, and says that it may be refused', () => {
  expect(operations.filter(({ operation: { security } }) => security === undefined).map(named)).toEqual([])
  const secured = operations.filter(({ operation: { security = [] } }) => security.length > 0)
  expect(secured.length).toBeGreaterThan(50)
  expect(secured.filter(({ operation: { responses } }) => !responses[401] || !responses[403] || !responses[429]).map(named)).toEqual([])
})

test('a body that may be left out is not required', () => {
  const required = (id: string) => operations.find(({ operation }) => operation.operationId === id)?.operation.requestBody?.required
  expect(required('sendOrder')).toBe(false)
  expect(required('createOrder')).toBe(true)
})

test('the reference page loads from this host only', async () => {
  const page = await app.call('GET', '/openapi')
  expect(page.headers.get('content-type')).toContain('text/html')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'self'")
  expect(policy).not.toMatch(/https?:|\*/)
  expect(page.body).not.toMatch(/(src|href)\s*=\s*["']?(https?:)?\/\//)
  expect(policy).toContain("script-src 'self';")
  const loaded = [...(page.body as string).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!)
  expect(loaded).toEqual(['/openapi/reference.css', '/openapi/reference.js', '/openapi/start.js'])
  for (const path of loaded) {
    const file = await app.call('GET', path)
    expect([path, file.status, file.headers.get('content-type')]).toEqual([
      path,
      200,
      path.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
    ])
    expect(file.body).not.toMatch(/@import|sourceMappingURL=http/)
  }
})

describe('JSON Schema becomes the dialect of 3.0', () => {
  const cases: [string, unknown, unknown][] = [
    ['null in a union is a flag', Nullable(T.String({ maxLength: 3 })), { type: 'string', maxLength: 3, nullable: true }],
    ['a nullable enum names null', Nullable(oneOf(['a', 'b'])), { type: 'string', enum: ['a', 'b', null], nullable: true }],
    [
      'a nullable union has the flag on its members',
      Nullable(T.Union([T.String(), T.Number()])),
      {
        anyOf: [
          { type: 'string', nullable: true },
          { type: 'number', nullable: true },
        ],
      },
    ],
    [
      'an enum keeps its description and default',
      oneOf(['a'], { description: 'one', default: 'a' }),
      { type: 'string', enum: ['a'], description: 'one', default: 'a' },
    ],
    ['decimals are no step, which floats would miss', T.Number({ 'x-decimals': 3 }), { type: 'number', 'x-decimals': 3 }],
    [
      'what code checks is said besides',
      stated(T.Array(T.String()), { uniqueItems: true }),
      { type: 'array', items: { type: 'string' }, uniqueItems: true },
    ],
    [
      'one of several fields is asked for',
      stated(exact({ a: T.Optional(T.String()), b: T.Optional(T.String()) }), oneField('a', 'b')),
      {
        type: 'object',
        additionalProperties: false,
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
      },
    ],
    ['a coerced number is a number', t.Integer({ minimum: 1, default: 2 }), { type: 'integer', minimum: 1, default: 2 }],
    ['an exclusive bound is a flag', T.Number({ exclusiveMinimum: 0 }), { type: 'number', minimum: 0, exclusiveMinimum: true }],
    [
      'a map has additional properties',
      MapOf(5, T.Integer(), { maxProperties: 2, description: 'counts' }),
      { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 2, description: 'counts' },
    ],
    [
      'an exact object stays exact',
      exact({ type: T.Literal('x'), const: T.Optional(T.Boolean()) }),
      {
        type: 'object',
        additionalProperties: false,
        required: ['type'],
        properties: { type: { type: 'string', enum: ['x'] }, const: { type: 'boolean' } },
      },
    ],
  ]
  test.each(cases)('%s', (_, schema, expected) => {
    expect(toOpenApi30(schema)).toEqual(expected)
  })
})

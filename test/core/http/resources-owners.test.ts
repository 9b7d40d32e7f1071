import { expect, test } from 'bun:test'
import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { errorEnvelope } from '../../../core/http/errors/envelope.ts'
import type { Verb } from '../../../core/http/resource/resource.model.ts'
import { resourceRoutes, type Written } from '../../../core/http/resource/resource.ts'
import { type Answer, startApp } from '../../support/app.ts'

const verbs: readonly Verb[] = ['list', 'create', 'read', 'replace', 'patch', 'remove']
const { context, shop, person, ok } = await startApp()
const administrator = await person('The administrator')
const [mine, theirs] = [await shop(), await shop()]

await context.sql`create table notes (
  id text collate "C" primary key, project_id text not null, title text not null, body jsonb, created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(), secret text not null default 'never shown')`
await context.sql`create table notices (
  id text collate "C" primary key, title text not null, draft boolean not null, remark text, created_at timestamptz not null default now(),
  updated_at timestamptz not null default now())`

const access = { read: 'viewer', write: 'admin', readScope: 'inventory:read', writeScope: 'inventory:write' } as const
const told: string[] = []
const wrote = async (_: unknown, { verb, before, after }: Written) => void told.push(`${verb} ${before?.title} ${after?.title}`)
const notes = resourceRoutes(
  context,
  { of: 'project' },
  {
    name: 'note',
    path: '/notes',
    table: 'notes',
    prefix: 'not',
    verbs,
    fields: T.Object({ title: T.String({ minLength: 1 }), body: T.Optional(T.Union([T.Array(T.Number()), T.Null()])) }),
    access,
    maxRows: 3,
    onWritten: wrote,
  },
)
const notices = resourceRoutes(
  context,
  { of: 'platform' },
  {
    name: 'notice',
    path: '/notices',
    table: 'notices',
    prefix: 'ntc',
    verbs,
    fields: T.Object({ title: T.String(), draft: T.Boolean(), remark: T.Optional(T.Union([T.String(), T.Null()])) }),
    publicView: { to: 'signed in', where: { draft: false }, without: ['remark'] },
  },
)
const app = new Elysia({ systemRouter: false, normalize: false } as object)
  .use(errorEnvelope(context.log, context.bodies))
  .use(notes)
  .use(notices)
context.bodies.registerRoutes(app.routes)

async function call(method: string, path: string, as?: string, body?: object): Promise<Answer> {
  const headers = { ...(as && { authorization: `Bearer ${as}` }), ...(body && { 'content-type': 'application/json' }) }
  const answer = await app.handle(new Request(`http://localhost${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }))
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null }
}
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()

test("rows of projects are for their keys, and for members who name the project's store", async () => {
  const { data: narrow } = await ok('POST', `/v1/projects/${mine.projectId}/api-keys`, {
    as: mine.owner.token,
    body: { name: 'narrow', scopes: ['inventory:read'] },
  })
  const answer = await call('POST', '/notes', mine.key, { title: 'One', body: [1, 2] })
  const row = answer.body.data
  expect(row).toEqual({
    id: expect.stringMatching(/^not_/),
    projectId: mine.projectId,
    title: 'One',
    body: [1, 2],
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  expect((await call('GET', `/notes/${row.id}`, narrow.key)).body.data).toEqual(row)
  expect((await call('GET', '/notes', mine.key)).body.data).toEqual([row])
  expect((await call('GET', '/notes', theirs.key)).body.data).toEqual([])
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', { title: 'Taken' }],
    ['PATCH', { title: 'Taken' }],
    ['DELETE', undefined],
  ] as const) {
    expect(outcome(await call(method, `/notes/${row.id}`, theirs.key, body))).toBe('404 not_found')
    expect(outcome(await call(method, `/notes/${row.id}`, mine.owner.token, body))).toBe('400 invalid_request')
    expect(outcome(await call(method, `/notes/${row.id}?storeId=${theirs.storeId}`, mine.owner.token, body))).toBe('404 not_found')
    expect(outcome(await call(method, `/notes/${row.id}?storeId=${theirs.storeId}`, theirs.owner.token, body))).toBe('404 not_found')
    expect(outcome(await call(method, `/notes/${row.id}`, undefined, body))).toBe('401 unauthenticated')
    if (method !== 'GET') expect(outcome(await call(method, `/notes/${row.id}`, narrow.key, body))).toBe('403 insufficient_scope')
  }
  const owned = await call('GET', `/notes/${row.id}?storeId=${mine.storeId}`, mine.owner.token)
  expect(owned.body.data).toEqual(row)
  expect((await call('PUT', `/notes/${row.id}`, mine.key, { title: 'Two' })).body.data).toMatchObject({ title: 'Two', body: null })
  expect((await call('PATCH', `/notes/${row.id}`, mine.key, { body: [] })).body.data).toMatchObject({ title: 'Two', body: [] })
  expect((await call('DELETE', `/notes/${row.id}`, mine.key)).status).toBe(204)
  expect(told).toEqual(['create undefined One', 'replace One Two', 'patch Two Two', 'remove Two undefined'])
})

test('resources: an owner reaches their limit without rows of other owners being counted', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, (_, at) => call('POST', '/notes', mine.key, { title: `Note ${at}` })))
  expect(answers.map(outcome).sort()).toEqual(['201', '201', '201', '409 conflict', '409 conflict', '409 conflict'])
  expect(outcome(await call('POST', '/notes', theirs.key, { title: 'Theirs' }))).toBe('201')
})

test("resources: signed-in users read the platform's rows without the hidden fields", async () => {
  const make = async (body: object) => (await call('POST', '/notices', administrator.token, body)).body.data
  const [open, draft] = [await make({ title: 'Open', draft: false, remark: 'ours' }), await make({ title: 'Draft', draft: true })]
  const { remark: _, ...shown } = open
  expect((await call('GET', '/notices', mine.owner.token)).body.data).toEqual([shown])
  expect((await call('GET', `/notices/${open.id}`, mine.owner.token)).body.data).toEqual(shown)
  expect(outcome(await call('GET', `/notices/${draft.id}`, mine.owner.token))).toBe('404 not_found')
  expect(outcome(await call('GET', '/notices'))).toBe('401 unauthenticated')
  expect(outcome(await call('GET', '/notices', mine.key))).toBe('403 forbidden')
  expect((await call('GET', '/notices', administrator.token)).body.data).toEqual([draft, open])
  expect(outcome(await call('POST', '/notices', mine.owner.token, { title: 'No', draft: false }))).toBe('403 forbidden')
})

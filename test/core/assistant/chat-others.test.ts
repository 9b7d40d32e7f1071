import { afterAll, beforeEach, expect, test } from 'bun:test'
import { modelSource } from '../../../core/assistant/chat/generation/source.ts'
import type { Message } from '../../../plugins/model/model.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'
import { connectModels } from './chat-support.ts'

const app = await startApp()
await app.person('The administrator')
const { ok, call } = app
const main = await app.shop()
const other = await app.shop()
const as = main.owner.token
await connectModels(app, main)

const EMPTY = { type: 'object' }
const tools = [
  { name: 'look', description: 'Looks', inputSchema: EMPTY, annotations: { readOnlyHint: true } },
  { name: 'erase', description: 'Erases', inputSchema: EMPTY, annotations: { readOnlyHint: false, destructiveHint: true } },
  { name: 'unsaid', description: 'Says nothing of itself', inputSchema: EMPTY },
  { name: 'break', description: 'Breaks', inputSchema: EMPTY },
]
/** What was called there, with what. */
const calls: { name: string; arguments: object }[] = []
const server = Bun.serve({
  port: 0,
  async fetch(request) {
    const {
      id = null,
      method = '',
      params,
    } = (await request.json().catch(() => ({}))) as {
      id?: number | null
      method?: string
      params?: { name: string; arguments: object }
    }
    const answer = (result: object) => Response.json({ jsonrpc: '2.0', id, result })
    if (method === 'initialize')
      return answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'crm', version: '1' } })
    if (method.startsWith('notifications/')) return new Response(null, { status: 202 })
    if (method === 'tools/list') return answer({ tools })
    if (method !== 'tools/call' || !params)
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
    calls.push({ name: params.name, arguments: params.arguments })
    return answer({ content: [{ type: 'text', text: `${params.name} is \0done` }], isError: params.name === 'break' })
  },
})
afterAll(() => server.stop(true))
beforeEach(() => void calls.splice(0))
const url = `http://localhost:${server.port}/mcp`
const crm = (await ok('POST', '/v1/chat/mcp-servers', { as, body: { storeId: main.storeId, name: 'crm', url } })).data

interface Said {
  readonly role: string
  readonly text: string
  readonly failed: boolean
  readonly proposalId: string | null
}
const conversation = async (): Promise<string> =>
  (await ok('POST', '/v1/chat/conversations', { as, body: { storeId: main.storeId } })).data.id
async function talk(id: string, text: string): Promise<Said[]> {
  const path = `/v1/chat/conversations/${id}`
  await ok('POST', `${path}/messages`, { as, body: { text } })
  return until(async () => {
    const { data } = await ok('GET', path, { as })
    return data.generationId === null ? data.messages : null
  })
}
const answerIn = (messages: readonly Said[]) => messages.findLast(({ role }) => role === 'tool')
const proposed = async (text: string, id?: string) => answerIn(await talk(id ?? (await conversation()), text))?.proposalId ?? ''
const read = async (id: string) => (await ok('GET', `/v1/chat/proposals/${id}`, { as })).data
const confirm = (id: string, token = as) => call('POST', `/v1/chat/proposals/${id}/confirm`, { as: token })

test('tools of other servers: a read-only tool is called at once', async () => {
  expect(answerIn(await talk(await conversation(), 'call crm__look {"at":"lamps"}'))).toMatchObject({ failed: false, proposalId: null })
  expect(calls).toEqual([{ name: 'look', arguments: { at: 'lamps' } }])
})

test('tools of other servers: any other tool is proposed, called once after the user confirms, and its result goes to the model', async () => {
  const id = await conversation()
  const proposal = await proposed('call crm__erase {"what":"all"}', id)
  expect(calls).toEqual([])
  const after = { server: 'crm', url, tool: 'erase', arguments: { what: 'all' } }
  expect(await read(proposal)).toMatchObject({
    tool: 'crm__erase',
    thing: crm.id,
    before: {},
    after,
    state: 'open',
    result: null,
    failed: null,
  })
  expect((await confirm(proposal, other.owner.token)).status).toBe(404)
  const answers = await Promise.all(Array.from({ length: 6 }, () => confirm(proposal)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  expect(calls).toEqual([{ name: 'erase', arguments: { what: 'all' } }])
  const done = { state: 'confirmed', result: 'erase is done', failed: false }
  expect(answers.find(({ status }) => status === 200)?.body.data).toMatchObject(done)
  expect(await read(proposal)).toMatchObject(done)

  const { complete } = modelSource
  const told: Message[] = []
  Object.assign(modelSource, {
    complete: (...given: Parameters<typeof complete>) => {
      told.push(...given[3].messages)
      return complete(...given)
    },
  })
  await talk(id, 'And now?')
  Object.assign(modelSource, { complete })
  const texts = told.flatMap((message) => (message.role === 'tool' ? [message.text] : []))
  expect(texts).toEqual([expect.stringMatching(/"state":"confirmed".*"result":"erase is done"/)])
})

test('tools of other servers: a tool without hints is proposed first; a rejected call is not made, and a failed one says so', async () => {
  const rejected = await proposed('call crm__unsaid {}')
  await ok('POST', `/v1/chat/proposals/${rejected}/reject`, { as })
  expect((await confirm(rejected)).status).toBe(409)
  expect(calls).toEqual([])
  const failing = await confirm(await proposed('call crm__break {}'))
  expect([failing.status, failing.body.data]).toMatchObject([200, { state: 'confirmed', result: 'break is done', failed: true }])
  const long = answerIn(await talk(await conversation(), `call crm__unsaid ${JSON.stringify({ text: 'x'.repeat(20_000) })}`))
  expect(long).toMatchObject({ failed: true, proposalId: null })
})

test('nothing is called where the server is another by then, or gone', async () => {
  const [moved, gone] = [await proposed('call crm__erase {"n":1}'), await proposed('call crm__erase {"n":2}')]
  await ok('PATCH', `/v1/chat/mcp-servers/${crm.id}`, { as, body: { url: `${url}?elsewhere` } })
  expect((await confirm(moved)).status).toBe(409)
  await ok('DELETE', `/v1/chat/mcp-servers/${crm.id}`, { as })
  expect((await confirm(gone)).status).toBe(409)
  expect([(await read(moved)).state, (await read(gone)).state]).toEqual(['open', 'open'])
  expect(calls).toEqual([])
})

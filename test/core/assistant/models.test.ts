import { describe, expect, test } from 'bun:test'
import { Type as T } from '@sinclair/typebox'
import { listAvailableModels, resolveModel } from '../../../core/assistant/models/available-models.ts'
import {
  editImages,
  generateImages,
  generateSpeech,
  lookUpGeneration,
  parseJsonAnswer,
  requestCompletion,
  requestStructuredAnswer,
} from '../../../core/assistant/models/model-calls.ts'
import { costOf, estimateCost } from '../../../core/assistant/models/price.ts'
import { SurrogateJoiner } from '../../../core/assistant/models/surrogate-joiner.ts'
import type { Message, Part } from '../../../plugins/model/model.ts'
import { startApp } from '../../support/app.ts'
import { computedMs } from '../../support/clock.ts'

const app = await startApp()
const { call, ok, context } = app
const admin = await app.person('The administrator')
const mine = await app.shop()
const other = await app.shop()
const as = mine.owner.token
const base = `/v1/stores/${mine.storeId}/integrations/sandbox-model`
const asks = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })
const body = { enabled: true, credentials: {}, settings: {} }
const ids = async (owner: Parameters<typeof listAvailableModels>[1]) =>
  (await listAvailableModels(context, owner)).map(({ ownedBy, id }) => `${ownedBy} ${id}`)
const OWN = ['store sandbox-model/writer', 'store sandbox-model/painter', 'store sandbox-model/speaker']
const OURS = OWN.map((one) => one.replace('store', 'platform'))

describe("the choice between the store's and the platform's models", () => {
  test('nobody has any, and is told what to do', async () => {
    expect(await ids({ storeId: mine.storeId })).toEqual([])
    await expect(resolveModel(context, { storeId: mine.storeId }, undefined, 'text')).rejects.toMatchObject({ code: 'conflict' })
  })

  test("a store's own connection is its alone; the platform's is everybody's, after it", async () => {
    await ok('PUT', base, { as, body })
    expect((await ok('GET', `${base}/models`, { as })).data).toHaveLength(3)
    expect((await ok('POST', `${base}/testConnection`, { as })).data).toMatchObject({ ok: true, account: 'sandbox' })
    expect((await call('GET', `${base}/models`, { as: other.owner.token })).status).toBe(404)
    expect((await call('GET', `${base}/models`)).status).toBe(401)
    expect([await ids({ storeId: mine.storeId }), await ids({ storeId: other.storeId }), await ids({ projectId: mine.projectId })]).toEqual(
      [OWN, [], []],
    )
    await ok('PUT', '/v1/platform/integrations/sandbox-model', { as: admin.token, body })
    expect([await ids({ storeId: mine.storeId }), await ids({ storeId: other.storeId }), await ids({ projectId: mine.projectId })]).toEqual(
      [[...OWN, ...OURS], OURS, OURS],
    )
    await ok('POST', `${base}/enable`, { as, body: { enabled: false } })
    expect(await ids({ storeId: mine.storeId })).toEqual(OURS)
    await ok('POST', `${base}/enable`, { as, body: { enabled: true } })
  })

  test("a plan says which of the platform's a store has; its own it has all the same", async () => {
    const plans = (await ok('GET', '/v1/plans', { as: admin.token })).data
    const { id } = plans.find(({ code }: { code: string }) => code === 'free')
    const limit = (models: unknown) => call('PATCH', `/v1/plans/${id}`, { as: admin.token, body: { limits: { models } } })
    expect((await limit(['not a model'])).status).toBe(400)
    expect((await limit(['sandbox-model/writer', 'other/*'])).status).toBe(200)
    const [writer = ''] = OURS
    expect([await ids({ storeId: mine.storeId }), await ids({ storeId: other.storeId })]).toEqual([[...OWN, writer], [writer]])
    expect(await ids({ projectId: other.projectId })).toEqual(OURS)
    await limit(['sandbox-model/*'])
    expect(await ids({ storeId: other.storeId })).toEqual(OURS)
    await limit([])
    await expect(resolveModel(context, { storeId: other.storeId }, undefined, 'text')).rejects.toMatchObject({ code: 'conflict' })
    await limit(null)
    expect(await ids({ storeId: other.storeId })).toEqual(OURS)
  })

  test('a project lists those of the platform, where it has enabled AI', async () => {
    expect((await call('GET', '/v1/ai/models', { as: mine.key })).body.error.code).toBe('product_not_enabled')
    await ok('PATCH', `/v1/projects/${mine.projectId}`, { as, body: { products: ['ai', 'parcels'] } })
    const { data } = await ok('GET', '/v1/ai/models', { as: mine.key })
    expect(data[0]).toEqual({
      id: 'sandbox-model/writer',
      name: 'Sandbox writer',
      source: 'sandbox-model',
      ownedBy: 'platform',
      currency: 'USD',
      takes: ['text', 'image'],
      gives: ['text'],
      tools: true,
      structured: true,
      contextTokens: 32000,
      outputTokens: 4000,
      prices: { inputToken: '0.000001', outputToken: '0.000002', inputImage: '0.0003' },
    })
    expect((await call('GET', '/v1/ai/models')).status).toBe(401)
  })
})

describe('a model', async () => {
  const owner = { storeId: mine.storeId }
  const usable = (gives: 'text' | 'image' | 'speech') => resolveModel(context, { storeId: mine.storeId }, undefined, gives)

  test('writes part by part, and is counted and priced exactly', async () => {
    const parts: Part[] = []
    const done = await requestCompletion(
      context,
      owner,
      await usable('text'),
      { messages: [asks('Good morning')] },
      { onPart: (part) => parts.push(part) },
    )
    expect(done).toMatchObject({
      text: 'You said: Good morning',
      reason: 'stop',
      usage: { inputTokens: 3, outputTokens: 6 },
      cost: '0.000015',
    })
    expect(parts.map(({ type }) => type)).toEqual(['started', 'text', 'text', 'text', 'text', 'usage', 'end'])
  })

  test('calls a tool, and goes on from what that answered', async () => {
    const tools = [
      {
        name: 'search_orders',
        description: 'Finds orders',
        parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
      },
    ]
    const model = await usable('text')
    const asked = asks('Search the orders of "Lina"')
    const { toolCalls, reason } = await requestCompletion(context, owner, model, { messages: [asked], tools })
    expect([reason, toolCalls]).toEqual(['tools', [{ id: 'call-1', name: 'search_orders', arguments: '{"q":"Lina"}' }]])
    const answer: Message[] = [
      asked,
      { role: 'assistant', text: '', toolCalls: [...toolCalls] },
      { role: 'tool', callId: 'call-1', name: 'search_orders', text: 'call search_orders {"q":"all"}' },
    ]
    // What a tool answered is told, and moves nothing.
    expect(await requestCompletion(context, owner, model, { messages: answer, tools })).toMatchObject({ reason: 'stop', toolCalls: [] })
  })

  test('answers what fits a schema, which is checked', async () => {
    const schema = T.Object({
      colour: T.Union([T.Literal('red'), T.Literal('green')]),
      names: T.Array(T.String(), { minItems: 2 }),
      count: T.Integer(),
    })
    const found = await requestStructuredAnswer(context, owner, await usable('text'), [asks('7 green ones: "a" and "b"')], schema)
    expect(found).toEqual({ colour: 'green', names: ['a', 'b'], count: 7 })
    const odd = T.Object({ at: T.String({ pattern: '^#[0-9]$' }) })
    await expect(requestStructuredAnswer(context, owner, await usable('text'), [asks('?')], odd)).rejects.toMatchObject({
      reason: 'refused',
    })
  })

  test('that breaks off is no answer, and what became of it can be looked up', async () => {
    const model = await usable('text')
    const parts: Part[] = []
    const asked = { messages: [asks('CUT this in two halves')] }
    await expect(requestCompletion(context, owner, model, asked, { onPart: (part) => parts.push(part) })).rejects.toMatchObject({
      reason: 'unavailable',
    })
    const [first] = parts
    expect(parts.filter(({ type }) => type === 'text').length).toBeGreaterThan(0)
    const generation = first?.type === 'started' ? first.generation : ''
    expect(await lookUpGeneration(context, owner, model, generation)).toMatchObject({ done: true })
    expect(await lookUpGeneration(context, owner, model, 'gen-nobody')).toBeNull()
  })

  test('that stops sending is cut off after its deadline, or when the caller has gone', async () => {
    const model = await usable('text')
    const asked = { messages: [asks('HANG on')] }
    await expect(requestCompletion(context, owner, model, asked, { deadlineMs: 200 })).rejects.toMatchObject({ reason: 'timeout' })
    const leaving = new AbortController()
    const asking = requestCompletion(context, owner, model, asked, { signal: leaving.signal, onPart: () => leaving.abort() })
    await expect(asking).rejects.toMatchObject({ reason: 'timeout' })
  })

  test('draws and speaks', async () => {
    const { images, cost } = await generateImages(context, owner, await usable('image'), { prompt: 'tea', size: 'square', count: 2 })
    expect([images.map(({ mediaType }) => mediaType), cost]).toEqual([['image/png', 'image/png'], '0.02'])
    const edited = await editImages(context, owner, await usable('image'), { prompt: 'blue', size: 'square', count: 1, images })
    expect([edited.images.length, edited.cost]).toEqual([1, '0.014'])
    const { sound } = await generateSpeech(context, owner, await usable('speech'), { text: 'Good morning', voice: 'low', format: 'wav' })
    expect(Buffer.from(sound.data, 'base64').subarray(0, 4).toString()).toBe('RIFF')
  })
})

test('prices are exact, whatever their size', () => {
  expect(costOf({ inputToken: '0.00000015', outputToken: '0.0000006' }, { inputTokens: 1_000_003, outputTokens: 7 })).toBe('0.15000465')
  expect(costOf({ inputToken: '0.1', cachedInputToken: '0.01', request: '1' }, { inputTokens: 10, cachedInputTokens: 4 })).toBe('1.64')
  expect(costOf({ inputToken: '1' }, { cost: '0.123456789012345678' })).toBe('0.123456789012345678')
  expect(costOf(undefined, { inputTokens: 5 })).toBeUndefined()
  expect(costOf({ inputToken: '0.1', inputImage: '0.000361000000000001' }, { inputTokens: 1 }, 3)).toBe('0.101083000000000003')
  expect(costOf({ inputToken: '0.1', inputImage: '0.000361' }, { cost: '7' }, 3)).toBe('7')
  expect(
    estimateCost({ model: { prices: { inputToken: '0.000001', outputToken: '0.000002' } } }, { messages: [asks('شاي')], maxTokens: 100 }),
  ).toMatch(/^0\.0002\d+$/)
})

test('models: JSON is parsed from an answer with or without a fence, and an answer of spaces ends fast', () => {
  for (const text of ['{"a":1}', ' {"a":1}\n', '```json\n{"a":1}\n```', '\n```\n{"a":1}\n```  ', '```json {"a":1}'])
    expect(parseJsonAnswer(text)).toEqual({ a: 1 })
  for (const text of ['', 'none', '```', '``````', '```js\n{"a":1}\n```']) expect(parseJsonAnswer(text)).toBeUndefined()
  const endless = `{"a":${' '.repeat(200_000)}x`
  expect(computedMs(() => expect(parseJsonAnswer(endless)).toBeUndefined())).toBeLessThan(50)
})

test('models: the two halves of a surrogate pair are joined, and a lone half is dropped', () => {
  const letters = new SurrogateJoiner()
  const pieces = ['a\ud83d', '\ude00b', '\ude00', 'c\ud83d', 'd', '\ud83d'].map((text) => letters.join({ type: 'text', text }))
  expect(pieces.map((part) => part.type === 'text' && part.text)).toEqual(['a', '😀b', '\ufffd', 'c', '\ufffdd', ''])
  expect(letters.join({ type: 'thought', text: 'e' })).toEqual({ type: 'thought', text: 'e' })
  const call = { id: '1', name: 'look', arguments: '"\ud83d"' }
  expect(letters.join({ type: 'toolCall', call })).toEqual({ type: 'toolCall', call: { ...call, arguments: '"\ufffd"' } })
})

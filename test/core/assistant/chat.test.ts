import { describe, expect, test } from 'bun:test'
import { modelSource } from '../../../core/assistant/chat/generation/source.ts'
import type { Message } from '../../../plugins/model/model.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'
import { connectModels, eventsIn } from './chat-support.ts'

const app = await startApp({}, { socket: true })
await app.person('The administrator')
const { ok, call } = app
const main = await app.shop()
const other = await app.shop()
const as = main.owner.token
await connectModels(app, main)

const conversation = async (body: object = {}, token = as) =>
  (await ok('POST', '/v1/chat/conversations', { as: token, body: { storeId: main.storeId, ...body } })).data
const say = async (id: string, body: object) => (await ok('POST', `/v1/chat/conversations/${id}/messages`, { as, body })).data
const read = async (id: string) => (await ok('GET', `/v1/chat/conversations/${id}`, { as })).data
const generationOf = async (id: string) => (await ok('GET', `/v1/chat/generations/${id}`, { as })).data
const over = (id: string) =>
  until(async () => {
    const generation = await generationOf(id)
    return generation.state === 'running' ? null : generation
  })
const stream = (id: string, after = 0, signal?: AbortSignal) =>
  fetch(`${app.origin}/v1/chat/generations/${id}`, {
    headers: { authorization: `Bearer ${as}`, accept: 'text/event-stream', ...(after > 0 && { 'last-event-id': String(after) }) },
    ...(signal && { signal }),
  })

describe('conversations', () => {
  test('are begun, listed, changed and deleted', async () => {
    const { id } = await conversation({ path: '/products/1' })
    await ok('PATCH', `/v1/chat/conversations/${id}`, { as, body: { title: 'On lamps' } })
    const { data } = await ok('GET', `/v1/chat/conversations?storeId=${main.storeId}`, { as })
    expect(data.find((each: { id: string }) => each.id === id)).toMatchObject({ title: 'On lamps', path: '/products/1', leafId: null })
    expect((await call('DELETE', `/v1/chat/conversations/${id}`, { as })).status).toBe(204)
    expect((await call('GET', `/v1/chat/conversations/${id}`, { as })).status).toBe(404)
  })

  test("are nobody else's, and of nobody who is not in the store", async () => {
    const { id } = await conversation()
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { title: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/messages', { text: 'x' }],
      ['GET', '/queue', undefined],
      ['POST', '/queue', { text: 'x' }],
      ['POST', '/queue/consume', undefined],
    ] as const) {
      expect((await call(method, `/v1/chat/conversations/${id}${path}`, { as: other.owner.token, body })).status).toBe(404)
      expect((await call(method, `/v1/chat/conversations/${id}${path}`, { body })).status).toBe(401)
    }
    expect((await call('POST', '/v1/chat/conversations', { as: other.owner.token, body: { storeId: main.storeId } })).status).toBe(404)
    expect((await call('POST', '/v1/chat/conversations', { as, body: { storeId: main.storeId, colour: 'red' } })).status).toBe(400)
  })

  test('an answer is made and folded into the tree; edits and retries are siblings', async () => {
    const { id } = await conversation()
    const begun = await call('POST', `/v1/chat/conversations/${id}/messages`, { as, body: { text: 'Good morning' } })
    expect(begun.status).toBe(202)
    const first = begun.body.data
    expect(await over(first.generation.id)).toMatchObject({ state: 'completed', reason: 'stop', currency: 'USD' })
    const whole = await read(id)
    expect(whole.title).toBe('Good morning')
    expect(whole.messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant'])
    expect(whole.messages[1].text).toContain('Good morning')
    expect(whole.leafId).toBe(whole.messages[1].id)
    const again = await say(id, { retryOf: first.message.id })
    expect(again.message.id).toBe(first.message.id)
    await over(again.generation.id)
    const edit = await say(id, { text: 'Good evening', parentId: null })
    await over(edit.generation.id)
    const { messages } = await read(id)
    expect(messages.filter(({ parentId }: { parentId: string | null }) => parentId === first.message.id)).toHaveLength(2)
    expect(messages.filter(({ parentId }: { parentId: string | null }) => parentId === null)).toHaveLength(2)
    await ok('DELETE', `/v1/chat/conversations/${id}/messages/${first.message.id}`, { as })
    expect((await read(id)).messages).toHaveLength(2)
    expect((await call('POST', `/v1/chat/conversations/${id}/messages`, { as, body: {} })).status).toBe(400)
    expect((await call('POST', `/v1/chat/conversations/${id}/messages`, { as, body: { retryOf: 'msg_x' } })).status).toBe(404)
  })

  test('models are listed, and what an answer may come to is worked out', async () => {
    const { data } = await ok('GET', `/v1/chat/models?storeId=${main.storeId}`, { as })
    expect(data[0]).toMatchObject({ id: 'sandbox-model/writer', ownedBy: 'store', tools: true })
    const estimated = await ok('POST', '/v1/chat/estimate', { as, body: { storeId: main.storeId, text: 'Hello', maxTokens: 10 } })
    expect(estimated.data).toMatchObject({ model: 'sandbox-model/writer', maxTokens: 10, currency: 'USD' })
    expect(Number(estimated.data.cost)).toBeGreaterThan(0)
  })

  test('a refusal of the model is told', async () => {
    const { id } = await conversation()
    const { generation } = await say(id, { text: 'FAIL on purpose' })
    expect(await over(generation.id)).toMatchObject({ state: 'failed', reason: 'error' })
    const { data } = await ok('GET', `/v1/chat/jobs/${generation.id}`, { as })
    expect(data).toMatchObject({ kind: 'generation', state: 'failed' })
    expect((await call('GET', `/v1/chat/jobs/${generation.id}`, { as: other.owner.token })).status).toBe(404)
  })
})

describe('streams', () => {
  test('an answer cut and taken up again and again loses and doubles no character', async () => {
    const { complete } = modelSource
    const words = Array.from({ length: 130 }, (_, at) => `mot${at} كلمة${at}😀 `)
    Object.assign(modelSource, {
      complete: async (...given: Parameters<typeof complete>) => {
        for (const word of words) {
          await Bun.sleep(70)
          given[4].onPart?.({ type: 'text', text: word })
        }
        return { text: words.join(''), toolCalls: [], reason: 'stop', usage: {} }
      },
    })
    const { id } = await conversation()
    const { generation } = await say(id, { text: 'Write a lot' })
    let after = 0
    let text = ''
    let ended = false
    let cuts = 0
    while (!ended) {
      const cut = new AbortController()
      const answer = await stream(generation.id, after, cut.signal)
      let seen = 0
      for await (const event of eventsIn(answer)) {
        expect(event.id).toBe(after + 1)
        after = event.id ?? after
        if (event.event === 'text') text += event.data.text
        if (event.event === 'end') ended = true
        seen += 1
        if (seen === 1 && !ended) break
      }
      cut.abort()
      cuts += 1
      if (cuts > 2000) throw new Error('It does not end.')
    }
    const { messages } = await read(id)
    expect(text).toBe(messages[1].text)
    Object.assign(modelSource, { complete })
    expect(text).toBe(words.join(''))
    expect(cuts).toBeGreaterThan(100)
    // From the beginning once more, all of it over.
    let again = ''
    for await (const event of eventsIn(await stream(generation.id))) if (event.event === 'text') again += event.data.text
    expect(again).toBe(text)
  }, 60_000)

  test('what is said is answered on the same connection, if asked for', async () => {
    const { id } = await conversation()
    const answer = await fetch(`${app.origin}/v1/chat/conversations/${id}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${as}`, accept: 'text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Hello there' }),
    })
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    const events = await Array.fromAsync(eventsIn(answer))
    expect(events[0]?.event).toBe('begun')
    expect(events.at(-1)).toMatchObject({ event: 'end', data: { state: 'completed' } })
  })

  test('an answer is cancelled, and what came by then is kept', async () => {
    const { id } = await conversation()
    const { generation } = await say(id, { text: 'HANG on' })
    const conflict = await call('POST', `/v1/chat/conversations/${id}/messages`, { as, body: { text: 'again' } })
    expect([conflict.status, conflict.body.error.code]).toEqual([409, 'conflict'])
    expect((await call('POST', `/v1/chat/generations/${generation.id}/cancel`, { as: other.owner.token })).status).toBe(404)
    await ok('POST', `/v1/chat/generations/${generation.id}/cancel`, { as })
    expect(await over(generation.id)).toMatchObject({ state: 'cancelled', reason: 'cancelled' })
  })
})

describe('the queue', () => {
  const prompts = async (id: string) =>
    (await ok('GET', `/v1/chat/conversations/${id}/queue`, { as })).data.map(({ text }: { text: string }) => text)

  test('is added to, edited, reordered, and said one at a time, in order', async () => {
    const { id } = await conversation()
    const path = `/v1/chat/conversations/${id}/queue`
    const items: { id: string }[] = []
    for (const text of ['one', 'two', 'three', 'four']) items.push((await ok('POST', path, { as, body: { text } })).data)
    await ok('PATCH', `${path}/${items[1]?.id}`, { as, body: { text: 'zwei' } })
    await ok('DELETE', `${path}/${items[3]?.id}`, { as })
    const ids = [items[2], items[0], items[1]].map((item) => item?.id)
    expect((await call('PUT', `${path}/reorder`, { as, body: { ids: ids.slice(1) } })).status).toBe(400)
    await ok('PUT', `${path}/reorder`, { as, body: { ids } })
    expect(await prompts(id)).toEqual(['three', 'one', 'zwei'])
    const consumed = await Promise.all(Array.from({ length: 8 }, () => call('POST', `${path}/consume`, { as })))
    expect(consumed.filter(({ status }) => status === 202)).not.toHaveLength(0)
    expect(consumed.every(({ status }) => status === 202 || status === 409)).toBe(true)
    await until(async () => ((await prompts(id)).length === 0 && (await read(id)).generationId === null ? true : null))
    const { messages } = await read(id)
    expect(messages.filter(({ role }: { role: string }) => role === 'user').map(({ text }: { text: string }) => text)).toEqual([
      'three',
      'one',
      'zwei',
    ])
    // Each follows the answer to the one before: one branch.
    expect(new Set(messages.map(({ parentId }: { parentId: string | null }) => parentId)).size).toBe(messages.length)
    expect((await call('POST', `${path}/consume`, { as })).status).toBe(409)
  })
})

describe('rules', () => {
  test('are told to the model where they hold', async () => {
    const told: Message[][] = []
    const { complete } = modelSource
    Object.assign(modelSource, {
      complete: (...given: Parameters<typeof complete>) => {
        told.push([...given[3].messages])
        return complete(...given)
      },
    })
    const add = async (body: object) =>
      (await ok('POST', '/v1/chat/rules', { as, body: { storeId: main.storeId, name: 'rule', ...body } })).data
    await add({ text: 'Be brief always.' })
    await add({ text: 'Of the whole store.', shared: true })
    const byPath = await add({ text: 'Only of products.', paths: ['/products/**'] })
    for (const path of ['/products/a/b', '/orders']) {
      const { id } = await conversation({ path })
      await over((await say(id, { text: 'Hi' })).generation.id)
    }
    const systems = told.map(([first]) => (first?.role === 'system' ? first.text : ''))
    expect(systems.map((text) => text.includes('Only of products.'))).toEqual([true, false])
    expect(systems.every((text) => text.includes('Be brief always.') && text.includes('Of the whole store.'))).toBe(true)
    await ok('PATCH', `/v1/chat/rules/${byPath.id}`, { as, body: { enabled: false } })
    expect((await call('PATCH', `/v1/chat/rules/${byPath.id}`, { as: other.owner.token, body: { enabled: true } })).status).toBe(404)
    expect((await call('DELETE', `/v1/chat/rules/${byPath.id}`, { as })).status).toBe(204)
    Object.assign(modelSource, { complete })
  })
})

test('chat: data that a model wants back with its calls goes to that model only, and is never shown', async () => {
  const { complete, find } = modelSource
  const asked: Message[][] = []
  Object.assign(modelSource, {
    find: async (context: typeof app.context, storeId: string, id: string | undefined) => ({
      ...(await find(context, storeId, undefined)),
      id: id ?? 'first/model',
    }),
    complete: async (...given: Parameters<typeof complete>) => {
      const { messages } = given[3]
      asked.push([...messages])
      const isCalled = messages.at(-1)?.role === 'tool'
      const toolCalls = isCalled ? [] : [{ id: `c-${asked.length}`, name: 'search_orders', arguments: '{}', carry: 'sig/+=' }]
      for (const call of toolCalls) given[4].onPart?.({ type: 'toolCall', call })
      if (isCalled) given[4].onPart?.({ type: 'text', text: 'Done.' })
      return { text: 'Done.', toolCalls, reason: isCalled ? 'stop' : 'tools', usage: {} }
    },
  })
  const { id } = await conversation({ model: 'first/model' })
  const seen: object[] = []
  for (const model of ['first/model', 'first/model', 'second/model', 'first/model']) {
    await ok('PATCH', `/v1/chat/conversations/${id}`, { as, body: { model } })
    const { generation } = await say(id, { text: 'Look.' })
    seen.push(...(await Array.fromAsync(eventsIn(await stream(generation.id)))))
    await over(generation.id)
    seen.push(...(await Array.fromAsync(eventsIn(await stream(generation.id)))))
  }
  Object.assign(modelSource, { complete, find })
  const carried = asked.map((messages) =>
    messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []).map(({ carry }) => carry !== undefined) : [])),
  )
  expect(carried).toEqual([
    [],
    [true],
    [true],
    [true, true],
    [false, false],
    [false, false, true],
    [true, true, false],
    [true, true, false, true],
  ])
  expect(asked.flat().filter((message) => JSON.stringify(message).includes('"carry":"sig/+="')).length).toBeGreaterThan(0)
  const shown = JSON.stringify([seen, await read(id)])
  expect([shown.includes('search_orders'), shown.includes('sig/'), shown.includes('carry')]).toEqual([true, false, false])
})

test('a long conversation is summed up, and says where', async () => {
  const { find } = modelSource
  Object.assign(modelSource, {
    find: async (...given: Parameters<typeof find>) => {
      const usable = await find(...given)
      return { ...usable, model: { ...usable.model, tools: false, contextTokens: 2_000 } }
    },
  })
  const { id } = await conversation()
  for (let at = 0; at < 5; at += 1) await over((await say(id, { text: `${at} ${'lampe '.repeat(60)}` })).generation.id)
  Object.assign(modelSource, { find })
  const { messages } = await read(id)
  const summaries = messages.filter(({ role }: { role: string }) => role === 'summary')
  expect(summaries.length).toBeGreaterThan(0)
  expect(messages.some((message: { id: string }) => message.id === summaries[0].coversId)).toBe(true)
})
